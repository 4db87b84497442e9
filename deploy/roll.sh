#!/bin/sh
# Replaces the API processes, then the workers, by ones of the image that was built last. The new ones are there and ready before the old ones are
# told to stop, so no call is refused. Where it was broken off, docker stop and
# docker rm the new ones first, or it doubles what is there.
set -eu
cd "$(dirname "$0")/.."

roll() {
  old="$(docker compose ps -aq "$1")"
  there="$(printf '%s\n' "$old" | grep -c .)" || {
    echo "there is no container of $1: docker compose up -d" >&2
    exit 1
  }
  echo "$1: $there new ones beside $there"
  docker compose up -d --no-deps --no-recreate --scale "$1=$((2 * there))" "$1"
  tries=300
  for one in $(docker compose ps -aq "$1"); do
    case "$old" in *"$one"*) continue ;; esac
    until [ "$(docker inspect -f '{{.State.Health.Status}}' "$one")" = healthy ]; do
      tries=$((tries - 1))
      if [ "$tries" -eq 0 ]; then
        echo "a new one is not well after ten minutes, and the old ones go on: docker logs $one" >&2
        exit 1
      fi
      sleep 2
    done
  done
  # In their own time: they leave the proxy first, then finish what they have.
  docker stop $old >/dev/null
  docker rm $old >/dev/null
}

# First, as the new API processes need it, in the same version. A sign-in that somebody is in the middle of ends, as with its API process.
docker compose up -d --no-deps callgate-browser
roll callgate-api
roll callgate-worker
