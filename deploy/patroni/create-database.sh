#!/bin/sh
# Creates Botstead's role and database in a new cluster. Patroni calls it with a URL of the superuser.
exec psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set password="$POSTGRES_PASSWORD" "$1" <<'SQL'
create role botstead login password :'password';
create database botstead owner botstead;
SQL
