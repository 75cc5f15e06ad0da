/**
 * Clients that make and take away without end. Whatever is cut off they look after: what they find is whole, and a
 * retry under the same key makes nothing more.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Random } from '../../../src/core/base/random.ts'
import type { Capacity } from '../../support/capacity.ts'
import { hour, type Market, type Party } from '../../support/market.ts'
import type { TestAccount, TestAnswer, TestServer } from '../../support/server.ts'
import { type Deed, type Journal, placeOf } from './journal.ts'

/** What all clients share. */
export type Ground = {
  readonly server: TestServer
  readonly journal: Journal
  readonly random: Random
  readonly account: TestAccount
  readonly capacity: Capacity
  readonly market: Market
  readonly parties: readonly { readonly party: Party; readonly side: 'buy' | 'sell' }[]
  /** Waits while the server is away, or is looked at. */
  pass(): Promise<void>
  isOver(): boolean
}

/** One client, until it is told to stop. */
export type Client = (ground: Ground) => Promise<void>

let made = 0

/** Makes firewalls and takes half of them away. */
export const keepFirewalls: Client = (ground) =>
  again(ground, async () => {
    const firewall = await create(ground, '/preview/v2/firewalls', { kind: 'firewall', body: {} })
    if (firewall && ground.random.integer(2) === 0) await remove(ground, `/preview/v2/firewalls/${firewall.id}`)
  })

/** Makes small fleets and takes them away. */
export const keepDeployments: Client = (ground) =>
  again(ground, async () => {
    const { sku, pool, template } = ground.capacity
    const body = { sku, pool, instance_template: template, target_instance_count: 1 + ground.random.integer(2) }
    const deployment = await create(ground, '/preview/v2/deployments', { kind: 'deployment', body })
    if (deployment) await remove(ground, `/preview/v2/deployments/${deployment.id}`)
  })

/** Replaces an instance again and again. */
export const keepReplacing: Client = async (ground) => {
  const { sku, pool, image } = ground.capacity
  let instance = await create(ground, '/v2/instances', { kind: 'instance', body: { sku, pool, image } })
  await again(ground, async () => {
    const path = `/v2/instances/${instance?.id}/replace`
    instance = (await create(ground, path, { kind: 'instance', body: { image } })) ?? instance
  })
}

/** Buys and sells the same hours, some at once and some standing. */
export function trade(index: number): Client {
  return (ground) =>
    again(ground, async () => {
      const { market, random, parties } = ground
      const { party, side } = parties[index] as Ground['parties'][number]
      const wish = { side, nodes: 1, start_at: market.start + random.integer(40) * hour, allow_standing: true }
      const price = side === 'sell' ? '1.200000' : random.integer(2) === 0 ? '1.200000' : '0.600000'
      const body = market.body(party, { ...wish, price, allow_partial: true })
      const order = await create(ground, '/v2/orders', { token: party.token, body })
      if (order?.status === 'open' && random.integer(2) === 0) await cancel(ground, party, order.id)
    })
}

async function again({ isOver, pass }: Ground, work: () => Promise<void>): Promise<void> {
  while (!isOver()) {
    await pass()
    await work()
  }
}

type Wish = { kind?: string; token?: string; body: object }

/** Makes something; gives it as it was answered, whatever happened on the way. */
async function create(ground: Ground, path: string, { kind, token, body }: Wish): Promise<any> {
  const { account } = ground
  made += 1
  const name = `${kind}-${made}`
  const named = kind === undefined ? {} : { name }
  const collection = path.replace(/\/[^/]+\/replace$/, '')
  const place = kind === undefined ? {} : { place: `${collection}/svc:${kind}:${account.id}:default:${name}` }
  const own = { method: 'POST' as const, path, token: token ?? account.token, key: `key-${made}` }
  const deed: Deed = { ...own, body: { ...body, ...named }, ...place, unanswered: 0, success: undefined }
  await carryOut(ground, deed)
  return deed.success?.body
}

