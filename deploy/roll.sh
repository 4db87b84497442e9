#!/bin/sh
# Replaces the API processes, then the workers, by ones of the image that was built last. The new ones are there and ready before the old ones are
# told to stop, so no call is refused. Broken off, it is run again: what is old then goes.
set -eu
cd "$(dirname "$0")/.."

roll() {
  old="$(docker compose ps -aq "$1")"
  there="$(printf '%s\n' "$old" | grep -c .)" || {
    echo "there is no container of $1: docker compose up -d" >&2
    exit 1
  }
  echo "$1: $there new ones beside $there"
  docker compose up -d --no-deps --no-recreate --scale "$1=$((2 * there))" --wait --wait-timeout 600 "$1"
  # In their own time: they leave the proxy first, then finish what they have.
  docker stop $old >/dev/null
  docker rm $old >/dev/null
}

roll callgate-api
roll callgate-worker
