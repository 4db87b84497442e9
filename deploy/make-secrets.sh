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
# What API processes show to the browser of the connect page.
bytes | od -An -v -tx1 | tr -d ' \n' | put browser_secret
# Who may talk to the engine, and that it is the engine: one authority, whose own key nobody keeps. To have new ones, remove the five files.
if [ -e "$folder/temporal_ca" ]; then
  echo "$folder/temporal_ca and what it signed stay as they are"
else
  command -v openssl >/dev/null || {
    echo 'openssl is needed for the certificates of the engine: install it, and run this again' >&2
    exit 1
  }
  new="$(mktemp -d)"
  trap 'rm -rf "$new"' EXIT
  curve='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
  signed() { # <name> <extensions>
    openssl req $curve -subj "/CN=$1" -keyout "$new/$1.key" -out "$new/$1.csr" 2>/dev/null
    printf "$2" >"$new/$1.ext"
    openssl x509 -req -days 3650 -in "$new/$1.csr" -CA "$new/ca" -CAkey "$new/ca.key" -CAcreateserial -extfile "$new/$1.ext" -out "$new/$1" 2>/dev/null
  }
  openssl req -x509 $curve -days 3650 -subj '/CN=Callgate engine' -keyout "$new/ca.key" -out "$new/ca" 2>/dev/null
  signed temporal 'subjectAltName=DNS:temporal\nextendedKeyUsage=serverAuth,clientAuth\n'
  signed callgate 'extendedKeyUsage=clientAuth\n'
  put temporal_server_cert <"$new/temporal"
  put temporal_server_key <"$new/temporal.key"
  put temporal_client_cert <"$new/callgate"
  put temporal_client_key <"$new/callgate.key"
  # Last: whoever was interrupted begins anew.
  put temporal_ca <"$new/ca"
fi
# Empty: no mail. Else one line like smtps://user:password@mail.example.com:465
printf '' | put smtp_url

if [ "$(id -u)" -ne 0 ] && [ "$(id -u)" -ne "$user" ]; then
  echo "Now make user $user their owner, as the containers' user must read them: sudo chown $user $folder/*"
fi
