import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createSeededRandom } from '../../src/core/base/random.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import type { NewEvent } from '../../src/core/work/ctx.ts'
import type { Server } from '../../src/server.ts'
import { sized } from '../support/size.ts'
import { filterLog, type LoggedEvent, type OracleFilters, readLog } from './filter-oracle.ts'
import { startReplicas } from './replicas.ts'

const events = sized(300, 202)
const random = createSeededRandom('filters')
const replicas = await startReplicas(2)
const [{ runtime }] = replicas.servers as [Server]
const account = await replicas.account('filtered')
const quiet = await replicas.call('create_workspace', { token: account.token, body: { name: 'quiet' } })
const busy = (await replicas.call('get_account', { token: account.token })).workspace.id
const narrow = await narrowToken()

/** Picks a common value, or sometimes the rare one. */
function pick<T>(common: readonly T[], rare: T): T {
  return random.integer(25) === 0 ? rare : (common[random.integer(common.length)] as T)
}

function randomEvent(): NewEvent {
  const target_type = pick(['instance', 'order'], 'image')
  return {
    account_id: account.id,
    workspace_id: pick([busy, busy, null], quiet.id),
    action: pick([`${target_type}.created`], `${target_type}.revoked`),
    target_type,
    target_id: pick(['inst_many', 'inst_more'], 'inst_rare'),
  }
}

async function writeLog(): Promise<void> {
  let written = 0
  while (written < events) {
    const count = Math.min(1 + random.integer(4), events - written)
    await systemCommand(runtime, async (ctx) => {
      for (let i = 0; i < count; i++) ctx.emit(randomEvent())
    })
    written += count
    if (random.integer(3) === 0) await replicas.call('advance_clock', { body: { seconds: 1 + random.integer(3) } })
  }
}

/** A token that may list events only in the quiet workspace. */
async function narrowToken(): Promise<string> {
  const { token } = account
  const policy = { api_version: 'roles/v1', rules: [{ effect: 'allow', actions: { event: ['list'] } }] } as const
  const role = await replicas.call('create_role', { token, body: { name: 'reader', policy } })
  const body = { workspace: quiet.id, roles: [role.id] }
  return (await replicas.call('create_token', { token, body })).token
}

/** Every subset of the five filters, once with frequent values and once with rare ones. */
function filterSets(log: readonly LoggedEvent[]): OracleFilters[] {
  const early = log[20] as LoggedEvent
  const late = log[events - 20] as LoggedEvent
  const middle = log[events / 2] as LoggedEvent
  const frequent = {
    action: 'instance.created',
    target: 'inst_many',
    target_type: 'instance',
    since: early.occurred_at,
    until: late.occurred_at,
  }
  const rare = {
    action: 'image.revoked',
    target: 'inst_rare',
    target_type: 'image',
    since: middle.occurred_at,
    until: middle.occurred_at + 3,
  }
  return [frequent, rare].flatMap((all) => {
    const entries = Object.entries(all)
    return Array.from({ length: 32 }, (_, bits) => Object.fromEntries(entries.filter((_entry, i) => bits & (1 << i))))
  })
}

type FilterReader = { token: string; expected: readonly LoggedEvent[]; filters: OracleFilters }

async function checkPage(
  { token, expected, filters }: FilterReader,
  from: number,
  starting_after: string | undefined,
): Promise<string[]> {
  const limit = 1 + random.integer(random.integer(4) === 0 ? 200 : 12)
  const query = { ...filters, limit, starting_after }
  const { status, body } = await replicas.on(random.integer(2)).attempt('list_events', { query, token })
  assert.equal(status, 200, JSON.stringify(query))
  const wanted = expected.slice(from, from + limit)
  assert.deepEqual(
    body.data.map(({ id }) => id),
    wanted.map(({ id }) => id),
    JSON.stringify(query),
  )
  assert.equal(body.has_more, from + limit < expected.length, JSON.stringify(query))
  assert.equal(body.cursor, body.data.at(-1)?.cursor, JSON.stringify(query))
  return body.data.map(({ cursor }) => cursor)
}

/** Reads a list from the start, and again from the cursor of each event. */
async function checkList(reader: FilterReader): Promise<number> {
  const cursors: string[] = []
  while (cursors.length < reader.expected.length)
    cursors.push(...(await checkPage(reader, cursors.length, cursors.at(-1))))
  for (const [index, cursor] of cursors.entries()) await checkPage(reader, index + 1, cursor)
  if (cursors.length === 0) await checkPage(reader, 0, undefined)
  return cursors.length
}

await replicas.call('freeze_clock')
await writeLog()
const log = await readLog(runtime, account.id)

test('every cursor continues with exactly the rest of its list, for every set of filters', async () => {
  const sets = filterSets(log)
  assert.equal(sets.length, 64)
  let tried = 0
  const readers = Array.from({ length: 8 }, async () => {
    for (let filters = sets.pop(); filters; filters = sets.pop()) {
      const count = await checkList({ token: account.token, expected: filterLog(log, filters), filters })
      tried += count
    }
  })
  await Promise.all(readers)
  assert.ok(tried > 6 * events, `only ${tried} cursors were tried`)
})

test('a reader of one workspace gets its events and the events of the account itself', async () => {
  const expected = filterLog(log, {}, [quiet.id])
  assert.ok(expected.length > 20 && expected.length < events / 2)
  for (const filters of [{}, { action: 'instance.created' }, { target_type: 'order' }, { target: 'inst_many' }]) {
    await checkList({ token: narrow, expected: filterLog(log, filters, [quiet.id]), filters })
  }
})

test('a cursor works for another reader of the account, who continues with the visible events', async () => {
  const all = await replicas.call('list_events', { query: { limit: 100 }, token: account.token })
  const at = log.findIndex(({ id }) => id === all.data.at(70).id)
  const expected = filterLog(log.slice(at + 1), {}, [quiet.id])
  const rest = await replicas.call('list_events', {
    query: { limit: 200, starting_after: all.data.at(70).cursor },
    token: narrow,
  })
  assert.deepEqual(
    rest.data.map(({ id }) => id),
    expected.slice(0, 200).map(({ id }) => id),
  )
})

test('an event has the same bytes from every replica, before and after later events', async () => {
  const pages: string[] = []
  for (const replica of [0, 1, 0]) {
    const { body } = await replicas.on(replica).attempt('list_events', { query: { limit: 200 }, token: account.token })
    pages.push(JSON.stringify(body.data))
    await systemCommand(runtime, async (ctx) => ctx.emit(randomEvent()))
  }
  assert.equal(new Set(pages).size, 1)
})
