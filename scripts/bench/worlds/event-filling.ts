// Fills the event log as a week of operation would: past days are ordered by account, and the events of today are in
// the order of writing, with all accounts interleaved. Each event is a copy of one that the server wrote, so that it
// has every column, and its text is rendered as that of the server.
import { type Db, statement } from '../../../packages/server/src/core/db/db.ts'
import { renderEvent } from '../../../packages/server/src/core/work/event-log.ts'
import type { Runtime } from '../../../packages/server/src/core/work/runtime.ts'
import { buildDay, closeDay } from '../../../packages/server/src/events/log/partitions.store.ts'
import type { MadeAccount } from './accounts.ts'
import { columnsOf } from './multiplied-rows.ts'

/** One account of the world. Its events have the positions 1 to `events`. */
export type BenchAccount = MadeAccount & { readonly events: number }

/**
 * When the events of an account occurred: `count` events spread evenly over the week that ends within the hour. One in
 * `rare_every` is about the account itself.
 */
export type Timing = { readonly first: number; readonly count: number; readonly rare_every: number }

type Day = { readonly name: string; readonly day: string; readonly next: string; readonly is_over: boolean }

const week = 7 * 86_400
const span = week - 3600
/** The number of days that are filled at the same time, one per core. */
const workers = 2

/** The second in which the event at a position occurred. */
export function momentOf({ first, count }: Timing, position: number): number {
  return first + Math.floor(((position - 1) * span) / count)
}

/** Fills the log for accounts with equally many events, one in `rare_every` about the account itself. */
export async function fillLog(
  { database }: Runtime,
  accounts: readonly BenchAccount[],
  rare_every: number,
): Promise<Timing> {
  const count = accounts[0]?.events ?? 0
  const { first, days, columns } = await database.asOwner(async (db) => {
    await db.run(makeAccountsTable, [
      JSON.stringify(accounts.map(({ id, workspace_id }, n) => ({ n, id, workspace_id }))),
    ])
    await db.run(keepEvent)
    await db.run(dropToday)
    const { first } = (await db.row(readFirst)) as { first: number }
    return { first, days: await db.rows(listDays), columns: await columnsOf(db, 'events') }
  })
  const timing = { first, count, rare_every }
  // Today comes last: it is the smallest day, so no worker waits long for the other.
  const next = days.values()
  const work = (db: Db) => fillDays(db, next, { ...timing, accounts: accounts.length, columns })
  await Promise.all(Array.from({ length: workers }, () => database.asOwner(work)))
  await database.asOwner(async (db) => {
    await db.run(raiseCounters, [count, momentOf(timing, count)])
    await db.run(dropTables)
    await db.run(statement(null, 'checkpoint'))
  })
  return timing
}

const makeAccountsTable = statement<never>(
  null,
  `create table bench_accounts as select * from jsonb_to_recordset($1::jsonb)
   as a(n integer, id text, workspace_id text)`,
)
const keepEvent = statement<never>(null, 'create table bench_event as select * from events limit 1')
// The start of the server has created partitions, including that of today.
const dropToday = statement<never>(
  null,
  `do $$ begin execute (
     select coalesce(string_agg(format('drop table %I', c.relname), ';'), '') from pg_inherits i
     join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'events'::regclass and c.relname <= to_char(bourse_today(), '"events_"YYYYMMDD')); end $$`,
)
const readFirst = statement<{ first: number }>(null, `select bourse_now() - ${span + 1800} as first`)
const listDays = statement<Day>(
  null,
  `select to_char(day, '"events_"YYYYMMDD') as name, day::text as day, (day + 1)::text as next,
     extract(epoch from day + 1) + 3600 < bourse_real_now() as is_over
   from (select bourse_today() - n as day from generate_series(8, 0, -1) n) d order by day`,
)
const raiseCounters = statement<never>(
  null,
  `update event_counters c set position = $1, occurred_at = $2 from bench_accounts a where a.id = c.account_id`,
)
const dropTables = statement<never>(null, 'drop table bench_accounts, bench_event')

type Filling = Timing & { readonly accounts: number; readonly columns: readonly string[] }

async function fillDays(db: Db, days: Iterable<Day>, filling: Filling): Promise<void> {
  await db.run(statement(null, "set work_mem = '64MB'"))
  for (const { name, day, next, is_over } of days) {
    // With `wal_level = minimal`, rows of a table that the same transaction created are written only once.
    await db.run(statement(null, 'begin'))
    await buildDay(db, { name, day, next }, eventsOf(filling, { day, next }, is_over))
    if (is_over) await closeDay(db, { name, day })
    await db.run(statement(null, 'commit'))
    await db.run(
      statement(null, `alter table events attach partition ${name} for values from ('${day}') to ('${next}')`),
    )
    await db.run(statement(null, `vacuum (freeze) ${name}`))
  }
}

/** The first position whose event occurred on a day or later. */
function positionAt({ first, count }: Timing, day: string): number {
  return Math.ceil(((Date.parse(`${day}T00:00:00Z`) / 1000 - first) * count) / span) + 1
}

/** The text of an event as SQL that joins columns of `e`. */
function bodyText(): string {
  const event = { id: '<event>', action: '<action>', target_type: '<type>', target_id: '<target>' }
  const place = { account_id: '<account>', workspace_id: null }
  const { head, tail } = renderEvent({ ...event, ...place }, { type: 'token', id: 'tokn_0123456789abcdefghijk' })
  const pieces = `${head}<at>${tail}`.split(/<(\w+)>/)
  return pieces.map((piece, index) => (index % 2 === 0 ? `'${piece}'` : `e.${piece}`)).join(' || ')
}

/** Most events are about instances. */
function eventsOf(filling: Filling, { day, next }: { day: string; next: string }, isOver: boolean): string {
  const { first, count, rare_every, accounts, columns } = filling
  const isRare = `p % ${rare_every} = 7`
  const from = Math.max(1, positionAt(filling, day))
  const to = Math.min(count, positionAt(filling, next) - 1)
  const target = `case when ${isRare} then id else 'inst_' || lpad(((p / 3) * ${accounts} + n)::text, 21, '0') end`
  const changes: Readonly<Record<string, string>> = {
    account_id: 'e.id',
    position: 'e.p',
    stored_on: `'${day}'::date`,
    occurred_at: 'e.at',
    id: 'e.event',
    action: 'e.action',
    actor_token_id: 'null',
    target_type: 'e.type',
    target_id: 'e.target',
    workspace_id: 'e.workspace_id',
    body: bodyText(),
  }
  return `select ${columns.map((name) => changes[name] ?? `t.${name}`).join(', ')}
    from bench_event t
    cross join (
      select id, p, ${first} + (p - 1) * ${span} / ${count} as at,
        'evt_' || lpad((p * ${accounts} + n)::text, 21, '0') as event,
        case when ${isRare} then null else workspace_id end as workspace_id,
        case when ${isRare} then 'account' else 'instance' end as type,
        case when ${isRare} then 'trust_level.updated'
          else (array['instance.created', 'instance.running', 'instance.terminated'])[p % 3 + 1] end as action,
        ${target} as target
      from (
        select * from bench_accounts cross join generate_series(${from}::bigint, ${to}::bigint) p
        order by ${isOver ? 'id collate "C", p' : 'p, n'}
      ) placed
    ) e`
}
