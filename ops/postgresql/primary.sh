#!/bin/sh
# Runs once, when the primary of compose.yaml makes its database: lets the standby follow it. From the next start on, each
# commit waits for the standby, so that a failover loses nothing: docs/guides/failover.md.
set -e
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --command \
  "create role standby replication login password '$POSTGRES_PASSWORD'"
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --command \
  "alter system set synchronous_standby_names = 'standby'"
echo 'host replication standby 10.78.0.0/24 scram-sha-256' >> "$PGDATA/pg_hba.conf"
