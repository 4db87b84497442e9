#!/bin/sh
# Makes Temporal's two databases where they are missing and brings their schema to that of these tools. May be run again.
set -eu
SQL_PASSWORD="$(cat "$SQL_PASSWORD_FILE")"
export SQL_PASSWORD

upgrade() {
  export SQL_DATABASE="$1"
  # Also tells whether the database is there: it changes nothing in one that has a version.
  if ! temporal-sql-tool setup-schema --version 0.0; then
    temporal-sql-tool create-database --defaultdb postgres
    temporal-sql-tool setup-schema --version 0.0
  fi
  temporal-sql-tool update-schema --schema-name "$2"
}

upgrade temporal postgresql/v12/temporal
upgrade temporal_visibility postgresql/v12/visibility
