import { type Db, type Statement, statement } from '../../core/db/db.ts'

/** A day of the log and its table. */
type DayPartitionRow = { readonly name: string; readonly day: string }

/** A day of the log and the next date. */
type DayRow = DayPartitionRow & { readonly next: string }

const lockPartitions = statement<never>(null, "select pg_advisory_lock(hashtext('bourse event partitions'))")

const listMissingDays = statement<DayRow>(
  null,
  `select d.day::text as day, (d.day + 1)::text as next, to_char(d.day, '"events_"YYYYMMDD') as name
   from (
     select bourse_today() + n as day
     from generate_series(0, $1::integer) n
   ) d
   where not exists (
     select
     from pg_inherits i
     join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'events'::regclass and c.relname = to_char(d.day, '"events_"YYYYMMDD')
   )
   order by d.day`,
)

const listPastDays = statement<DayPartitionRow & { is_detaching: boolean }>(
  null,
  `select c.relname::text as name, d.day::text as day, i.inhdetachpending as is_detaching
   from pg_inherits i
   join pg_class c on c.oid = i.inhrelid
   cross join lateral (
     select to_date(substring(c.relname::text from '^events_([0-9]{8})$'), 'YYYYMMDD') as day
   ) d
   where i.inhparent = 'events'::regclass and d.day < bourse_today()
   order by d.day`,
)

// Finds tables that an interrupted upkeep has detached: they keep their names.
const listDetachedDays = statement<{ name: string }>(
  null,
  `select c.relname::text as name
   from pg_class c
   where c.relkind = 'r' and c.relname ~ '^events_[0-9]{8}$' and c.relnamespace = current_schema()::regnamespace
     and not exists (
       select
       from pg_inherits i
       where i.inhrelid = c.oid
     )`,
)

/** Waits for the lock that one replica at a time holds to maintain partitions, until its session ends. */
export async function acquirePartitionLock(db: Db): Promise<void> {
  await db.row(lockPartitions)
}

/** Creates the missing partitions of today and the next days; returns their names. */
export async function createMissingPartitions(db: Db, daysAhead: number): Promise<string[]> {
  const missing = await db.rows(listMissingDays, [daysAhead])
  for (const { name, day, next } of missing) {
    // Attaching does not block writers; creating the partition in place would.
    await run(db, `create table if not exists ${name} (like events including storage)`)
    await db.run(
      statement(null, `alter table events attach partition ${name} for values from ('${day}') to ('${next}')`),
    )
  }
  return missing.map(({ name }) => name)
}

/** The partitions before today, oldest first. */
export function listPastPartitions(db: Db): Promise<(DayPartitionRow & { is_detaching: boolean })[]> {
  return db.rows(listPastDays)
}

/** Whether a day holds an event that occurred at or after a moment. */
export async function holdsEventsSince(db: Db, name: string, occurredAt: number): Promise<boolean> {
  const found = await db.row(
    statement<{ held: boolean }>(
      null,
      `select exists (
         select
         from ${name}
         where occurred_at >= $1
       ) as held`,
    ),
    [occurredAt],
  )
  return found?.held ?? true
}

/** Detaches a day and drops its table. Does not block readers and writers of other days. */
export async function dropPartition(db: Db, name: string, isDetaching: boolean): Promise<void> {
  await db.run(
    statement(null, `alter table events detach partition ${name} ${isDetaching ? 'finalize' : 'concurrently'}`),
  )
  await db.run(statement(null, `drop table ${name}`))
}

/** Drops tables that an interrupted upkeep has detached. */
export async function dropDetachedPartitions(db: Db): Promise<void> {
  for (const { name } of await db.rows(listDetachedDays)) await db.run(statement(null, `drop table ${name}`))
}

const tryLockForClosing = statement<{ taken: boolean; pid: number }>(
  null,
  "select pg_try_advisory_lock(hashtext('bourse event days')) as taken, pg_backend_pid() as pid",
)

// An hour after the end of a day, every transaction that began in it has ended.
const listOpenDays = statement<DayRow>(
  null,
  `select c.relname::text as name, d.day::text as day, (d.day + 1)::text as next
   from pg_inherits i
   join pg_class c on c.oid = i.inhrelid
   cross join lateral (
     select to_date(substring(c.relname::text from '^events_([0-9]{8})$'), 'YYYYMMDD') as day
   ) d
   where i.inhparent = 'events'::regclass and not i.inhdetachpending
     and extract(epoch from d.day + 1) + 3600 < bourse_real_now()
     and not exists (
       select
       from closed_event_days c
       where c.stored_on = d.day
     )
   order by d.day`,
)

const listIndexes = statement<{ text: string }>(
  null,
  `select pg_get_indexdef(indexrelid) as text
   from pg_index
   where indrelid = 'events'::regclass
   order by indexrelid`,
)

/** Tries to take the lock for closing days, held until the session ends. Also returns the process id of the session. */
export async function tryAcquireClosingLock(db: Db): Promise<{ taken: boolean; pid: number }> {
  return (await db.row(tryLockForClosing)) as { taken: boolean; pid: number }
}

/** Cancels the running statement of a session. */
export async function cancelSession(db: Db, pid: number): Promise<void> {
  await db.row(statement(null, 'select pg_cancel_backend($1)'), [pid])
}

