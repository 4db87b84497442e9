#!/bin/sh
# Runs the server with the password of its database, which its image takes from the environment only.
set -eu
POSTGRES_PWD="$(cat "$POSTGRES_PWD_FILE")"
export POSTGRES_PWD
exec "$@"
