# Sourced by run.sh: an engine and Compose. What is there is taken; what is not is made from packages, and ended and removed at the end.
export DOCKER_HOST="${DOCKER_HOST:-unix:///var/run/docker.sock}"
if ! docker info >/dev/null 2>&1; then
  say 'no engine answers: one from the packages of Debian is started in the work folder'
  apt-get update -q >"$work/apt.log" 2>&1
  DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends docker.io debootstrap iptables >>"$work/apt.log" 2>&1
  export DOCKER_HOST="unix://$work/docker.sock"
  dockerd --data-root "$work/docker" --exec-root "$work/docker-run" --pidfile "$work/docker.pid" -H "$DOCKER_HOST" >"$work/dockerd.log" 2>&1 &
  engine=$!
  trap 'docker compose -p callgate down -v --remove-orphans >/dev/null 2>&1; kill "$engine"; wait "$engine"' EXIT
  for _ in $(seq 60); do
    if docker info >/dev/null 2>&1; then break; fi
    sleep 1
  done
fi
# A client that is newer than its engine speaks as the engine does.
version=$(docker version -f '{{.Server.APIVersion}}' 2>/dev/null || docker version 2>&1 | grep -o 'Maximum supported API version is [0-9.]*' | grep -o '[0-9.]*$')
export DOCKER_API_VERSION=$version
say "engine $(docker version -f '{{.Server.Version}}')"

if ! docker compose version >/dev/null 2>&1; then
  say 'there is no Compose: 2.40.3 is built from its Go module'
  mkdir -p "$work/compose" "$HOME/.docker/cli-plugins"
  (
    cd "$work/compose"
    printf 'module callgate/compose\n\ngo 1.26.10\n' >go.mod
    printf '//go:build tools\n\npackage tools\n\nimport _ "github.com/docker/compose/v2/cmd"\n' >tools.go
    export GOTOOLCHAIN=go1.26.10 GOFLAGS=-mod=mod CGO_ENABLED=0
    go get github.com/docker/compose/v2@v2.40.3
    go build -ldflags='-s -w' -o "$HOME/.docker/cli-plugins/docker-compose" github.com/docker/compose/v2/cmd
  ) >"$work/compose.log" 2>&1
fi
say "$(docker compose version)"
