/**
 * `npm run bench -- push webhook_rate webhook_first_try`: deliveries of webhooks to a receiver on this machine.
 * Rate: one server with a backlog of events, against undici alone that sends one of its messages, with all its headers,
 * to the same receiver.
 * First try: how long after its commit an event arrives at 200 events/s, in turns with and without a receiver that
 * hangs.
 */
import assert from 'node:assert/strict'
import { mintId } from '../../../packages/server/src/core/base/ids.ts'
import { createCryptoRandom } from '../../../packages/server/src/core/base/random.ts'
import { type Database, openDatabase, statement } from '../../../packages/server/src/core/db/db.ts'
import { appendEvents } from '../../../packages/server/src/core/work/event-log.ts'
import { call } from '../../../packages/server/test/support/big-fleet.ts'
import { pause } from '../../../packages/text/src/time/pause.ts'
import { eventually } from '../../../test/eventually.ts'
import { bench, type SizeName } from '../bench.ts'
import { startChild } from '../child.ts'
import { atMost, type BenchRow, type Measurement, median, rowOf } from '../row.ts'
import { type MadeAccount, makeBenchAccount } from '../worlds/accounts.ts'
import { type BenchPlace, makePlace } from '../worlds/event-world.ts'

type Receiver = { count: number; first: number; last: number; lags: number[]; message?: object }

/** The webhooks of an account where they share its messages. */
const sharing = 10
const concurrency = 64
/** The receiver shares the cores with the server, so it is not asked often. */
const patience = { usual_seconds: 6, every_milliseconds: 500 }
const eventsPerSecond = 200
const random = createCryptoRandom()
const readClock = statement<{ now: number }>(null, 'select bourse_now() as now')

type RateSize = {
  readonly webhooks: number
  /** The events of each account, first to warm up and then in a round. */
  readonly warm_events: number
  readonly events: number
  readonly rounds: number
  /** The messages of the baseline, first to warm up and then in a round. */
  readonly warm_messages: number
  readonly messages: number
}

const rateSizes: Readonly<Record<SizeName, RateSize>> = {
  // Each webhook delivers 50 a second at most, which must not be what limits the rate.
  usual: { webhooks: 400, warm_events: 20, events: 100, rounds: 3, warm_messages: 5_000, messages: 40_000 },
  tiny: { webhooks: 10, warm_events: 1, events: 2, rounds: 1, warm_messages: 10, messages: 100 },
}

/** The rate of deliveries where ten webhooks of an account share its messages. */
export const rateBench = bench({
  rows: ['webhook_rate'],
  sizes: rateSizes,
  measure: async function* (size) {
    yield rowOf({ name: 'webhook_rate', goal: 0.6, ...(await measureRate(size, sharing)) })
  },
})

/** The rate of deliveries where each webhook has an account of its own. */
export const rateApartBench = bench({
  rows: ['webhook_rate_apart'],
  sizes: rateSizes,
  measure: async function* (size) {
    yield rowOf({ name: 'webhook_rate_apart', goal: 0.4, ...(await measureRate(size, 1)) })
  },
})

/** How soon deliveries arrive. */
export const firstTryBench = bench<FirstTrySize>({
  rows: ['webhook_first_try', 'webhook_first_try_hanging'],
  sizes: {
    usual: { accounts: 10, events: 2_000, rounds: 3, settle_milliseconds: 3_000 },
    tiny: { accounts: 2, events: 10, rounds: 1, settle_milliseconds: 50 },
  },
  measure: firstTryRows,
})

/** The rate with a number of webhooks of each account. */
async function measureRate(
  { webhooks, warm_events, events, rounds, warm_messages, messages }: RateSize,
  webhooksEach: number,
): Promise<Omit<Measurement, 'name' | 'goal'>> {
  await using place = await makePlace({ pinned: false })
  await using database = openDatabase(place.target, { connections_max: 2 })
  const accounts = await makeAccounts(place, webhooks / webhooksEach)
  await using receiver = await startChild<{ port: number }, Receiver>('push/receiver-program.ts', {})
  const url = `http://127.0.0.1:${receiver.ready.port}`
  await using server = await place.serve()
  await using baseline = await startChild<unknown, { seconds: number }>('push/undici-program.ts', {})
  const base = `http://127.0.0.1:${server.ready.port}`
  for (const account of accounts) {
    for (let i = 0; i < webhooksEach; i++)
      await call({ url: base, ...account }, 'POST', '/preview/v2/webhooks', { url })
  }
  // Until the server has taken all of them, and is warm.
  const deliverEach = (count: number) => deliver({ database, accounts, receiver }, count, webhooks * count)
  await deliverEach(warm_events)
  const { message } = await receiver.ask('message')
  const load = { url, ...message, concurrency }
  await baseline.ask({ ...load, total: warm_messages })
  const rates: Record<'ours' | 'theirs', number[]> = { ours: [], theirs: [] }
  for (let round = 0; round < rounds; round++) {
    rates.ours.push(await deliverEach(events))
    rates.theirs.push(messages / (await baseline.ask({ ...load, total: messages })).seconds)
  }
  const ratios = rates.ours.map((rate, round) => rate / (rates.theirs[round] as number))
  const sides = { ours: median(rates.ours), against: median(rates.theirs) }
  return { ...sides, better: 'more', rounds: ratios }
}

