/**
 * Figures of the server of the database: waits for locks, sessions, replication. They read what the server keeps in
 * memory, whose size is bounded by its settings, by the functions below the views, since to plan the views took longer
 * than to read them. The run-time role may read all of it but the progress of standbys without a slot, which takes the
 * role pg_read_all_stats.
 */
import type { FigureGroup } from './figures.ts'

/** Waits for locks, in this database. A lock of a row shows as the wait for the transaction that has it. */
const lockFigures: FigureGroup = {
  families: [
    { name: 'bourse_database_lock_waits', type: 'gauge', help: 'Transactions that wait for a lock.' },
    {
      name: 'bourse_database_lock_oldest_wait_seconds',
      type: 'gauge',
      help: 'How long the oldest of them has waited; 0 without one.',
    },
  ],
  text: `select f.family, null as label, f.value
    from (
      select count(*) as waits, coalesce(max(bourse_real_now() - extract(epoch from l.waitstart)), 0) as oldest
      from pg_locks l
      where not l.granted
        and (l.pid, current_database()) in (
          select a.pid, d.datname
          from pg_stat_get_activity(l.pid) a
          join pg_database d on d.oid = a.datid
        )
    ) w
    cross join lateral (
      values ('bourse_database_lock_waits', w.waits),
        ('bourse_database_lock_oldest_wait_seconds', greatest(0, w.oldest))
    ) as f(family, value)`,
}

const sessionFigures: FigureGroup = {
  families: [
    {
      name: 'bourse_database_sessions',
      type: 'gauge',
      help: 'Sessions of all databases of the server, of all programs.',
    },
    {
      name: 'bourse_database_sessions_max',
      type: 'gauge',
      help: 'How many of them the server accepts, without those that it reserves for superusers.',
    },
  ],
  text: `select 'bourse_database_sessions' as family, null as label, sum(pg_stat_get_db_numbackends(oid)) as value
    from pg_database
    union all
    select 'bourse_database_sessions_max', null,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int`,
}

const replicationFigures: FigureGroup = {
  families: [
    { name: 'bourse_standbys', type: 'gauge', help: 'Standbys and base copies that are connected to the server.' },
    {
      name: 'bourse_replication_slots',
      type: 'gauge',
      help: 'Replication slots of the server, by whether a standby uses them.',
      label: 'state',
      shown: ['active', 'inactive'],
    },
    {
      name: 'bourse_replication_lag_bytes',
      type: 'gauge',
      help: 'Write-ahead log that the slowest connected standby has not stored yet, as slots show it.',
    },
    {
      name: 'bourse_replication_retained_bytes',
      type: 'gauge',
      help: 'Write-ahead log that the server keeps for the oldest replication slot.',
    },
  ],
  text: `with wal as (
      select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end as written
    ), lags as (
      select pg_wal_lsn_diff(w.written, coalesce(s.confirmed_flush_lsn, s.restart_lsn)) as bytes
      from wal w, pg_get_replication_slots() s
      where s.active
      union all
      select pg_wal_lsn_diff(w.written, r.flush_lsn)
      from wal w, pg_stat_get_wal_senders() r
    )
    select 'bourse_standbys' as family, null as label, count(*) as value
    from pg_stat_get_wal_senders()
    union all
    select 'bourse_replication_slots', case when s.active then 'active' else 'inactive' end, count(*)
    from pg_get_replication_slots() s
    group by s.active
    union all
    select 'bourse_replication_lag_bytes', null, greatest(0, coalesce(max(l.bytes), 0))
    from lags l
    union all
    select 'bourse_replication_retained_bytes', null,
      greatest(0, coalesce(max(pg_wal_lsn_diff(w.written, s.restart_lsn)), 0))
    from wal w, pg_get_replication_slots() s`,
}

/** The figures of the server of the database. */
export const databaseFigures: readonly FigureGroup[] = [lockFigures, sessionFigures, replicationFigures]
