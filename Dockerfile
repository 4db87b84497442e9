# The last stage is the image of the API and the worker, which differ in their command; `--target browser` is that of the connect page's browser,
# `--target sandbox` that of the apps to try Callgate with. All are for x86-64 and arm64.
FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /callgate
COPY package.json package-lock.json ./
# None of them needs an install script; Node is in the image, and builds for other systems and processors, types, maps and texts are of no use.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-*-linux-gnu" -exec rm -rf {} + \
  && find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' -o -name '*.md' -o -name '*.flow' \) -delete

# Only builds need what compiles workflows, Playwright's own pages and the sources of native parts; the packaged Chromium is for `npm start`.
FROM dependencies AS production
RUN rm -rf node_modules/@sparticuz node_modules/tar-fs node_modules/tar-stream node_modules/bare-* node_modules/@swc/core-* \
    node_modules/playwright-core/lib/vite node_modules/playwright-core/lib/tools node_modules/@temporalio/core-bridge/sdk-core \
  && find node_modules -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' \) -delete

# What /clients serves: built here, as neither the sources of the packages nor what builds them is in the image.
FROM dependencies AS clients
COPY schemas schemas
COPY connectors connectors
COPY client client
COPY scripts/client scripts/client
RUN node scripts/client/pack.ts bundles/clients

# The programs, and the bundle of the workflows. Sources are named by their places, which are the same in the image.
FROM dependencies AS build
COPY config.ts ./
COPY schemas schemas
COPY connectors connectors
COPY workflows workflows
COPY activities activities
COPY core core
COPY api api
COPY web web
COPY server server
COPY engine engine
COPY scripts/build.ts scripts/
RUN node scripts/build.ts --image

# It has no dependencies.
FROM node:24.21.0-bookworm-slim AS sandbox
ENV NODE_ENV=production
WORKDIR /callgate
COPY package.json ./
COPY sandbox sandbox
RUN install -d -o node -g node -m 700 /var/lib/callgate
USER node
CMD ["node", "sandbox/main.ts"]

# Debian's Chromium, and of Callgate only the program that starts it. It holds no data, and no secret but the one that the API shows it.
FROM node:24.21.0-bookworm-slim AS browser
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium fonts-dejavu-core \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
WORKDIR /callgate
COPY --from=production /callgate/node_modules/ipaddr.js node_modules/ipaddr.js
COPY --from=production /callgate/node_modules/playwright-core node_modules/playwright-core
COPY package.json config.ts ./
COPY core/error-labels.ts core/
COPY core/secrets/crypto.ts core/secrets/
COPY web/connect/browser/bare-host.ts web/connect/browser/chromium-program.ts web/connect/browser/chromium.ts web/connect/browser/
COPY web/connect/browser/isolation.ts web/connect/browser/lost.ts web/connect/browser/own-user.ts web/connect/browser/
COPY web/connect/browser-server web/connect/browser-server
RUN install -d -o node -g node -m 700 /var/lib/callgate
USER node
EXPOSE 8070
CMD ["node", "web/connect/browser-server/main.ts"]

FROM node:24.21.0-bookworm-slim AS server
ENV NODE_ENV=production
WORKDIR /callgate
COPY --from=production /callgate/node_modules node_modules
COPY package.json config.ts ./
COPY schemas schemas
COPY connectors connectors
COPY workflows workflows
COPY activities activities
COPY core core
COPY api api
COPY web web
COPY server server
# Pages of the docs are these texts.
COPY docs/mcp.md docs/webhooks.md docs/connectors.md docs/
COPY engine/search-attributes.json engine/
# Commands of operators and connector authors, and what they import.
COPY scripts/admin.ts scripts/connector.ts scripts/deploy.ts scripts/migrate.ts scripts/operator-client.ts scripts/pack-kit.ts scripts/
COPY scripts/connector scripts/connector
COPY scripts/supervisor/own-config.ts scripts/supervisor/settings.ts scripts/supervisor/
COPY local-services/setup-error.ts local-services/
COPY client/address.ts client/callgate.ts client/errors.ts client/settings.ts client/transport.ts client/
COPY --from=clients /callgate/bundles bundles
# So that no start needs the bundlers, which take 250 MB, or a compiler.
COPY --from=build /callgate/dist dist
COPY --from=build /callgate/bundles bundles
# What a process makes and throws away would be spread over 128 MB before V8 looks at it; C's allocator would have a store of its own for each thread.
ENV NODE_OPTIONS=--max-semi-space-size=8
ENV MALLOC_ARENA_MAX=2
RUN install -d -o node -g node -m 700 /var/lib/callgate /var/lib/callgate-erased
USER node
EXPOSE 8080
CMD ["node", "dist/server/main.js"]
