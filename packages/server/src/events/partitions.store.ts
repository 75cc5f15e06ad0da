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
    await run(db, `create table if not exists ${name} (like events including storage)`)
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

const takeSortingTurn = statement<{ taken: boolean; pid: number }>(
  null,
  "select pg_try_advisory_lock(hashtext('bourse event sorting')) as taken, pg_backend_pid() as pid",
)

const sortedMark = 'in the order of accounts'

// An hour after its end nothing that began in a day is still on its way into it.
const listUnsortedDays = statement<{ name: string; day: string; next: string }>(
  null,
  `select c.relname::text as name, d.day::text as day, (d.day + 1)::text as next
   from pg_inherits i join pg_class c on c.oid = i.inhrelid
   cross join lateral (
     select to_date(substring(c.relname::text from '^events_([0-9]{8})$'), 'YYYYMMDD') as day
   ) d
   where i.inhparent = 'events'::regclass and not i.inhdetachpending
     and extract(epoch from d.day + 1) + 3600 < bourse_real_now()
     and obj_description(c.oid, 'pg_class') is distinct from '${sortedMark}'
   order by d.day`,
)

const listIndexes = statement<{ text: string }>(
  null,
  "select pg_get_indexdef(indexrelid) as text from pg_index where indrelid = 'events'::regclass order by indexrelid",
)

/** Whether this session may sort days, as no other does; held until the session ends. And how to cancel it. */
export async function takeSortTurn(db: Db): Promise<{ taken: boolean; pid: number }> {
  return (await db.row(takeSortingTurn)) as { taken: boolean; pid: number }
}

/** Ends what a session is doing. */
export async function cancelSession(db: Db, pid: number): Promise<void> {
  await db.row(statement(null, 'select pg_cancel_backend($1)'), [pid])
}

/** Days that are over and lie as they were written, all accounts among one another. */
export function listUnsortedPartitions(db: Db): Promise<{ name: string; day: string; next: string }[]> {
  return db.rows(listUnsortedDays)
}

/**
 * Lays a day that is over in the order of its accounts: a copy is made beside it and put in its place at once. False
 * where there was no moment without readers before `pause` said to give up.
 */
export async function sortPartition(
  db: Db,
  { name, day, next }: { name: string; day: string; next: string },
  pause: () => Promise<boolean>,
): Promise<boolean> {
  const copy = `${name}_sorted`
  let isSwapped = false
  await run(db, 'begin')
  try {
    // Readers go on; nobody writes to a day that is over, and whoever tried would wait.
    await run(db, `lock table ${name} in share mode`)
    await run(db, `create table ${copy} (like events including storage)`)
    // Known to hold, so that attaching need not look at each row.
    await run(db, `alter table ${copy} add check (stored_on >= '${day}' and stored_on < '${next}')`)
    await run(db, `insert into ${copy} select * from ${name} order by account_id, occurred_at, position`)
    for (const { text } of await db.rows(listIndexes)) {
      await run(db, text.replace(/^CREATE INDEX \S+ ON (ONLY )?\S+/, `create index on ${copy}`))
    }
    await run(db, `analyze ${copy}`)
    do isSwapped = await trySwap(db, { name, copy, range: `from ('${day}') to ('${next}')` })
    while (!isSwapped && (await pause()))
    await run(db, isSwapped ? 'commit' : 'rollback')
  } catch (error) {
    await run(db, 'rollback')
    throw error
  }
  if (isSwapped) await run(db, `vacuum (freeze) ${name}`)
  return isSwapped
}

/** Puts the copy in the place of a day, unless that takes longer to begin than readers may be held up. */
async function trySwap(db: Db, { name, copy, range }: { name: string; copy: string; range: string }): Promise<boolean> {
  await run(db, 'savepoint swap')
  try {
    await run(db, "set local lock_timeout = '200ms'")
    await run(db, `alter table events detach partition ${name}`)
    await run(db, `alter table events attach partition ${copy} for values ${range}`)
    await run(db, `drop table ${name}`)
    await run(db, `alter table ${copy} rename to ${name}`)
    await run(db, `comment on table ${name} is '${sortedMark}'`)
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error
    await run(db, 'rollback to savepoint swap')
    return false
  }
}

function run(db: Db, text: string): Promise<number> {
  return db.run(statement(null, text))
}
