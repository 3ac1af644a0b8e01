#!/bin/sh
# Starts PostgreSQL as its image does: the first start creates POSTGRES_USER, who owns everything, with a
# database of this name.
set -e
data=/var/lib/postgresql/docker
PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
if [ ! -e "$data/PG_VERSION" ]; then
  install -d -o postgres -m 700 "$data"
  echo "$POSTGRES_PASSWORD" | install -o postgres -m 600 /dev/stdin /tmp/password
  runuser -u postgres -- initdb -D "$data" -U "$POSTGRES_USER" --pwfile /tmp/password -E UTF8 --locale C.UTF-8 >/dev/null
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  echo "create database $POSTGRES_USER" | runuser -u postgres -- postgres --single -D "$data" postgres >/dev/null
fi
exec setpriv --reuid postgres --regid postgres --init-groups -- "$@" -D "$data" -c listen_addresses='*'
