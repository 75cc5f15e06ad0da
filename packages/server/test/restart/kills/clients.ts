/**
 * Clients that create and delete resources in a loop. After an interrupted call they check that its effect is complete
 * or absent, and that a retry with the same key creates nothing more.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Random } from '../../../src/core/base/random.ts'
import type { Capacity } from '../../support/fixtures/capacity.ts'
import { hour, type Market, type Party } from '../../support/fixtures/market.ts'
import type { TestAccount, TestResponse, TestServer } from '../../support/server.ts'
import { type CallEntry, type Journal, resourcePlaceOf } from './journal.ts'

/** The state that all clients share. */
export type ClientFixtures = {
  readonly server: TestServer
  readonly journal: Journal
  readonly random: Random
  readonly account: TestAccount
  readonly capacity: Capacity
  readonly market: Market
  readonly parties: readonly { readonly party: Party; readonly side: 'buy' | 'sell' }[]
  /** Waits while the server is restarted or checked. */
  pass(): Promise<void>
  isOver(): boolean
}

/** One client. Runs until it is stopped. */
export type KillClient = (fixtures: ClientFixtures) => Promise<void>

let made = 0

/** Creates firewalls and deletes half of them. */
export const keepFirewalls: KillClient = (fixtures) =>
  again(fixtures, async () => {
    const firewall = await create(fixtures, '/preview/v2/firewalls', { kind: 'firewall', body: {} })
    if (firewall && fixtures.random.integer(2) === 0) await remove(fixtures, `/preview/v2/firewalls/${firewall.id}`)
  })

/** Creates small deployments and deletes them. */
export const keepDeployments: KillClient = (fixtures) =>
  again(fixtures, async () => {
    const { sku, pool, template } = fixtures.capacity
    const body = { sku, pool, instance_template: template, target_instance_count: 1 + fixtures.random.integer(2) }
    const deployment = await create(fixtures, '/preview/v2/deployments', { kind: 'deployment', body })
    if (deployment) await remove(fixtures, `/preview/v2/deployments/${deployment.id}`)
  })

/** Replaces an instance again and again. */
export const keepReplacing: KillClient = async (fixtures) => {
  const { sku, pool, image } = fixtures.capacity
  let instance = await create(fixtures, '/v2/instances', { kind: 'instance', body: { sku, pool, image } })
  await again(fixtures, async () => {
    const path = `/v2/instances/${instance?.id}/replace`
    instance = (await create(fixtures, path, { kind: 'instance', body: { image } })) ?? instance
  })
}

/** Buys and sells the same hours, with immediate and standing orders. */
export function trade(index: number): KillClient {
  return (fixtures) =>
    again(fixtures, async () => {
      const { market, random, parties } = fixtures
      const { party, side } = parties[index] as ClientFixtures['parties'][number]
      const request = { side, nodes: 1, start_at: market.start + random.integer(40) * hour, allow_standing: true }
      const price = side === 'sell' ? '1.200000' : random.integer(2) === 0 ? '1.200000' : '0.600000'
      const body = market.body(party, { ...request, price, allow_partial: true })
      const order = await create(fixtures, '/v2/orders', { token: party.token, body })
      if (order?.state === 'standing' && random.integer(2) === 0) await cancel(fixtures, party, order.id)
    })
}

async function again({ isOver, pass }: ClientFixtures, work: () => Promise<void>): Promise<void> {
  while (!isOver()) {
    await pass()
    await work()
  }
}

type CreateParams = { kind?: string; token?: string; body: object }

/** Creates a resource with retries. Returns the final response. */
async function create(fixtures: ClientFixtures, path: string, { kind, token, body }: CreateParams): Promise<any> {
  const { account } = fixtures
  made += 1
  const name = `${kind}-${made}`
  const named = kind === undefined ? {} : { name }
  const collection = path.replace(/\/[^/]+\/replace$/, '')
  const place = kind === undefined ? {} : { place: `${collection}/svc:${kind}:${account.id}:default:${name}` }
  const own = { method: 'POST' as const, path, token: token ?? account.token, key: `key-${made}` }
  const entry: CallEntry = { ...own, body: { ...body, ...named }, ...place, unanswered: 0, success: undefined }
  await carryOut(fixtures, entry)
  return entry.success?.body
}

