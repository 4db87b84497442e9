#!/bin/bash
# Base backups of Callgate's database in /archive/base, each named by the moment from which on it can be gone back to; the log before the oldest one
# goes. `backup.sh`: one now. `backup.sh daily`: one whenever the latest is a day old.
set -euo pipefail
PGPASSWORD="$(cat "$POSTGRES_PASSWORD_FILE")"
export PGPASSWORD
base=/archive/base

latest() { find "$base" -mindepth 1 -maxdepth 1 -name '*Z' "$@" | sort | tail -n 1; }

backup() {
  mkdir -p "$base"
  rm -rf "$base"/*.part
  pg_basebackup -D "$base/now.part" -F tar -Z client-gzip:1 -X stream -c fast
  # Who was erased, as far as this copy knows them.
  if [ -e /erased/erased.jsonl ]; then cp /erased/erased.jsonl "$base/now.part/"; fi
  sync -f "$base"
  local made
  made="$base/$(date -u +%Y%m%dT%H%M%SZ)"
  mv "$base/now.part" "$made"
  find "$base" -mindepth 1 -maxdepth 1 -name '*Z' -mtime "+${BACKUP_DAYS:-7}" ! -path "$made" -exec rm -rf {} +
  local oldest from
  oldest="$(find "$base" -mindepth 1 -maxdepth 1 -name '*Z' | sort | head -n 1)"
  from="$(tar -xzOf "$oldest/base.tar.gz" backup_label | sed -n 's/^START WAL LOCATION: .*(file \(.*\))$/\1/p')"
  pg_archivecleanup -x .gz /archive/wal "$from"
  # As `admin backup` does: what callgate_chore_age_seconds counts from.
  psql -qd callgate -c "INSERT INTO chores (name) VALUES ('backup') ON CONFLICT (name) DO UPDATE SET done_at = clock_timestamp()"
  echo "made $made"
}

if [ "${1:-}" != daily ]; then
  backup
  exit
fi
while true; do
  if [ -z "$(latest -mmin -1440 2>/dev/null)" ]; then
    # In a process of its own, so that it ends at its first failure.
    "$BASH" "$0" || echo 'no backup was made; the next try is in five minutes' >&2
  fi
  sleep 300 &
  wait $!
done