async function remove(ground: Ground, path: string, token = ground.account.token): Promise<void> {
  await carryOut(ground, { method: 'DELETE', path, token, unanswered: 0, success: undefined })
}

/** An order may be filled, or have lapsed, before it is cancelled. */
async function cancel({ server, pass, journal }: Ground, { token }: Party, id: string): Promise<void> {
  await pass()
  const answer = await server.request('DELETE', `/v2/orders/${id}`, { token }).catch(() => undefined)
  if (answer && ![200, 204, 409, 422, 503].includes(answer.status)) journal.failures.push(`cancel: ${answer.text}`)
}

async function carryOut(ground: Ground, deed: Deed): Promise<void> {
  const { journal, pass } = ground
  journal.deeds.push(deed)
  for (;;) {
    const before = deed.unanswered > 0 ? await find(ground, deed) : undefined
    const answer = await send(ground, deed)
    // A removal whose answer was lost finds nothing any more, and that is its success.
    const isDone = answer && (answer.status < 300 || (deed.method === 'DELETE' && answer.status === 404))
    if (answer && isDone) {
      if (answer.status === 404 && deed.unanswered === 0) journal.failures.push(`${deed.path} is gone`)
      deed.success = { status: answer.status, body: answer.body, after_kills: journal.kills }
      if (before) compare(journal, deed, { before, answer })
      return
    }
    if (answer && answer.status !== 503 && answer.status !== 409) {
      journal.failures.push(`${deed.method} ${deed.path} ${deed.key ?? ''}: ${answer.status} ${answer.text}`)
      return
    }
    deed.unanswered += 1
    await pass()
  }
}

async function send({ server }: Ground, { method, path, token, body, key }: Deed): Promise<TestAnswer | undefined> {
  const headers = key === undefined ? {} : { 'Idempotency-Key': key }
  return await server.request(method, path, { token, headers, ...(body ? { body } : {}) }).catch(() => undefined)
}

/** What is there of something whose call went unanswered. */
async function find({ server }: Ground, { place, token }: Deed): Promise<TestAnswer | undefined> {
  return place === undefined ? undefined : await server.request('GET', place, { token }).catch(() => undefined)
}

/** What was there before the retry is what the retry tells of, and what was not there was made by it. */
function compare(journal: Journal, deed: Deed, { before, answer }: { before: TestAnswer; answer: TestAnswer }): void {
  const wasThere = before.status === 200
  const isReplay = answer.headers.get('idempotency-replayed') === 'true'
  if (wasThere) journal.found += 1
  if (before.status === 503) return
  if (wasThere !== isReplay) {
    journal.failures.push(`${deed.place}: answered ${before.status} before a retry that says ${isReplay}`)
  }
  if (wasThere && !isDeepStrictEqual(before.body.id, answer.body.id)) {
    journal.failures.push(`${deed.place}: there was ${before.body.id}, and the retry made ${answer.body.id}`)
  }
}

/** Whether what a call was told to have done is so. */
export async function readBack({ server, journal }: Ground, deeds: readonly Deed[]): Promise<void> {
  const removals = new Map(journal.deeds.flatMap((deed) => (deed.method === 'DELETE' ? [[deed.path, deed]] : [])))
  const look = async (deed: Deed) => {
    const place = deed.method === 'DELETE' ? deed.path : placeOf(deed)
    const removal = removals.get(place)
    // Nobody knows yet what became of a removal that went unanswered.
    if (removal && !removal.success) return
    const wanted = removal ? 404 : 200
    const { status } = await server.request('GET', place, { token: deed.token })
    if (status !== wanted) journal.failures.push(`lost: ${deed.method} ${deed.path} ${deed.key ?? ''} reads ${status}`)
  }
  const left = [...deeds]
  const lane = async () => {
    for (let next = left.pop(); next; next = left.pop()) await look(next)
  }
  await Promise.all(Array.from({ length: 8 }, lane))
}
