#!/bin/bash
# Proves docker-compose.yml and docs/deploying.md on a real container engine, word for word: the commands are those of the page itself.
#   sudo bash deploy/prove/run.sh [work folder]
# A plain Debian machine does: an engine, Compose and base images that are not there are made from packages, and that is said. Needs git, curl,
# npm (of any Node) and Go, the ports 8080, 8081 and 8233, and about 15 GB. What it made is gone at the end, but for the work folder.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
root=$(realpath "$here/../..")
work=$(realpath "${1:-$(mktemp -d)}")
mkdir -p "$work"
say() { echo "      $*"; }

. "$here/engine.sh"
. "$here/images.sh"

# ---- What is proven: a checkout of its own, which pulls from one that it can be given a new release by.
rm -rf "$work/origin" "$work/callgate" "$work/person"
git clone -q "$root" "$work/origin"
git clone -q "$work/origin" "$work/callgate"
mkdir "$work/person" && chown 1000:1000 "$work/person"
cd "$work/callgate"
docker compose -p callgate down -v --remove-orphans >/dev/null 2>&1 || true

failed() {
  echo "FAIL  $1 ($2 s)"
  tail -n 15 "$work/last.log" | sed 's/^/      /'
  docker compose logs --no-log-prefix --tail 400 callgate-api callgate-worker 2>/dev/null | grep -m3 -E '"level":(50|60)|Error:' | cut -c1-400 | sed 's/^/      /' || true
  exit 1
}
# step <what> <command …>: in this shell, so that what it exports stays.
step() {
  local what=$1 began=$SECONDS
  shift
  if "$@" >"$work/last.log" 2>&1; then echo "ok    $what ($((SECONDS - began)) s)"; else failed "$what" $((SECONDS - began)); fi
}
# The commands of a section of the page: the n-th block. Root needs no sudo, and a terminal is not there.
block() {
  awk -v section="## $1" -v wanted="$2" '
    /^## / { inside = ($0 == section) }
    inside && /^```/ { if (on) on = 0; else if ($0 == "```sh") { n++; on = (n == wanted) }; next }
    on' docs/deploying.md | sed -E 's/^sudo //; s/docker compose exec /docker compose exec -T /; s/exec -T -T /exec -T /'
}
page() { local commands; commands=$(block "$1" "$2"); [ -n "$commands" ] && eval "$commands"; }
# Somebody with a browser and an agent's key.
person() {
  docker run --rm --network host --shm-size 256m -e HOME=/tmp -v "$work/person:/person" \
    -v "$here/person.mjs:/person.mjs:ro" callgate:local node /person.mjs "$@"
}
until_ready() {
  for _ in $(seq 180); do
    if curl -fsS -o /dev/null http://127.0.0.1:8081/readyz 2>/dev/null; then return; fi
    sleep 1
  done
  return 1
}
works() { until_ready && person read; }
# A call that waits for its person, who approves it after whatever happens then.
asks() { call=$(person ask "$1"); }
kept() { works && person approve "$call"; }
dies() {
  local one
  for one in $(docker compose ps -q "$@"); do kill -9 "$(docker inspect -f '{{.State.Pid}}' "$one")"; done
}
killed() { docker compose kill -s KILL "$1" && docker compose up -d; }

step 'first start' page 'First start' 1
step 'ready' until_ready
step 'the first user: a link' docker compose exec -T callgate-api node scripts/admin.ts user add you2@example.com --as you
link=$(grep -o 'https://[^"]*' "$work/last.log")
step 'the sandbox: its containers' page 'First start' 2
step 'ready' until_ready
step 'the first user: a password, a key' person join "$link"
step 'connect, in the live browser' person connect demo@casavia.example open-1-sesame
step 'a read' person read
asks 'Hello' && step 'a write that waits, approved' kept

for one in callgate-api callgate-worker temporal postgres; do
  asks "$one dies"
  step "$one is killed by its machine" dies "$one"
  step 'it is back, and the call that waited is sent' kept
  asks "$one is killed"
  step "$one is killed by docker kill; up -d" killed "$one"
  step 'the call that waited is sent' kept
done
asks 'all die'
step 'all are killed at once' dies postgres temporal temporal-ui callgate-api callgate-worker
step 'they are back, and the call that waited is sent' kept

asks 'an upgrade'
(cd "$work/origin" && echo '// new' >>api/main.ts && git -c user.name=x -c user.email=x@example.com commit -qam 'A new release')
bash "$here/away.sh" "$work/away" &
watcher=$!
step 'upgrade' page 'Upgrades' 1
step 'the call that waited is sent' kept
kill "$watcher" && wait "$watcher" || true
say "away for $(cat "$work/away") s"

asks 'a copy'
step 'backup' page 'Backup and restore' 1
step 'restore' page 'Backup and restore' 2
step 'the call that waited is sent' kept

asks 'down'
step 'down' docker compose down
step 'up' docker compose up -d
step 'the call that waited is sent' kept
asks 'four workers'
export CALLGATE_WORKERS=4
step 'four workers' docker compose up -d
step 'the call that waited is sent' kept

docker compose ps --format '{{.Name}} {{.Status}}' | sed 's/^/      /'
docker stats --no-stream --format '{{.Name}} {{.MemUsage}}' $(docker compose ps -q) | sed 's/^/      /'
say "image: $(docker image inspect -f '{{.Size}}' callgate:local | awk '{ printf "%.0f MB", $1 / 1e6 }')"
docker compose down -v >/dev/null 2>&1
echo 'All of it holds.'
