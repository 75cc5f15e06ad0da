import { type Db, statement } from '../core/db.ts'

/** A day of the log: the table that holds it. */
export type PartitionRow = { readonly name: string; readonly day: string }

const takeTurn = statement<never>(null, "select pg_advisory_lock(hashtext('bourse event partitions'))")

const listMissingDays = statement<{ day: string; next: string; name: string }>(
  null,
  `select d.day::text as day, (d.day + 1)::text as next, to_char(d.day, '"events_"YYYYMMDD') as name
   from (select bourse_today() + n as day from generate_series(0, $1::integer) n) d
   where not exists (
     select from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'events'::regclass and c.relname = to_char(d.day, '"events_"YYYYMMDD'))
   order by d.day`,
)

const listPastDays = statement<PartitionRow & { is_detaching: boolean }>(
  null,
  `select c.relname::text as name, d.day::text as day, i.inhdetachpending as is_detaching
   from pg_inherits i join pg_class c on c.oid = i.inhrelid
   cross join lateral (select to_date(substring(c.relname::text from '^events_([0-9]{8})$'), 'YYYYMMDD') as day) d
   where i.inhparent = 'events'::regclass and d.day < bourse_today()
   order by d.day`,
)

// A table that was cut off from the log, by an upkeep that was interrupted, keeps its name.
const listDetachedDays = statement<{ name: string }>(
  null,
  `select c.relname::text as name from pg_class c
   where c.relkind = 'r' and c.relname ~ '^events_[0-9]{8}$' and c.relnamespace = current_schema()::regnamespace
     and not exists (select from pg_inherits i where i.inhrelid = c.oid)`,
)

/** Waits until no other replica is at it. Held until the session ends. */
export async function takePartitionTurn(db: Db): Promise<void> {
  await db.row(takeTurn)
}

/** Makes the partitions of today and the days ahead that are missing. */
export async function createMissingPartitions(db: Db, days_ahead: number): Promise<string[]> {
  const missing = await db.rows(listMissingDays, [days_ahead])
  for (const { name, day, next } of missing) {
    // Attaching lets writers go on; creating it in place would stop them all.
    await db.run(statement(null, `create table if not exists ${name} (like events including storage)`))
    await db.run(
      statement(null, `alter table events attach partition ${name} for values from ('${day}') to ('${next}')`),
    )
  }
  return missing.map(({ name }) => name)
}

/** Days before today, oldest first. */
export function listPastPartitions(db: Db): Promise<(PartitionRow & { is_detaching: boolean })[]> {
  return db.rows(listPastDays)
}

/** Whether a day holds an event that occurred at or after a moment. */
export async function holdsEventsSince(db: Db, name: string, occurred_at: number): Promise<boolean> {
  const found = await db.row(
    statement<{ held: boolean }>(null, `select exists (select from ${name} where occurred_at >= $1) as held`),
    [occurred_at],
  )
  return found?.held ?? true
}

/** Cuts a day off and removes it; readers and writers of other days go on. */
export async function dropPartition(db: Db, name: string, is_detaching: boolean): Promise<void> {
  await db.run(
    statement(null, `alter table events detach partition ${name} ${is_detaching ? 'finalize' : 'concurrently'}`),
  )
  await db.run(statement(null, `drop table ${name}`))
}

/** Removes tables that an interrupted upkeep had cut off. */
export async function dropDetachedPartitions(db: Db): Promise<void> {
  for (const { name } of await db.rows(listDetachedDays)) await db.run(statement(null, `drop table ${name}`))
}
