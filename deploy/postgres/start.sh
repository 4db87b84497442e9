#!/bin/sh
# Before the image's own start, as root: its archive, or as a standby its data. Two servers never serve the same data as what they are not.
set -eu
data="${PGDATA:-/var/lib/postgresql/data}"
stop() {
  echo "$1" >&2
  exit 1
}

case "${POSTGRES_ROLE:-primary}" in
  primary)
    [ ! -e "$data/standby.signal" ] || stop 'These are the data of a standby that was not promoted: docs/deploying.md says how'
    if [ -d /archive ]; then install -d -o postgres -g postgres -m 700 /archive /archive/wal; fi
    ;;
  standby)
    pass=/tmp/primary.pass
    printf '*:*:*:*:%s\n' "$(cat "$POSTGRES_PASSWORD_FILE")" >"$pass"
    chown postgres "$pass"
    chmod 600 "$pass"
    if [ ! -s "$data/PG_VERSION" ]; then
      install -d -o postgres -g postgres -m 700 "$data"
      # What a first try that was broken off left.
      find "$data" -mindepth 1 -delete
      gosu postgres pg_basebackup -D "$data" -R -X stream -c fast \
        -d "host=$POSTGRES_PRIMARY user=callgate application_name=standby passfile=$pass"
    fi
    [ -e "$data/standby.signal" ] || stop 'These are the data of a standby that was promoted: docs/deploying.md says where they go'
    ;;
esac
exec docker-entrypoint.sh "$@"
