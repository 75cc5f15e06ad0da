import assert from 'node:assert/strict'
import { test } from 'vitest'
import { statement } from '../../src/core/db/db.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import { beginCursorGeneration } from '../../src/events/log/cursor-keys.service.ts'
import { closePastDays, keepPartitions } from '../../src/events/log/partitions.service.ts'
import type { Server } from '../../src/server.ts'
import type { OracleFilters } from './filter-oracle.ts'
import { type ReplicaAccount, startReplicas } from './replicas.ts'

const week = 7 * 86_400
const replicas = await startReplicas(3)
const [{ runtime }] = replicas.servers as [Server]
const { database } = runtime
let accounts = 0

const readFirstDay = statement<{ day: string }>(
  null,
  `select to_date(substring(min(c.relname::text) from 8), 'YYYYMMDD')::text as day
   from pg_inherits i
   join pg_class c on c.oid = i.inhrelid
   where i.inhparent = 'events'::regclass`,
)

/** The day on which the servers created their partitions remains the date of the database, also at midnight. */
async function stopDate(): Promise<void> {
  const { day } = (await database.reader.row(readFirstDay)) as { day: string }
  const text = `create or replace function bourse_today() returns date language sql as $$ select date '${day}' $$`
  await database.asOwner((db) => db.run(statement(null, text)))
}

async function newAccount(): Promise<ReplicaAccount> {
  accounts += 1
  return replicas.account(`kept-${accounts}`)
}

async function emit({ id }: ReplicaAccount, count = 1): Promise<void> {
  await systemCommand(runtime, async (ctx) => {
    const event = {
      account_id: id,
      workspace_id: null,
      action: 'image.revoked',
      target_type: 'image',
      target_id: 'image_1',
    }
    for (let i = 0; i < count; i++) ctx.emit(event)
  })
}

async function advance(seconds: number): Promise<void> {
  await replicas.call('advance_clock', { body: { seconds } })
}

type Verdict = { status: number; seen?: number }

/** The response of every replica. Fails unless all are the same. */
async function verified({ token }: ReplicaAccount, filters: OracleFilters, starting_after?: string): Promise<Verdict> {
  const query = { ...filters, limit: 200, starting_after }
  const responses = await Promise.all(
    [0, 1, 2].map((replica) => replicas.on(replica).attempt('list_events', { query, token })),
  )
  const verdicts = responses.map(({ status, body }) =>
    status === 200 ? { status, seen: body.data.length } : { status },
  )
  for (const verdict of verdicts) assert.deepEqual(verdict, verdicts[0])
  return verdicts[0] as Verdict
}

async function cursorOf({ token }: ReplicaAccount, filters: OracleFilters): Promise<string> {
  return (await replicas.call('list_events', { query: { ...filters, limit: 1 }, token })).cursor
}

await replicas.call('freeze_clock')
await stopDate()

test('events and cursors expire to the second, on all replicas and with all filters, without a purge', async () => {
  // More events than the tail holds, so that the first ones are read from the database.
  const account = await newAccount()
  await emit(account, 150)
  const { now } = await replicas.call('get_clock')
  await advance(2)
  await emit(account, 10)
  const sets: OracleFilters[] = [
    {},
    { action: 'image.revoked' },
    { target: 'image_1', since: now - 5 },
    { target_type: 'image', until: now + 5 },
    { since: now + 1 },
  ]
  const cursors = await Promise.all(sets.map((filters) => cursorOf(account, filters)))
  const verifyAll = () => Promise.all(sets.map((filters) => verified(account, filters)))
  const verifyCursors = () => Promise.all(sets.map((filters, i) => verified(account, filters, cursors[i])))
  const whole = [160, 160, 160, 160, 10].map((seen) => ({ status: 200, seen }))
  const late = sets.map(() => ({ status: 200, seen: 10 }))
  await advance(week - 3)
  assert.deepEqual(await verifyAll(), whole)
  await advance(1)
  assert.deepEqual(await verifyAll(), whole)
  assert.deepEqual(
    await verifyCursors(),
    [159, 159, 159, 159, 9].map((seen) => ({ status: 200, seen })),
  )
  await advance(1)
  assert.deepEqual(await verifyAll(), late)
  assert.deepEqual(
    await verifyCursors(),
    [410, 410, 410, 410, 200].map((status) => (status === 200 ? { status, seen: 9 } : { status })),
  )
  await advance(2)
  assert.deepEqual(
    await verifyAll(),
    sets.map(() => ({ status: 200, seen: 0 })),
  )
  assert.deepEqual(
    await verifyCursors(),
    sets.map(() => ({ status: 410 })),
  )
  // An invalid cursor is refused as invalid, even if it is also too old.
  assert.equal((await verified(account, { action: 'x' }, cursors[0])).status, 400)
})

test('a new generation of cursor keys ends all older cursors on all replicas at once', async () => {
  const account = await newAccount()
  await emit(account, 3)
  const cursor = await cursorOf(account, {})
  assert.deepEqual(await verified(account, {}, cursor), { status: 200, seen: 2 })
  await systemCommand(runtime, (ctx) => beginCursorGeneration(ctx.db, ctx.now))
  assert.deepEqual(await verified(account, {}, cursor), { status: 410 })
  assert.deepEqual(await verified(account, { action: 'x' }, cursor), { status: 400 })
  const fresh = await cursorOf(account, {})
  assert.deepEqual(await verified(account, {}, fresh), { status: 200, seen: 2 })
})

