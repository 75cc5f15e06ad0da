import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createSeededRandom } from '../../src/core/base/random.ts'
import { statement } from '../../src/core/db/db.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import type { NewEvent } from '../../src/core/work/ctx.ts'
import { eventAudits } from '../../src/events/log/events.audit.ts'
import { closePastDays, keepPartitions } from '../../src/events/log/partitions.service.ts'
import { keepAuditMonths } from '../../src/iam/audit/partitions.service.ts'
import type { Server } from '../../src/server.ts'
import { filterLog, type LoggedEvent, type OracleFilters, readLog } from './filter-oracle.ts'
import { startReplicas } from './replicas.ts'

const random = createSeededRandom('closed days')
const replicas = await startReplicas(2)
const [{ runtime }] = replicas.servers as [Server]
const { database } = runtime
const account = await replicas.account('steady')
const mixed = await replicas.account('mixed')
const quiet = await replicas.call('create_workspace', { token: account.token, body: { name: 'quiet' } })
const busy = (await replicas.call('get_account', { token: account.token })).workspace.id

const readToday = statement<{ today: string }>(null, 'select bourse_today()::text as today')
const { today } = (await database.reader.row(readToday)) as { today: string }

/** Sets the date of the database back by some days, like a wrong clock. */
async function setBack(days: number): Promise<void> {
  const text = `create or replace function bourse_today() returns date language sql
    as $$ select date '${today}' - ${days} $$`
  await database.asOwner((db) => db.run(statement(null, text)))
  await keepPartitions(database)
  // In the first days of a month this is another month, and each write also has an entry in the audit trail.
  await keepAuditMonths(database)
}

function pick<T>(common: readonly T[], rare: T): T {
  return random.integer(20) === 0 ? rare : (common[random.integer(common.length)] as T)
}

function randomEvent(account_id: string): NewEvent {
  const target_type = pick(['instance', 'order'], 'image')
  return {
    account_id,
    workspace_id: pick([busy, busy, null], quiet.id),
    action: pick([`${target_type}.created`], `${target_type}.revoked`),
    target_type,
    target_id: pick(['inst_many', 'inst_more'], 'inst_rare'),
  }
}

async function write(account_id: string, count: number): Promise<void> {
  for (let written = 0; written < count; written += 10) {
    await systemCommand(runtime, async (ctx) => {
      for (let i = 0; i < 10; i++) ctx.emit(randomEvent(account_id))
    })
    await replicas.call('advance_clock', { body: { seconds: 1 } })
  }
}

const listDays = statement<{ day: string; events: number }>(
  null,
  `select (stored_on - $2::date)::text as day, count(*) as events
   from events
   where account_id = $1
   group by stored_on
   order by stored_on`,
)

async function daysOf({ id }: { id: string }): Promise<Record<string, number>> {
  const rows = await database.reader.rows(listDays, [id, today])
  return Object.fromEntries(rows.map(({ day, events }) => [day, events]))
}

const readOpen = statement<{ open: number }>(
  null,
  'select max(stored_on) + 1 - $1::date as open from closed_event_days',
)

const countPruned = statement<{ days: number }>(
  null,
  'select count(*) as days from event_summaries where account_id = $1 and is_before_later_days',
)

async function orderedDays({ id }: { id: string }): Promise<number | undefined> {
  return (await database.reader.row(countPruned, [id]))?.days
}

/** Every subset of the filters, with frequent values and with rare ones. */
function filterSets(log: readonly LoggedEvent[]): OracleFilters[] {
  const since = (log[30] as LoggedEvent).occurred_at
  const until = (log[log.length - 150] as LoggedEvent).occurred_at
  const frequent = { action: 'instance.created', target: 'inst_many', target_type: 'instance', since, until }
  const rare = { action: 'image.revoked', target: 'inst_rare', target_type: 'image', since, until }
  return [frequent, rare].flatMap((all) => {
    const entries = Object.entries(all)
    return Array.from({ length: 32 }, (_, bits) => Object.fromEntries(entries.filter((_entry, i) => bits & (1 << i))))
  })
}

/** Reads a list to its end in pages of random size, and again from the cursors of some events. */
async function checkList(token: string, filters: OracleFilters, expected: readonly LoggedEvent[]): Promise<void> {
  const cursors: (string | undefined)[] = [undefined]
  const check = async (from: number) => {
    const limit = 10 + random.integer(190)
    const query = { ...filters, limit, starting_after: cursors[from] }
    const { status, body } = await replicas.on(random.integer(2)).attempt('list_events', { query, token })
    assert.equal(status, 200, JSON.stringify(query))
    assert.deepEqual(
      body.data.map(({ id }) => id),
      expected.slice(from, from + limit).map(({ id }) => id),
      JSON.stringify(query),
    )
    assert.equal(body.has_more, from + limit < expected.length, JSON.stringify(query))
    return body.data.map(({ cursor }) => cursor)
  }
  while (cursors.length <= expected.length) cursors.push(...(await check(cursors.length - 1)))
  for (let i = 0; i < 6; i++) await check(random.integer(cursors.length))
}

