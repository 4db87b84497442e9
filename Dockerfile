# One image for the API, the worker and the sandbox: they differ in their command.
FROM node:24.21.0-bookworm-slim AS dependencies
# Said at once, and not by the first person who connects an account.
RUN test "$(uname -m)" = x86_64 || { echo "This image is for x86_64 only: the browser of the connect page (@sparticuz/chromium) does not exist for $(uname -m)" >&2; exit 1; }
WORKDIR /callgate
COPY package.json package-lock.json ./
# None of them needs an install script; Node is in the image, and builds for other systems and processors, types, maps and texts are of no use.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-*-linux-gnu" -exec rm -rf {} + \
  && find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' -o -name '*.md' -o -name '*.flow' \) -delete

FROM node:24.21.0-bookworm-slim
# For the Chromium of the connect page, which comes from npm: its libraries, and a font.
RUN apt-get update \
  && apt-get install -y --no-install-recommends fonts-dejavu-core libexpat1 libnss3 \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
# The compiler of the pages unpacks its addon here at a start that needs it, where it must be able to run it.
ENV SWC_NATIVE_BINDING_CACHE=/var/lib/callgate
WORKDIR /callgate
COPY --from=dependencies /callgate/node_modules node_modules
COPY package.json config.ts ./
COPY schemas schemas
COPY connectors connectors
COPY workflows workflows
COPY activities activities
COPY core core
COPY api api
COPY web web
# Pages of the docs are these texts.
COPY docs/mcp.md docs/webhooks.md docs/connectors.md docs/
COPY sandbox sandbox
COPY scripts scripts
COPY engine engine
COPY local-services local-services
# So that no start needs the bundler, which takes 250 MB, or the compilers, which take 50. What they unpack for it, a start that needs them unpacks anew.
RUN node --disable-warning=ExperimentalWarning core/compiled/make.mjs && node api/workflow-bundle.ts && rm -rf /var/lib/callgate
# What a process makes and throws away would be spread over 128 MB before V8 looks at it; C's allocator would have a store of its own for each thread.
ENV NODE_OPTIONS="--max-semi-space-size=8 --import=/callgate/core/compiled/load.mjs"
ENV MALLOC_ARENA_MAX=2
RUN install -d -o node -g node -m 700 /var/lib/callgate /var/lib/callgate-erased
USER node
EXPOSE 8080
CMD ["node", "api/main.ts"]