/** Past days that are not closed, oldest first. */
export function listOpenPastDays(db: Db): Promise<DayRow[]> {
  return db.rows(listOpenDays)
}

/**
 * Closes a past day: builds a copy that is sorted by account and swaps it for the original in one transaction. Returns
 * false if readers prevented the swap until `waitToRetry` returned false.
 */
export async function closePartition(
  db: Db,
  { name, day, next }: DayRow,
  waitToRetry: () => Promise<boolean>,
): Promise<boolean> {
  const copy = `${name}_sorted`
  let isSwapped = false
  await run(db, 'begin')
  try {
    // `share` blocks writers, which a past day no longer has, and not readers.
    await run(db, `lock table ${name} in share mode`)
    await buildDay(db, { name: copy, day, next }, `select * from ${name} order by account_id, occurred_at, position`)
    await closeDay(db, { name: copy, day })
    do isSwapped = await trySwap(db, { name, copy, range: `from ('${day}') to ('${next}')` })
    while (!isSwapped && (await waitToRetry()))
    await run(db, isSwapped ? 'commit' : 'rollback')
  } catch (error) {
    await run(db, 'rollback')
    throw error
  }
  if (isSwapped) await run(db, `vacuum (freeze) ${name}`)
  return isSwapped
}

/** Creates a table with the events of a query, stored in its order, ready to be attached as a day. */
export async function buildDay(db: Db, { name, day, next }: DayRow, events: string): Promise<void> {
  await run(db, `create table ${name} (like events including storage)`)
  // With this constraint, attaching does not scan the table.
  await run(db, `alter table ${name} add check (stored_on >= '${day}' and stored_on < '${next}')`)
  await run(db, `insert into ${name} ${events}`)
  for (const { text } of await db.rows(listIndexes)) {
    await run(db, text.replace(/^CREATE INDEX \S+ ON (ONLY )?\S+/, `create index on ${name}`))
  }
  await run(db, `analyze ${name}`)
}

/**
 * The most kinds of events that a summary lists, so that it is cheap to read. Most accounts have a dozen kinds a day.
 */
const kindsMax = 64

const insertClosedDay = statement<never>(
  null,
  `insert into closed_event_days (stored_on)
   values ($1)`,
)

function insertSummaries(table: string): Statement<never> {
  return statement(
    null,
    `insert into event_summaries (account_id, stored_on, first_position, first_at, last_position, last_at,
       is_before_later_days, kinds)
     select s.account_id, $1::date, s.first_position, s.first_at, s.last_position, s.last_at,
       not exists (
         select
         from events e
         where e.account_id = s.account_id and e.stored_on > $1::date
           and (e.occurred_at, e.position) < (s.last_at, s.last_position)
       ),
       s.kinds
     from (
       select account_id, min(first_position) as first_position, min(first_at) as first_at,
         max(last_position) as last_position, max(last_at) as last_at,
         case
           when count(*) <= ${kindsMax} then jsonb_agg(jsonb_build_array(workspace, action, target_type, events))
         end as kinds
       from (
         select account_id, coalesce(workspace_id, '') as workspace, action, target_type, count(*) as events,
           min(position) as first_position, min(occurred_at) as first_at, max(position) as last_position,
           max(occurred_at) as last_at
         from ${table}
         group by account_id, workspace, action, target_type
       ) k
       group by account_id
     ) s`,
  )
}

const dropSummaries = statement<never>(
  null,
  `delete from event_summaries
   where stored_on <= $1`,
)
const dropClosedDays = statement<never>(
  null,
  `delete from closed_event_days
   where stored_on <= $1 and stored_on < (select max(stored_on) from closed_event_days)`,
)

/**
 * Marks the day of a table as closed and stores the summaries of its accounts. All transactions that add events to the
 * day must have ended, and the closed day must become visible only together with its table.
 */
export async function closeDay(db: Db, { name, day }: { name: string; day: string }): Promise<void> {
  // `not valid` rejects new rows and does not check existing ones. A writer that adds to a closed day fails, so readers
  // miss no event.
  await db.run(statement(null, `alter table ${name} add constraint is_closed check (false) not valid`))
  await db.run(insertClosedDay, [day])
  await db.run(insertSummaries(name), [day])
}

/** Deletes the summaries up to a day. The row of the newest closed day is always kept. */
export async function forgetClosedDays(db: Db, day: string): Promise<void> {
  await db.run(dropClosedDays, [day])
  await db.run(dropSummaries, [day])
}

/**
 * Swaps a day for its copy. Returns false if the lock for that is not free within 200 ms, so that readers do not wait.
 */
async function trySwap(db: Db, { name, copy, range }: { name: string; copy: string; range: string }): Promise<boolean> {
  await run(db, 'savepoint swap')
  try {
    await run(db, "set local lock_timeout = '200ms'")
    await run(db, `alter table events detach partition ${name}`)
    await run(db, `alter table events attach partition ${copy} for values ${range}`)
    await run(db, `drop table ${name}`)
    await run(db, `alter table ${copy} rename to ${name}`)
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

const readClock = statement<{ now: number }>('events.read_clock', 'select bourse_now() as now')

/** The business clock. */
export async function readBusinessClock(db: Db): Promise<number> {
  return ((await db.row(readClock)) as { now: number }).now
}
