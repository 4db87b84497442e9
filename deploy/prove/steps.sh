# Sourced by run.sh: steps, commands of the page, and what holds after each.
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
  awk -v section="$1" -v wanted="$2" '
    /^###? / { inside = ($0 == "## " section || $0 == "### " section) }
    inside && /^```/ { if (on) on = 0; else if ($0 == "```sh") { n++; on = (n == wanted) }; next }
    on' docs/deploying.md | sed -E 's/^sudo //; s/docker compose exec /docker compose exec -T /; s/exec -T -T /exec -T /'
}
# Each of its lines has to hold; `moment` of the page is that of the proof.
page() {
  local commands
  commands=$(block "$1" "$2")
  [ -n "$commands" ] || return 1
  commands=${commands//2026-11-25 14:00:00+00/${moment:-}}
  echo "$commands"
  eval "$(printf '%s\n' "$commands" | awk 'NR > 1 && /^[^ ]/ && !/^done/ { print "[ $? = 0 ] || return 1" } { print }')"
}
# Somebody with a browser and an agent's key.
person() {
  docker run --rm --network host --shm-size 256m -e HOME=/tmp -v "$work/person:/person" \
    -v "$here/person.mjs:/person.mjs:ro" callgate-browser:local node /person.mjs "$@"
}
# in_background <name> <script> <argument …>: until it is waited for.
in_background() {
  local name=$1
  shift
  docker rm -f "callgate-prove-$name" >/dev/null 2>&1 || true
  docker run -d --name "callgate-prove-$name" --network host --shm-size 256m -e HOME=/tmp -v "$work/person:/person" \
    -v "$here/person.mjs:/person.mjs:ro" -v "$here/load.mjs:/load.mjs:ro" callgate-browser:local node "$@" >/dev/null
}
until_ready() {
  for _ in $(seq 240); do
    if curl -fsS -o /dev/null http://127.0.0.1:8081/readyz 2>/dev/null; then return; fi
    sleep 1
  done
  return 1
}
# Ready is who reads and decides, engine or not: new calls may get 503 for some seconds more.
works() {
  until_ready
  for _ in $(seq 40); do
    if person read; then return; fi
    sleep 2
  done
  return 1
}
# A call that waits for its person, who approves it after whatever happens then.
asks() { call=$(person ask "$1"); }
kept() { works && person approve "$call"; }
dies() {
  local one
  for one in $(docker compose ps -q "$@"); do kill -9 "$(docker inspect -f '{{.State.Pid}}' "$one")"; done
}
killed() { docker compose kill -s KILL "$1" && docker compose up -d; }
# The browser's container reaches neither what is inside nor what is outside.
apart() {
  docker compose exec -T callgate-browser node -e "
    const { connect } = process.getBuiltinModule('net')
    const reached = (host, port) => new Promise((done) => connect({ host, port, timeout: 5000 })
      .on('connect', () => done(true)).on('error', () => done(false)).on('timeout', () => done(false)))
    Promise.all([reached('postgres', 5432), reached('temporal', 7233), reached('1.1.1.1', 443)]).then((all) => {
      console.log(all)
      process.exit(Number(all.includes(true)))
    })"
}
size_of() { docker image inspect -f '{{.Size}}' "$1"; }
# The official base takes 230 MB, one that was made from packages more.
small() { [ $(($(size_of callgate:local) - $(size_of "node:$(tag_of node)"))) -le 170000000 ]; }
megabytes() { size_of "$1" | awk '{ printf "%.0f MB", $1 / 1e6 }'; }

# Memory, processor and processes of every container are bounded, and each but the jobs has a health that is good.
bounded() {
  local one line ok=0
  for _ in $(seq 120); do
    if ! docker compose ps --format '{{.Health}}' | grep -qv '^healthy$'; then break; fi
    sleep 1
  done
  for one in $(docker compose ps -q); do
    line=$(docker inspect -f '{{.Name}} {{.HostConfig.Memory}} {{.HostConfig.NanoCpus}} {{.HostConfig.PidsLimit}} {{if .State.Health}}{{.State.Health.Status}}{{end}}' "$one")
    echo "$line"
    [[ $line =~ ^/[^\ ]+\ [1-9][0-9]*\ [1-9][0-9]*\ [1-9][0-9]*\ healthy$ ]] || ok=1
  done
  return $ok
}

# upgrades <what> <section> <block>: under a steady load, of which nothing is refused and nothing lost.
upgrades() {
  asks 'an upgrade'
  in_background load /load.mjs "$call"
  until docker logs callgate-prove-load 2>&1 | grep -q begun; do sleep 1; done
  step upgrade page "$2" "$3"
  sleep 5
  docker kill -s TERM callgate-prove-load >/dev/null
  local code
  code=$(docker wait callgate-prove-load)
  docker logs callgate-prove-load >"$work/load.log" 2>&1
  docker rm callgate-prove-load >/dev/null
  say "$(tail -n 1 "$work/load.log")"
  step "$1" unrefused "$code"
  step 'the call that waited is sent' kept
}
unrefused() { cat "$work/load.log" && [ "$1" = 0 ]; }

# A page follows a call while each API process in turn is killed under it, and shows how it ended all the same.
streams() {
  local one
  in_background page /person.mjs follow "$call"
  until docker logs callgate-prove-page 2>&1 | grep -q follows; do sleep 1; done
  for one in $(docker compose ps -q callgate-api); do
    kill -9 "$(docker inspect -f '{{.State.Pid}}' "$one")"
    until [ "$(docker inspect -f '{{.State.Health.Status}}' "$one")" = healthy ]; do sleep 1; done
  done
  person approve "$call"
  local code
  code=$(docker wait callgate-prove-page)
  docker logs callgate-prove-page && docker rm callgate-prove-page >/dev/null
  [ "$code" = 0 ]
}

# A Prometheus beside the composition, with the files that are there for one: what it finds, and what goes off.
watched() {
  docker rm -f callgate-prove-prometheus >/dev/null 2>&1 || true
  docker run -d --name callgate-prove-prometheus --network callgate_inside -v "$PWD/deploy:/deploy:ro" callgate-prove-prometheus:local \
    prometheus --config.file=/deploy/prometheus.yml --storage.tsdb.path=/tmp/prometheus
  for _ in $(seq 60); do
    asked 'sum by (job) (up)' && [ "$(asked 'count by (job) (up) == sum by (job) (up)' | wc -l)" = 4 ] && return
    sleep 2
  done
  asked up
  return 1
}
asked() { docker exec callgate-prove-prometheus promtool query instant http://127.0.0.1:9090 "$1"; }
firing() { asked 'ALERTS{alertstate="firing"}' | grep -o 'alertname="[^"]*' | cut -d'"' -f2 | sort -u | xargs; }
# goes_off <alert>: within ten minutes, and what else does.
goes_off() {
  for _ in $(seq 300); do
    if firing | grep -qw "$1"; then break; fi
    sleep 2
  done
  firing && firing | grep -qw "$1"
}
ends() {
  for _ in $(seq 300); do
    if [ -z "$(firing)" ]; then return; fi
    sleep 2
  done
  firing
  return 1
}

figures() { curl -fsS http://127.0.0.1:8081/metrics; }
sql() { docker compose exec -T "${2:-postgres}" psql -U callgate -d callgate -qtA -c "$1"; }
# A file of the log arrives within what archive_timeout says, and the age of the backup is a figure.
archived() {
  local before now
  before=$(sql 'SELECT archived_count FROM pg_stat_archiver')
  for _ in $(seq 90); do
    now=$(sql 'SELECT archived_count FROM pg_stat_archiver')
    if [ "$now" -gt "$before" ]; then break; fi
    sleep 1
  done
  [ "$now" -gt "$before" ] && figures | grep -E '^callgate_chore_age_seconds\{chore="backup"\} [0-9]{1,3}(\.|$)' && figures | grep -E '^callgate_archive_failing_seconds 0$'
}
# A call of after the moment, of which the archive has everything.
later() {
  sleep 2
  late=$(person ask 'Later') && sql 'SELECT pg_switch_wal()' && sleep 5
}
kept_but_later() { kept && [ "$(sql "SELECT count(*) FROM calls WHERE id = '$late'")" = 0 ]; }
# Killed, so that nobody starts it again: what is refused meanwhile, and what says so.
standby_lost() {
  docker compose kill -s KILL postgres-standby
  person refused | tee "$work/refused" && goes_off CallgateStandbyAway
}
# The call that nobody could tell of is there, and has been sent.
standby_back() {
  docker compose up -d --wait postgres-standby && follows && person ended "$(grep -o 'call_[0-9A-Z]*' "$work/refused" | head -n 1)" && ends
}
without_standby() { docker compose kill -s KILL postgres-standby && page 'Archive, moments, standby' 4 && works && ends; }
standby_again() { page 'Archive, moments, standby' 3 && follows; }
scaled() { bounded && [ "$(docker compose ps -q callgate-api | wc -l) $(docker compose ps -q callgate-worker | wc -l)" = "$1 $2" ]; }

# The database on a disk of one gigabyte, which something else fills.
small_disk() {
  local from
  from=$(docker inspect -f '{{range .Mounts}}{{if eq .Destination "/var/lib/postgresql/data"}}{{.Name}}{{end}}{{end}}' "$(docker compose ps -q postgres)")
  truncate -s 1G "$work/disk" && mkfs.ext4 -q -m 0 "$work/disk"
  disk=$(losetup -f --show "$work/disk")
  docker compose rm -sf callgate-api callgate-worker postgres-backup postgres
  docker volume create -o type=ext4 -o "device=$disk" callgate_small
  docker run --rm -v "$from:/from:ro" -v callgate_small:/to --entrypoint bash "postgres:$(tag_of postgres)" -c 'rm -rf /to/lost+found && cp -a /from/. /to && chown postgres /to && chmod 700 /to'
  echo 'POSTGRES_VOLUME=callgate_small' >>.env
  docker compose up -d && works
}
# Written until the log of the database finds no room either.
disk_full() {
  docker compose exec -T postgres bash -c 'cat /dev/zero >$PGDATA/filler; df -h $PGDATA'
  sql 'SELECT pg_switch_wal()' || true
  for _ in $(seq 200); do
    if person refused; then break; fi
    sql 'SELECT pg_switch_wal()' || true
  done
  person refused && docker compose ps postgres && docker compose logs --no-log-prefix --tail 3 postgres
}
roomy() { room && kept; }
room() { docker compose exec -T postgres bash -c 'rm $PGDATA/filler' || docker run --rm -v callgate_small:/to --entrypoint rm "postgres:$(tag_of postgres)" /to/filler; }

follows() {
  for _ in $(seq 60); do
    if [ "$(sql "SELECT sync_state FROM pg_stat_replication WHERE application_name = 'standby'")" = sync ]; then break; fi
    sleep 1
  done
  works && [ "$(sql "SELECT sync_state FROM pg_stat_replication WHERE application_name = 'standby'")" = sync ] &&
    [ "$(sql "SELECT count(*) FROM calls WHERE id = '$call'" postgres-standby)" = 1 ]
}