async function checkAll(reader: { id: string; token: string }): Promise<void> {
  const log = await readLog(runtime, reader.id)
  for (const filters of filterSets(log)) await checkList(reader.token, filters, filterLog(log, filters))
}

await replicas.call('freeze_clock')

test('lists over closed days are complete with all filters, even if the date was set back', async () => {
  await setBack(4)
  await write(account.id, 100)
  await setBack(3)
  await write(account.id, 150)
  await write(mixed.id, 60)
  // The next events are stored in an earlier day than the ones before them.
  await setBack(4)
  await write(mixed.id, 200)
  await setBack(2)
  await write(account.id, 10)
  await write(mixed.id, 40)
  await setBack(0)
  await write(account.id, 190)
  await write(mixed.id, 140)
  assert.deepEqual(await daysOf(account), { '-4': 100, '-3': 150, '-2': 10, '0': 190 })
  assert.deepEqual(await daysOf(mixed), { '-4': 200, '-3': 60, '-2': 40, '0': 140 })
  assert.ok((await closePastDays(database)).length >= 3)
  assert.equal(await orderedDays(account), 3)
  assert.equal(await orderedDays(mixed), 2)
  await checkAll(account)
  await checkAll(mixed)
})

test('a reader of one workspace gets all of its events in closed days', async () => {
  const policy = { api_version: 'roles/v1', rules: [{ effect: 'allow', actions: { event: ['list'] } }] } as const
  const { token } = account
  const role = await replicas.call('create_role', { token, body: { name: 'reader', policy } })
  const body = { workspace: quiet.id, roles: [role.id] }
  const narrow = (await replicas.call('create_token', { token, body })).token
  const log = await readLog(runtime, account.id)
  for (const filters of filterSets(log)) await checkList(narrow, filters, filterLog(log, filters, [quiet.id]))
})

test('a token that is limited to resources gets no events of closed days', async () => {
  const body = { roles: ['role_admin'], resources: ['inst_x'] }
  const limited = (await replicas.call('create_token', { token: account.token, body })).token
  for (const filters of filterSets(await readLog(runtime, account.id))) await checkList(limited, filters, [])
})

test('a closed day accepts no events: if the date is set back, they are stored in the first open day', async () => {
  const before = await daysOf(account)
  // Yesterday is closed an hour after its end, so the first open day depends on the time of the test.
  const { open } = (await database.reader.row(readOpen, [today])) as { open: number }
  const firstOpen = String(open)
  const fresh = await replicas.account('fresh')
  await setBack(3)
  await write(account.id, 10)
  await write(fresh.id, 10)
  await setBack(0)
  assert.deepEqual(await daysOf(account), { ...before, [firstOpen]: (before[firstOpen] ?? 0) + 10 })
  assert.deepEqual(Object.keys(await daysOf(fresh)), [firstOpen])
  await assert.rejects(
    database.asOwner((db) =>
      db.run(
        statement(
          null,
          `insert into events (account_id, position, stored_on, occurred_at, id, action, target_type, target_id, body)
           values ('steady', 1000, bourse_today() - 3, 1, 'evt_late', 'a', 'b', 'c', '')`,
        ),
      ),
    ),
    /is_closed/,
  )
  await checkList(account.token, {}, await readLog(runtime, account.id))
})

test('the audit finds every difference between the summaries of closed days and the log', async () => {
  const audits = eventAudits.filter(({ name }) => name === 'events.summaries')
  const violations = async () => (await runAudit(database, audits)).flatMap(({ rows }) => rows).length
  assert.equal(await violations(), 0)
  for (const damage of [
    "delete from event_summaries where account_id = 'steady' and first_position = 1",
    "update event_summaries set last_position = last_position + 1 where account_id = 'steady' and kinds is not null",
    "update event_summaries set kinds = kinds - 0 where account_id = 'mixed'",
    "update event_summaries set kinds = jsonb_set(kinds, '{0,3}', '1000000') where account_id = 'mixed'",
    "update event_summaries set kinds = jsonb_set(kinds, '{0,1}', '\"none\"') where account_id = 'mixed'",
    "update event_summaries set is_before_later_days = true where account_id = 'mixed'",
  ]) {
    await database.asOwner(async (db) => {
      await db.run(statement(null, 'create temp table kept as select * from event_summaries'))
      await db.run(statement(null, damage))
      assert.ok((await violations()) > 0, damage)
      await db.run(statement(null, 'truncate event_summaries'))
      await db.run(statement(null, 'insert into event_summaries select * from kept'))
    })
  }
})
