#!/bin/bash
# Into an empty data folder: the newest base backup from before the moment, then the archive up to it. Without a moment: all there is.
#   restore.sh ['2026-11-25 14:00:00+00']
set -euo pipefail
moment="${1:-}"
data="${PGDATA:-/var/lib/postgresql/data}"
if [ -n "$(ls -A "$data" 2>/dev/null)" ]; then
  echo "$data is not empty: restore into a new volume" >&2
  exit 1
fi
until="$(date -u -d "${moment:-now}" +%Y%m%dT%H%M%SZ)"
from="$(find /archive/base -mindepth 1 -maxdepth 1 -name '*Z' -printf '%f\n' | sort | awk -v until="$until" '$0 <= until' | tail -n 1)"
if [ -z "$from" ]; then
  echo "There is no base backup from before ${moment:-now}" >&2
  exit 1
fi
echo "from the base backup of $from"
install -d -o postgres -g postgres -m 700 "$data"
tar -xzf "/archive/base/$from/base.tar.gz" -C "$data"
tar -xzf "/archive/base/$from/pg_wal.tar.gz" -C "$data/pg_wal"
cp -p "$data/postgresql.auto.conf" "$data/kept.conf"
{
  echo "restore_command = 'test -f /archive/wal/%f.gz && gunzip -c /archive/wal/%f.gz > %p'"
  echo "recovery_target_action = promote"
  [ -z "$moment" ] || echo "recovery_target_time = '$moment'"
  # Nobody is answered before it is there; and what begins here is kept, too.
  echo "hot_standby = off"
  echo "listen_addresses = ''"
  echo "archive_mode = on"
  echo "archive_command = 'sh /scripts/archive.sh %p %f'"
} >>"$data/postgresql.auto.conf"
touch "$data/recovery.signal"
chown -R postgres:postgres "$data"
gosu postgres pg_ctl -D "$data" -s -w -t 3600 start
# It is up while it still goes through the archive, and answers once it has ended.
until pg_isready -q; do
  if ! gosu postgres pg_ctl -D "$data" -s status; then
    echo 'it ended on the way: its last lines say why' >&2
    exit 1
  fi
  sleep 1
done
gosu postgres pg_ctl -D "$data" -s -w -t 3600 -m fast stop
mv "$data/kept.conf" "$data/postgresql.auto.conf"
echo "restored up to ${moment:-the end of the archive}"
