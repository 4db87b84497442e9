#!/bin/sh
# Makes the secret files of docker-compose.yml in deploy/secrets, or the folder named. What is there is never overwritten.
set -eu
umask 077
folder="${1:-$(dirname "$0")/secrets}"
mkdir -p "$folder"
# Files of a compose project keep their owner and mode; the containers' user has this number.
user=1000

put() {
  if [ -e "$folder/$1" ]; then
    echo "$folder/$1 stays as it is"
    return
  fi
  cat >"$folder/$1.new"
  chmod 400 "$folder/$1.new"
  if [ "$(id -u)" -eq 0 ]; then chown "$user:$user" "$folder/$1.new"; fi
  mv "$folder/$1.new" "$folder/$1"
  echo "made $folder/$1"
}
bytes() { head -c 32 /dev/urandom; }
key() { bytes | base64 | tr -d '\n'; }

bytes | od -An -v -tx1 | tr -d ' \n' | put postgres_password
printf '{ "kek": { "k1": "%s" }, "approval": { "k1": "%s" }, "pepper": "%s", "operator": "%s" }\n' \
  "$(key)" "$(key)" "$(key)" "$(key)" | put secrets.json
# Empty: no mail. Else one line like smtps://user:password@mail.example.com:465
printf '' | put smtp_url

if [ "$(id -u)" -ne 0 ] && [ "$(id -u)" -ne "$user" ]; then
  echo "Now make user $user their owner, as the containers' user must read them: sudo chown $user $folder/*"
fi
