#!/bin/sh
# The standby of compose.yaml: copies the primary at its first start, and follows it.
set -e
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  until pg_isready --host=primary --quiet; do sleep 1; done
  pg_basebackup --host=primary --username=standby --pgdata="$PGDATA" --wal-method=stream --write-recovery-conf
  echo "primary_conninfo = 'host=primary user=standby password=$PGPASSWORD application_name=standby'" \
    >> "$PGDATA/postgresql.auto.conf"
  chmod 0700 "$PGDATA"
fi
# A standby needs no fewer connections than its primary allows.
exec postgres -c max_connections=300