const listPartitions = statement<{ day: number }>(
  null,
  `select to_date(substring(c.relname::text from 8), 'YYYYMMDD') - bourse_today() as day
   from pg_inherits i
   join pg_class c on c.oid = i.inhrelid
   where i.inhparent = 'events'::regclass
   order by 1`,
)

async function days(): Promise<number[]> {
  return (await database.reader.rows(listPartitions)).map(({ day }) => day)
}

/** Creates a past day with one event that occurred `secondsAgo`. */
async function makePastDay(daysAgo: number, secondsAgo: number): Promise<void> {
  await database.asOwner(async (db) => {
    const day = `bourse_today() - ${daysAgo}`
    const made = await db.row(
      statement<{ sql: string }>(
        null,
        `select format('create table %I partition of events for values from (%L) to (%L)',
      to_char(${day}, '"events_"YYYYMMDD'), ${day}, ${day} + 1) as sql`,
      ),
    )
    await db.run(statement(null, (made as { sql: string }).sql))
    await db.run(
      statement(
        null,
        `insert into events (account_id, position, stored_on, occurred_at, id, action, target_type, target_id, body)
      values ('past', ${100 - daysAgo}, ${day}, bourse_now() - ${secondsAgo}, 'evt_past${daysAgo}', 'a', 'b',
        'c', '')`,
      ),
    )
  })
}

test('days are created three days ahead, and dropped seven days and an hour after their newest event', async () => {
  assert.deepEqual(await days(), [0, 1, 2, 3])
  await makePastDay(9, week + 3_601)
  await makePastDay(8, week + 3_600)
  await makePastDay(7, week - 5)
  assert.deepEqual(await days(), [-9, -8, -7, 0, 1, 2, 3])
  const { dropped } = await keepPartitions(database)
  assert.equal(dropped.length, 1)
  assert.deepEqual(await days(), [-8, -7, 0, 1, 2, 3])
  await advance(1)
  assert.equal((await keepPartitions(database)).dropped.length, 1)
  assert.deepEqual(await keepPartitions(database), { created: [], dropped: [] })
  assert.deepEqual(await days(), [-7, 0, 1, 2, 3])
})

test('replicas can maintain the partitions concurrently', async () => {
  await database.asOwner((db) =>
    db.run(
      statement(
        null,
        `do $$ begin execute (
    select string_agg(format('drop table %I;', c.relname), ' ') from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass and c.relname > to_char(bourse_today(), '"events_"YYYYMMDD')); end $$`,
      ),
    ),
  )
  assert.deepEqual(await days(), [-7, 0])
  const kept = await Promise.all(replicas.servers.map(({ runtime: own }) => keepPartitions(own.database)))
  assert.equal(kept.flatMap(({ created }) => created).length, 3)
  assert.deepEqual(await days(), [-7, 0, 1, 2, 3])
})

/** Creates a past day with events of many accounts, stored in the order of their times. */
async function fillPastDay(daysAgo: number, accounts: readonly ReplicaAccount[], each: number): Promise<void> {
  await makePastDay(daysAgo, week)
  const ids = accounts.map(({ id }) => `'${id}'`).join(', ')
  await database.asOwner(async (db) => {
    await db.run(
      statement(
        null,
        `insert into events (account_id, position, stored_on, occurred_at, id, action, target_type, target_id, body)
         select a, n, bourse_today() - ${daysAgo}, bourse_now() - 1000 + n,
           'evt_' || a || n, 'image.revoked', 'image', 'image_1',
           '{"object":"event","id":"evt_' || a || n || '","cursor":"'
         from generate_series(1, ${each}) n cross join unnest(array[${ids}]) a order by n`,
      ),
    )
    await db.run(
      statement(
        null,
        `update event_counters set position = ${each}, occurred_at = bourse_now() where account_id in (${ids})`,
      ),
    )
  })
}

const countScattered = statement<{ scattered: number }>(
  null,
  `select count(*) as scattered from (
     select account_id, occurred_at, position, lag((account_id, occurred_at, position)) over (order by ctid) as before
     from events where stored_on = bourse_today() - $1::integer
   ) e where before > (account_id, occurred_at, position)`,
)

test('closing a day sorts it by account, and concurrent readers get correct pages', async () => {
  const accounts = await Promise.all(Array.from({ length: 12 }, newAccount))
  await fillPastDay(5, accounts, 400)
  const scattered = async () => (await database.reader.row(countScattered, [5]))?.scattered
  assert.ok(((await scattered()) ?? 0) > 1000)
  let isOver = false
  let pages = 0
  const readers = accounts.slice(0, 6).map(async ({ token }, replica) => {
    while (!isOver) {
      const { body } = await replicas.on(replica % 3).attempt('list_events', { query: { limit: 200, since: 1 }, token })
      const ids = body.data.map(({ id }) => id)
      assert.equal(new Set(ids).size, 200)
      pages++
    }
  })
  const sorted = await Promise.all(replicas.servers.map(({ runtime: own }) => closePastDays(own.database)))
  isOver = true
  await Promise.all(readers)
  assert.ok(pages > 0)
  assert.equal(sorted.flat().length, 2)
  assert.equal(await scattered(), 0)
  assert.deepEqual(await days(), [-7, -5, 0, 1, 2, 3])
  assert.deepEqual(await closePastDays(database), [])
  for (const { token } of accounts) {
    const { data } = await replicas.call('list_events', { query: { limit: 200, target: 'image_1' }, token })
    assert.equal(data.length, 200)
  }
})
