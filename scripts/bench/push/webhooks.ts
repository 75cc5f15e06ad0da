/**
 * `npm run bench -- push webhook_rate webhook_first_try`: deliveries of webhooks to a receiver on this machine.
 * Rate: one server with a backlog of events, against undici alone that sends one of its messages, with all its headers,
 * to the same receiver.
 * First try: how long after its commit an event arrives at 200 events/s, in turns with and without a receiver that
 * hangs.
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
import { median } from '../turns.ts'

type Account = { readonly id: string; readonly token: string }
type Receiver = { count: number; first: number; last: number; lags: number[]; message?: object }

const accountCount = 10
/** Each delivers 50 a second at most, which must not be what limits the rate. */
const rateWebhooks = 400
/** The webhooks of an account where they share its messages. */
const sharing = 10
const backlog = 100
const rateRounds = 3
const baselineTotal = 40_000
const concurrency = 64
const firstTryEvents = 2_000
const firstTryRounds = 3
const eventsPerSecond = 200
const random = createCryptoRandom()
const readClock = statement<{ now: number }>(null, 'select bourse_now() as now')

/** Measures the wanted rows. */
export async function* webhookRows(wanted: (name: string) => boolean): AsyncIterable<Row> {
  if (wanted('webhook_rate')) yield { name: 'webhook_rate', goal: 0.5, ...(await measureRate(sharing)) }
  if (wanted('webhook_rate_apart')) yield { name: 'webhook_rate_apart', goal: null, ...(await measureRate(1)) }
  if (wanted('webhook_first_try') || wanted('webhook_first_try_hanging')) yield* await firstTryRows()
}

/** The rate with a number of webhooks of each account. */
async function measureRate(webhooksEach: number): Promise<Pick<Row, 'ours' | 'against' | 'ratio' | 'met'>> {
  await using place = await makePlace({ pinned: false })
  await using database = openDatabase(place.target, { connections_max: 2 })
  const accounts = await makeAccounts(place, rateWebhooks / webhooksEach)
  await using receiver = await startChild<{ port: number }, Receiver>('push/receiver-program.ts', {})
  const url = `http://127.0.0.1:${receiver.ready.port}`
  await using server = await place.serve()
  await using baseline = await startChild<unknown, { seconds: number }>('push/undici-program.ts', {})
  const base = `http://127.0.0.1:${server.ready.port}`
  for (const account of accounts) {
    for (let i = 0; i < webhooksEach; i++) await call(base, account, 'POST', '/preview/v2/webhooks', { url })
  }
  // Until the server has taken all of them, and is warm.
  await deliver(database, accounts, receiver, 20)
  const { message } = await receiver.ask('message')
  const load = { url, ...message, concurrency }
  await baseline.ask({ ...load, total: 5_000 })
  const rates: Record<'ours' | 'theirs', number[]> = { ours: [], theirs: [] }
  for (let round = 0; round < rateRounds; round++) {
    rates.ours.push(await deliver(database, accounts, receiver, backlog))
    rates.theirs.push(baselineTotal / (await baseline.ask({ ...load, total: baselineTotal })).seconds)
  }
  const ratio = median(rates.ours.map((rate, round) => rate / (rates.theirs[round] as number)))
  return { ours: median(rates.ours), against: median(rates.theirs), ratio, met: webhooksEach === 1 || ratio >= 0.5 }
}

/** Writes events for all webhooks; returns the deliveries a second, from the first to the last. */
async function deliver(
  database: Database,
  accounts: readonly Account[],
  receiver: { ask(question: unknown): Promise<Receiver> },
  events: number,
): Promise<number> {
  await receiver.ask('count')
  for (const { id } of accounts) await write(database, id, events)
  const total = rateWebhooks * events
  const until = performance.now() + 60_000
  let [first, last] = [Number.POSITIVE_INFINITY, 0]
  for (let arrived = 0; arrived < total; ) {
    if (performance.now() > until) throw new Error(`${arrived} of ${total} deliveries arrived.`)
    await pause(500)
    const got = await receiver.ask('count')
    arrived += got.count
    if (got.count > 0) [first, last] = [Math.min(first, got.first), got.last]
  }
  return (1000 * total) / (last - first)
}

async function firstTryRows(): Promise<Row[]> {
  await using place = await makePlace({ pinned: false })
  await using database = openDatabase(place.target, { connections_max: 2 })
  const accounts = await makeAccounts(place, accountCount)
  await using receiver = await startChild<{ port: number }, Receiver>('push/receiver-program.ts', {})
  await using server = await place.serve()
  const base = `http://127.0.0.1:${server.ready.port}`
  const path = '/preview/v2/webhooks'
  const url = `http://127.0.0.1:${receiver.ready.port}`
  for (const account of accounts) await call(base, account, 'POST', path, { url })
  const [hanging] = accounts as [Account]
  const { id } = await call(base, hanging, 'POST', path, { url: `${url}/hang`, enabled: false })
  await pause(3_000)
  // The program is compiled while it runs, so the first round does not count.
  await firstTry(database, accounts, receiver)
  const p99: Record<'alone' | 'beside', number[]> = { alone: [], beside: [] }
  for (let round = 0; round < firstTryRounds; round++) {
    const order = round % 2 === 0 ? (['alone', 'beside'] as const) : (['beside', 'alone'] as const)
    for (const which of order) {
      await call(base, hanging, 'PATCH', `${path}/${id}`, { enabled: which === 'beside' })
      await pause(3_000)
      p99[which].push(await firstTry(database, accounts, receiver))
    }
  }
  const [alone, beside] = [median(p99.alone), median(p99.beside)]
  const ratio = median(p99.beside.map((one, round) => one / (p99.alone[round] as number)))
  return [
    { name: 'webhook_first_try', ours: alone, against: 1, ratio: alone, goal: 1, met: alone <= 1 },
    { name: 'webhook_first_try_hanging', ours: beside, against: alone, ratio, goal: 1.1, met: ratio <= 1.1 },
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

function makeAccounts(place: BenchPlace, count: number): Promise<Account[]> {
  return place.prepare(async ({ runtime }) => {
    const made: Account[] = []
    for (let i = 0; i < count; i++) {
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
  return (await response.json()) as { id: string }
}
