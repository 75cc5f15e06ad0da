/**
 * `npm run bench -- push webhook_rate webhook_first_try`: deliveries of webhooks to a receiver on this machine.
 * Rate: one server with a backlog of events, against undici alone that sends the same body to the same receiver.
 * First try: how long after its commit an event arrives at 200 events/s, then again with one receiver that hangs.
 */
import { pause } from '../../../packages/server/src/core/base/clock.ts'
import { mintId } from '../../../packages/server/src/core/base/ids.ts'
import { createCryptoRandom } from '../../../packages/server/src/core/base/random.ts'
import { type Database, openDatabase, statement } from '../../../packages/server/src/core/db/db.ts'
import { systemCommand } from '../../../packages/server/src/core/work/command.ts'
import { appendEvents } from '../../../packages/server/src/core/work/event-log.ts'
import { createAdminToken, makeAccount } from '../../../packages/server/src/iam/accounts/accounts.service.ts'
import { startChild } from '../child.ts'
import { type BenchPlace, makePlace } from '../event-world.ts'
import type { Row } from '../row.ts'

/** The rows of this file. */
export const webhookRowNames = ['webhook_rate', 'webhook_first_try', 'webhook_first_try_hanging']

type Account = { readonly id: string; readonly token: string }
type Receiver = { count: number; seconds: number; lags: number[] }

const accountCount = 10
const webhooksEach = 10
const backlog = 150
const concurrency = 64
const firstTryEvents = 2_000
const eventsPerSecond = 200
const random = createCryptoRandom()
const readClock = statement<{ now: number }>(null, 'select bourse_now() as now')

/** Measures the wanted rows. */
export async function* webhookRows(wanted: (name: string) => boolean): AsyncIterable<Row> {
  if (wanted('webhook_rate')) yield await rateRow()
  if (wanted('webhook_first_try') || wanted('webhook_first_try_hanging')) yield* await firstTryRows()
}

async function rateRow(): Promise<Row> {
  await using place = await makePlace({ pinned: false })
  await using database = openDatabase(place.target, { connections_max: 2 })
  const accounts = await makeAccounts(place)
  await using receiver = await startChild<{ port: number }, Receiver>('push/receiver-program.ts', {})
  await using baseline = await startChild<unknown, { seconds: number }>('push/undici-program.ts', {})
  const url = `http://127.0.0.1:${receiver.ready.port}`
  const total = accountCount * webhooksEach * backlog
  const body = JSON.stringify({ type: 'image.revoked', timestamp: 'x'.repeat(20), data: 'x'.repeat(280) })
  await baseline.ask({ url, body, total: 2_000, concurrency })
  const { seconds } = await baseline.ask({ url, body, total, concurrency })
  await receiver.ask('count')
  for (const { id } of accounts) await write(database, id, 1)
  await using server = await place.serve()
  const base = `http://127.0.0.1:${server.ready.port}`
  const cursors = new Map<string, string>()
  for (const account of accounts) {
    const { data } = await call(base, account, 'GET', '/preview/v2/events')
    cursors.set(account.id, data[0]?.cursor ?? '')
    await write(database, account.id, backlog)
  }
  for (const account of accounts) {
    const starting_after = cursors.get(account.id)
    for (let i = 0; i < webhooksEach; i++)
      await call(base, account, 'POST', '/preview/v2/webhooks', { url, starting_after })
  }
  let best = 0
  let got = await receiver.ask('count')
  for (let arrived = got.count; arrived < total; arrived += got.count) {
    await pause(1_000)
    got = await receiver.ask('count')
    // Webhooks are created one after the other, so the rate is that of a second in which all of them deliver.
    best = Math.max(best, got.seconds > 0.5 ? got.count / got.seconds : 0)
  }
  const against = total / seconds
  return { name: 'webhook_rate', ours: best, against, ratio: best / against, goal: 0.5, met: best / against >= 0.5 }
}

async function firstTryRows(): Promise<Row[]> {
  await using place = await makePlace({ pinned: false })
  await using database = openDatabase(place.target, { connections_max: 2 })
  const accounts = await makeAccounts(place)
  await using receiver = await startChild<{ port: number }, Receiver>('push/receiver-program.ts', {})
  await using server = await place.serve()
  const base = `http://127.0.0.1:${server.ready.port}`
  const url = `http://127.0.0.1:${receiver.ready.port}`
  for (const account of accounts) await call(base, account, 'POST', '/preview/v2/webhooks', { url })
  await pause(3_000)
  const alone = await firstTry(database, accounts, receiver)
  for (const account of accounts.slice(0, 1))
    await call(base, account, 'POST', '/preview/v2/webhooks', { url: `${url}/hang` })
  await pause(3_000)
  const hanging = await firstTry(database, accounts, receiver)
  const ratio = hanging / alone
  return [
    { name: 'webhook_first_try', ours: alone, against: 1, ratio: alone, goal: 1, met: alone <= 1 },
    { name: 'webhook_first_try_hanging', ours: hanging, against: alone, ratio, goal: 1.1, met: ratio <= 1.1 },
  ]
}

/** The 99th percentile of the seconds between the commit of an event and its arrival. */
async function firstTry(
  database: Database,
  accounts: readonly Account[],
  receiver: { ask(question: unknown): Promise<Receiver> },
): Promise<number> {
  await receiver.ask('count')
  const began = performance.now()
  for (let written = 0; written < firstTryEvents; written++) {
    await write(database, accounts[written % accounts.length]?.id as string, 1)
    await pause(Math.max(0, began + ((written + 1) * 1000) / eventsPerSecond - performance.now()))
  }
  await pause(3_000)
  const { lags } = await receiver.ask('count')
  const sorted = lags.toSorted((a, b) => a - b)
  return (sorted[Math.floor(sorted.length * 0.99)] ?? Number.POSITIVE_INFINITY) / 1000
}

function makeAccounts(place: BenchPlace): Promise<Account[]> {
  return place.prepare(async ({ runtime }) => {
    const made: Account[] = []
    for (let i = 0; i < accountCount; i++) {
      const id = `bench-${i}`
      const account = await systemCommand(runtime, async (ctx) => {
        const { workspace_id } = await makeAccount(ctx, { id, trust_level: 'partner' })
        return { id, token: (await createAdminToken(ctx, { account_id: id, workspace_id, name: 'bench' })).token }
      })
      made.push(account)
    }
    return made
  })
}

/** Writes events whose targets say when they were written. */
async function write({ reader }: Database, account_id: string, count: number): Promise<void> {
  const { now } = (await reader.row(readClock)) as { now: number }
  const about = { account_id, workspace_id: null, action: 'image.revoked', target_type: 'image' }
  const events = Array.from({ length: count }, () => ({
    ...about,
    id: mintId('evt', Date.now(), random) as `evt_${string}`,
    target_id: `at_${Date.now()}`,
  }))
  await appendEvents(reader, now, { type: 'system' }, events)
}

async function call(base: string, { token }: Account, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(base + path, { method, headers, ...sent })
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
  return (await response.json()) as { data: { cursor: string }[] }
}
