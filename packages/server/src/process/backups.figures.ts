import type { FigureGroup } from '../core/work/figures.ts'

/** Backups, and the archive of the write-ahead log as the server of the database counts it. */
export const backupFigures: readonly FigureGroup[] = [
  {
    families: [
      {
        name: 'bourse_backup_completed_timestamp_seconds',
        type: 'gauge',
        help: 'When the newest backup was completed; 0 if there was none.',
      },
      {
        name: 'bourse_backup_first_timestamp_seconds',
        type: 'gauge',
        help: 'When the first backup was completed; 0 if there was none.',
      },
      {
        name: 'bourse_backup_verified_timestamp_seconds',
        type: 'gauge',
        help: 'When a backup was last verified; 0 if no backup was verified.',
      },
    ],
    text: `select f.family, null as label, f.value
      from (
        select coalesce(max(completed_at), 0) as completed, coalesce(min(completed_at), 0) as first,
          coalesce(max(verified_at), 0) as verified
        from backups
      ) b
      cross join lateral (
        values ('bourse_backup_completed_timestamp_seconds', b.completed),
          ('bourse_backup_first_timestamp_seconds', b.first),
          ('bourse_backup_verified_timestamp_seconds', b.verified)
      ) as f(family, value)`,
  },
  {
    families: [
      {
        name: 'bourse_wal_archive_failures_total',
        type: 'counter',
        help: 'Failed attempts of the database server to archive write-ahead log.',
      },
      {
        name: 'bourse_wal_archive_age_seconds',
        type: 'gauge',
        help: 'Seconds since the database server last archived a file of its log; 0 if it archives no log.',
      },
    ],
    text: `select f.family, null as label, f.value
      from (
        select failed_count as failures,
          case when current_setting('archive_mode') = 'off' then 0
            else greatest(0, bourse_real_now() - extract(epoch from
              greatest(last_archived_time, pg_postmaster_start_time()))) end as age
        from pg_stat_archiver
      ) a
      cross join lateral (
        values ('bourse_wal_archive_failures_total', a.failures::double precision),
          ('bourse_wal_archive_age_seconds', a.age)
      ) as f(family, value)`,
  },
]