async function remove(fixtures: ClientFixtures, path: string, token = fixtures.account.token): Promise<void> {
  await carryOut(fixtures, { method: 'DELETE', path, token, unanswered: 0, success: undefined })
}

/** An order may be filled, or have lapsed, before it is cancelled. */
async function cancel({ server, pass, journal }: ClientFixtures, { token }: Party, id: string): Promise<void> {
  await pass()
  const response = await server.attempt('cancel_order', { params: { id }, token }).catch(() => undefined)
  if (response && ![200, 204, 409, 422, 503].includes(response.status))
    journal.failures.push(`cancel: ${response.text}`)
}

async function carryOut(fixtures: ClientFixtures, entry: CallEntry): Promise<void> {
  const { journal, pass } = fixtures
  journal.entries.push(entry)
  for (;;) {
    const before = entry.unanswered > 0 ? await find(fixtures, entry) : undefined
    const response = await send(fixtures, entry)
    // If the response of a deletion was lost, the retry gets 404, which counts as success.
    const isDone = response && (response.status < 300 || (entry.method === 'DELETE' && response.status === 404))
    if (response && isDone) {
      if (response.status === 404 && entry.unanswered === 0) journal.failures.push(`${entry.path} does not exist`)
      entry.success = { status: response.status, body: response.body, after_kills: journal.kills }
      if (before) compare(journal, entry, { before, response })
      return
    }
    if (response && response.status !== 503 && response.status !== 409) {
      journal.failures.push(`${entry.method} ${entry.path} ${entry.key ?? ''}: ${response.status} ${response.text}`)
      return
    }
    entry.unanswered += 1
    await pass()
  }
}

async function send(
  { server }: ClientFixtures,
  { method, path, token, body, key }: CallEntry,
): Promise<TestResponse | undefined> {
  const headers = key === undefined ? {} : { 'Idempotency-Key': key }
  return await server.request(method, path, { token, headers, ...(body ? { body } : {}) }).catch(() => undefined)
}

/** Reads the resource of an unanswered call. */
async function find({ server }: ClientFixtures, { place, token }: CallEntry): Promise<TestResponse | undefined> {
  return place === undefined ? undefined : await server.request('GET', place, { token }).catch(() => undefined)
}

/** Checks that the retry returns the resource that existed before it, or creates one that did not exist. */
function compare(
  journal: Journal,
  entry: CallEntry,
  { before, response }: { before: TestResponse; response: TestResponse },
): void {
  const wasThere = before.status === 200
  const isReplay = response.headers.get('idempotency-replayed') === 'true'
  if (wasThere) journal.found += 1
  if (before.status === 503) return
  if (wasThere !== isReplay) {
    journal.failures.push(`${entry.place}: status ${before.status} before a retry with the replay header ${isReplay}`)
  }
  if (wasThere && !isDeepStrictEqual(before.body.id, response.body.id)) {
    journal.failures.push(`${entry.place}: ${before.body.id} existed, and the retry created ${response.body.id}`)
  }
}

/** Checks that the acknowledged effects of calls exist. */
export async function readBack({ server, journal }: ClientFixtures, entries: readonly CallEntry[]): Promise<void> {
  const removals = new Map(journal.entries.flatMap((entry) => (entry.method === 'DELETE' ? [[entry.path, entry]] : [])))
  const look = async (entry: CallEntry) => {
    const place = entry.method === 'DELETE' ? entry.path : resourcePlaceOf(entry)
    const removal = removals.get(place)
    // The result of an unanswered deletion is still unknown.
    if (removal && !removal.success) return
    const wanted = removal ? 404 : 200
    const { status } = await server.request('GET', place, { token: entry.token })
    if (status !== wanted)
      journal.failures.push(`lost: ${entry.method} ${entry.path} ${entry.key ?? ''} reads ${status}`)
  }
  const left = [...entries]
  const worker = async () => {
    for (let next = left.pop(); next; next = left.pop()) await look(next)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}