/** Writers of events, and the receiver of their deliveries. */
type WebhooksSite = {
  readonly database: Database
  readonly accounts: readonly MadeAccount[]
  readonly receiver: { ask(question: unknown): Promise<Receiver> }
}

/** Writes events for all webhooks; returns the deliveries a second, from the first to the last. */
async function deliver({ database, accounts, receiver }: WebhooksSite, events: number, total: number): Promise<number> {
  await receiver.ask('count')
  for (const { id } of accounts) await write(database, id, events)
  let [first, last, arrived] = [Number.POSITIVE_INFINITY, 0, 0]
  const ask = async () => {
    const got = await receiver.ask('count')
    arrived += got.count
    if (got.count > 0) [first, last] = [Math.min(first, got.first), got.last]
    assert.ok(arrived >= total, `${arrived} have arrived.`)
    return true
  }
  await eventually(`${total} deliveries arrive`, ask, patience)
  return (1000 * total) / (last - first)
}

type FirstTrySize = {
  readonly accounts: number
  readonly events: number
  readonly rounds: number
  /** Until the server has noticed a change. */
  readonly settle_milliseconds: number
}

async function* firstTryRows(size: FirstTrySize): AsyncGenerator<BenchRow> {
  await using place = await makePlace({ pinned: false })
  await using database = openDatabase(place.target, { connections_max: 2 })
  const accounts = await makeAccounts(place, size.accounts)
  await using receiver = await startChild<{ port: number }, Receiver>('push/receiver-program.ts', {})
  await using server = await place.serve()
  const base = `http://127.0.0.1:${server.ready.port}`
  const path = '/preview/v2/webhooks'
  const url = `http://127.0.0.1:${receiver.ready.port}`
  for (const { token } of accounts) await call({ url: base, token }, 'POST', path, { url })
  const [hanging] = accounts as [MadeAccount]
  const { id } = await call({ url: base, token: hanging.token }, 'POST', path, { url: `${url}/hang`, enabled: false })
  await pause(size.settle_milliseconds)
  // The program is compiled while it runs, so the first round does not count.
  const site = { database, accounts, receiver }
  await firstTry(site, size)
  const p99: Record<'alone' | 'beside', number[]> = { alone: [], beside: [] }
  for (let round = 0; round < size.rounds; round++) {
    const order = round % 2 === 0 ? (['alone', 'beside'] as const) : (['beside', 'alone'] as const)
    for (const which of order) {
      await call({ url: base, token: hanging.token }, 'PATCH', `${path}/${id}`, { enabled: which === 'beside' })
      await pause(size.settle_milliseconds)
      p99[which].push(await firstTry(site, size))
    }
  }
  yield atMost('webhook_first_try', p99.alone, 1)
  const rounds = p99.beside.map((one, round) => one / (p99.alone[round] as number))
  yield rowOf({
    name: 'webhook_first_try_hanging',
    ours: median(p99.beside),
    against: median(p99.alone),
    better: 'less',
    goal: 1.1,
    rounds,
  })
}

/** The 99th percentile of the seconds between the commit of an event and its arrival. */
async function firstTry({ database, accounts, receiver }: WebhooksSite, size: FirstTrySize): Promise<number> {
  await receiver.ask('count')
  const began = performance.now()
  for (let written = 0; written < size.events; written++) {
    await write(database, accounts[written % accounts.length]?.id as string, 1)
    await pause(Math.max(0, began + ((written + 1) * 1000) / eventsPerSecond - performance.now()))
  }
  const lags: number[] = []
  const ask = async () => {
    lags.push(...(await receiver.ask('count')).lags)
    assert.ok(lags.length >= size.events, `${lags.length} have arrived.`)
    return true
  }
  await eventually(`${size.events} deliveries arrive`, ask, patience)
  const sorted = lags.toSorted((a, b) => a - b)
  return (sorted[Math.floor(sorted.length * 0.99)] as number) / 1000
}

function makeAccounts(place: BenchPlace, count: number): Promise<MadeAccount[]> {
  return place.prepare(async ({ runtime }) => {
    const made: MadeAccount[] = []
    for (let i = 0; i < count; i++) made.push(await makeBenchAccount(runtime, `bench-${i}`, { trust_level: 'partner' }))
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
