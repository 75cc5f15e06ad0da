import { type Db, statement } from '../../core/db/db.ts'

/** A month of the trail and its table. */
type MonthRow = { readonly name: string; readonly month: string }

const lockPartitions = statement<never>(null, "select pg_advisory_lock(hashtext('bourse audit partitions'))")

const listMissing = statement<{ name: string; first: string; next: string }>(
  null,
  `select to_char(m.first, '"audit_entries_"YYYYMM') as name, m.first::text as first,
     (m.first + interval '1 month')::date::text as next
   from (
     select (date_trunc('month', bourse_today()) + n * interval '1 month')::date as first
     from generate_series(0, $1::integer) n
   ) m
   where not exists (
     select
     from pg_inherits i
     join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'audit_entries'::regclass and c.relname = to_char(m.first, '"audit_entries_"YYYYMM')
   )
   order by m.first`,
)

// A month whose newest seal is older than entries are kept, and which has no entry without a seal.
const listOld = statement<MonthRow>(
  null,
  `select c.relname::text as name, m.month
   from pg_inherits i
   join pg_class c on c.oid = i.inhrelid
   cross join lateral (
     select to_char(to_date(substring(c.relname::text from '([0-9]{6})$'), 'YYYYMM'), 'YYYY-MM') as month
   ) m
   where i.inhparent = 'audit_entries'::regclass and m.month < to_char(bourse_today(), 'YYYY-MM')
     and not exists (
       select
       from audit_seals s
       where s.sealed_at >= bourse_now() - $1 and s.parts @> jsonb_build_array(jsonb_build_object('month', m.month))
     )
   order by m.month`,
)

/** Waits for the lock that one replica at a time holds to maintain the months, until its session ends. */
export async function acquireMonthLock(db: Db): Promise<void> {
  await db.row(lockPartitions)
}

/** Creates the missing tables of this month and the next ones; returns their names. */
export async function createMissingMonths(db: Db, monthsAhead: number): Promise<string[]> {
  const missing = await db.rows(listMissing, [monthsAhead])
  for (const { name, first, next } of missing) {
    // Attaching does not block writers; creating the partition in place would.
    await db.run(statement(null, `create table if not exists ${name} (like audit_entries including storage)`))
    await db.run(
      statement(null, `alter table audit_entries attach partition ${name} for values from ('${first}') to ('${next}')`),
    )
  }
  return missing.map(({ name }) => name)
}

/** Past months of which every seal is older than a time. */
export function listOldMonths(db: Db, keptSeconds: number): Promise<MonthRow[]> {
  return db.rows(listOld, [keptSeconds])
}

/** Whether a month has entries that no seal covers, or that are younger than a time. */
export async function isStillNeeded(db: Db, name: string, keptSeconds: number): Promise<boolean> {
  const row = await db.row(
    statement<{ needed: boolean }>(
      null,
      `select exists (
         select
         from ${name} e
         where e.write_order >= (select coalesce(max(until), 0) from audit_seals)
           or e.occurred_at >= (select bourse_now()) - $1
       ) as needed`,
    ),
    [keptSeconds],
  )
  return row?.needed ?? true
}

/** Drops the table of a month. */
export async function dropMonth(db: Db, name: string): Promise<void> {
  await db.run(statement(null, `drop table ${name}`))
}
