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
all_began=$SECONDS

. "$here/engine.sh"
. "$here/images.sh"
say "an engine and its images after $((SECONDS - all_began)) s"

# ---- What is proven: a checkout of its own, which pulls from one that it can be given a new release by.
rm -rf "$work/origin" "$work/callgate" "$work/person"
git clone -q "$root" "$work/origin"
git clone -q "$work/origin" "$work/callgate"
mkdir "$work/person" && chown 1000:1000 "$work/person"
cd "$work/callgate"
PUBLIC_URL=http://localhost docker compose --profile '*' down -v --remove-orphans >/dev/null 2>&1 || true
docker rm -f callgate-prove-prometheus >/dev/null 2>&1 || true
docker volume rm callgate_restored callgate_standby-data callgate_standby-next callgate_small >/dev/null 2>&1 || true

. "$here/steps.sh"

step 'first start' page 'First start' 1
step 'ready' until_ready
step 'the first user: a link' docker compose exec -T callgate-api node scripts/admin.ts user add you2@example.com --as you
link=$(grep -o 'https://[^"]*' "$work/last.log")
step 'the sandbox: its containers' page 'First start' 2
step 'ready' until_ready
step 'the first user: a password, a key' person join "$link"
step 'connect, in the live browser' person connect demo@casavia.example open-1-sesame
step 'the browser reaches neither database nor engine nor the internet' apart
step 'the image of API and worker adds 170 MB at most to its base' small
step 'a read' person read
asks 'Hello' && step 'a write that waits, approved' kept
step 'every service has its bounds and says that it is well' bounded
step 'a Prometheus beside it finds every process' watched

(cd "$work/origin" && echo '// new' >>server/main.ts && git -c user.name=x -c user.email=x@example.com commit -qam 'A new release')
upgrades 'no call is refused' 'Upgrades' 1

asks 'a copy'
step 'backup' page 'Backup and restore' 1
step 'restore' page 'Backup and restore' 2
step 'the call that waited is sent' kept

asks 'a moment'
step 'a base backup now; its age' page 'Archive, moments, standby' 1
step 'the archive takes the log, and the age of the backup is told' archived
moment=$(date -u '+%Y-%m-%d %H:%M:%S+00')
step 'what comes after the moment' later
step 'back to the moment' page 'Archive, moments, standby' 2
step 'what came after it is not there; the call that waited is sent' kept_but_later

asks 'a standby'
step 'a standby that each commit waits for' page 'Archive, moments, standby' 3
step 'it has what is committed' follows
step 'the standby is lost: what is said, and its alert goes off' standby_lost
say "$(cat "$work/refused")"
step 'it is back, what was accepted after all is sent, and the alert ends' standby_back
step 'the standby is lost, and it goes on without' without_standby
step 'the call that waited is sent' kept
asks 'a lost primary'
step 'a standby again' standby_again
step 'the primary is lost, the standby in charge' page 'Archive, moments, standby' 5
step 'the call that waited is sent' kept

asks 'all die'
step 'all are killed at once' dies $(docker compose ps --services | grep -v sandbox)
step 'they are back, and the call that waited is sent' kept

asks 'down'
docker rm -f callgate-prove-prometheus >/dev/null
step 'down' docker compose down
step 'up' docker compose up -d
step 'the call that waited is sent' kept
asks 'three API processes and four workers'
step 'scale out' page 'More processes' 1
step 'three API processes and four workers are well' scaled 3 4
step 'the call that waited is sent' kept
asks 'a page that follows'
step 'a page follows its call while each API process in turn is killed' streams

step 'the database on a small disk' small_disk
step 'a Prometheus beside it' watched
asks 'a full disk'
step 'it is full: 503, and what goes off' disk_full
say "$(grep -m1 '^503' "$work/last.log")"
step 'an alert goes off' goes_off CallgateDatabaseAway
step 'there is room again, and the call that waited is sent' roomy
step 'the alert ends' ends

for one in callgate-api callgate-worker callgate-browser callgate-proxy temporal postgres temporal-postgres; do
  asks "$one dies"
  step "$one is killed by its machine" dies "$one"
  step 'it is back, and the call that waited is sent' kept
  asks "$one is killed"
  step "$one is killed by docker kill; up -d" killed "$one"
  step 'the call that waited is sent' kept
done

docker compose ps --format '{{.Name}} {{.Status}}' | sed 's/^/      /'
docker stats --no-stream --format '{{.Name}} {{.MemUsage}} {{.PIDs}}' $(docker compose ps -q) | sed 's/^/      /'
say "image: $(megabytes callgate:local), of it the base $(megabytes "node:$(tag_of node)"); browser: $(megabytes callgate-browser:local)"
docker rm -f callgate-prove-prometheus >/dev/null
docker compose down -v >/dev/null 2>&1
docker volume rm callgate_small >/dev/null 2>&1 || true
losetup -d "$disk" && rm "$work/disk"
echo "All of it holds, after $((SECONDS - all_began)) s."
