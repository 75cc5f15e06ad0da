/** What users of a soak do: one request of each kind at a time, in the proportions of its weights. */
import { wallMilliseconds } from '../../packages/server/src/core/base/clock.ts'
import { pick, type Random } from '../../packages/server/src/core/base/random.ts'
import type { CallName, TestResponse } from '../../packages/server/test/support/calls.ts'
import type { Party } from '../../packages/server/test/support/fixtures/market.ts'
import { ownPage, press } from '../../packages/server/test/support/fixtures/people.ts'
import type { TestServer } from '../../packages/server/test/support/server.ts'
import type { SoakWorld } from './world.ts'

/** What a use is made of. What users remember between requests is bounded. */
export type Using = {
  readonly server: TestServer
  readonly world: SoakWorld
  readonly random: Random
  /** Cursors of lists and of events, by the token and the list that they belong to. */
  readonly cursors: Map<string, string>
  /** Ids of what was made and not ended, oldest first, by the token that made it. */
  readonly made: Map<string, string[]>
}

/** A kind of request. `refused`: what it asks for is wrong or not there. */
export type RequestUse = { readonly weight: number; readonly refused?: true; send(using: Using): Promise<TestResponse> }

/** More than that of a kind are ended before another is made. */
const madeMax = 24
const hourSeconds = 3600

/** Lists of a customer, and of traders. */
const lists = [
  'list_orders',
  'list_instances',
  'list_transactions',
  'list_audit_entries',
  'list_firewalls',
  'list_pools',
  'list_skus',
  'list_tokens',
  'list_users',
  'list_images',
  'list_holds',
  'list_budgets',
] as const satisfies CallName[]

/** All kinds. The weights add up to 100. */
export const uses: Readonly<Record<string, RequestUse>> = {
  page: { weight: 21, send: (using) => readPage(using, pick(using.random, lists)) },
  events: { weight: 15, send: (using) => readPage(using, 'list_events') },
  market: {
    weight: 10,
    send: (using) => {
      const { token } = traderOf(using)
      const name = pick(using.random, ['get_orderbook_depth', 'get_orderbook_quote'] as const)
      return using.server.attempt(name, { query: hourOf(using.random), token })
    },
  },
  account: {
    weight: 9,
    send: (using) => {
      const name = pick(using.random, ['get_balance', 'get_account', 'list_limits', 'get_permissions'] as const)
      return using.server.attempt(name, { token: traderOf(using).token })
    },
  },
  order: { weight: 10, send: placeOrder },
  cancel: { weight: 8, send: (using) => endOne(using, 'cancel_order', traderOf(using).token) },
  instance: {
    weight: 3,
    send: (using) => {
      const { token } = using.world.customer
      if (isFull(using, 'terminate_instance', token)) return endOne(using, 'terminate_instance', token)
      return make(using, { name: 'create_instance', token, body: using.world.fleet, ends_by: 'terminate_instance' })
    },
  },
  terminate: { weight: 3, send: (using) => endOne(using, 'terminate_instance', using.world.customer.token) },
  change: {
    weight: 3,
    send: ({ server, world: { customer, firewall }, random }) => {
      const body = { tags: { turn: String(random.integer(1000)) } }
      return server.attempt('update_firewall', { params: { id: firewall }, token: customer.token, body })
    },
  },
  token: {
    weight: 2,
    send: (using) => {
      const { token } = using.world.customer
      if (isFull(using, 'delete_token', token)) return endOne(using, 'delete_token', token)
      return make(using, { name: 'create_token', token, body: {}, ends_by: 'delete_token' })
    },
  },
  token_end: { weight: 2, send: (using) => endOne(using, 'delete_token', using.world.customer.token) },
  sign_in: { weight: 1, send: signIn },
  page_of_server: {
    weight: 4,
    send: ({ server, random }) => {
      const paths = ['/sign_in', '/docs', '/openapi.json', '/version', '/.well-known/jwks.json']
      return server.request('GET', pick(random, paths), { token: null })
    },
  },
  ready: { weight: 3, send: ({ server }) => server.attempt('get_readiness', { token: null }) },
  absent: {
    weight: 2,
    refused: true,
    send: (using) => {
      const { token } = traderOf(using)
      return using.server.attempt('get_order', { params: { id: `ordr_${using.random.integer(1e6)}` }, token })
    },
  },
  wrong: {
    weight: 2,
    refused: true,
    send: (using) => {
      const { token, pool } = traderOf(using)
      return using.server.attempt('create_order', { token, body: { pool, side: 'neither' } })
    },
  },
  unknown_path: {
    weight: 1,
    refused: true,
    send: ({ server, random }) => server.request('GET', `/absent/${random.integer(1e6)}`),
  },
  unknown_token: {
    weight: 1,
    refused: true,
    send: ({ server, random }) => server.attempt('get_account', { token: `not.a.token${random.integer(1e6)}` }),
  },
}

/** Chooses the kind of the next request. */
export function chooseUse(random: Random): string {
  const names = Object.entries(uses).flatMap(([name, { weight }]) => Array<string>(weight).fill(name))
  return pick(random, names)
}

/** Reads the page behind the last one; from the beginning where there was none or it was the last. */
async function readPage(using: Using, name: (typeof lists)[number] | 'list_events'): Promise<TestResponse> {
  const { token } = using.random.integer(3) === 0 ? using.world.customer : traderOf(using)
  const key = `${name} ${token}`
  const query = { limit: 20, starting_after: using.cursors.get(key) }
  const response = await using.server.attempt(name, { query, token })
  const { cursor, has_more } = response.body ?? {}
  // Readers of events keep their place at the end.
  const goesOn = typeof cursor === 'string' && (has_more === true || name === 'list_events')
  if (goesOn) using.cursors.set(key, cursor)
  else if (name !== 'list_events' || response.status !== 200) using.cursors.delete(key)
  return response
}

function placeOrder(using: Using): Promise<TestResponse> {
  const { random, world } = using
  const trader = traderOf(using)
  const { token, pool } = trader
  if (isFull(using, 'cancel_order', token)) return endOne(using, 'cancel_order', token)
  const isSeller = trader === world.traders[0]
  const { start_at, end_at } = hourOf(random)
  // Most orders rest: asks begin where few bids reach.
  const cents = isSeller ? 118 + random.integer(40) : 80 + random.integer(40)
  const body = {
    pool,
    sku: world.sku,
    side: isSeller ? 'sell' : 'buy',
    allocation_schedule_delta: [{ start_at, end_at, node_count: 1 }],
    limit_price_dollars_per_node_hour: `${(cents / 100).toFixed(2)}0000`,
    allow_standing: true,
    allow_partial: true,
  }
  return make(using, { name: 'create_order', token, body, ends_by: 'cancel_order' })
}

type Making = {
  readonly name: 'create_order' | 'create_instance' | 'create_token'
  readonly token: string
  readonly body: object
  readonly ends_by: Ending
}
type Ending = 'cancel_order' | 'terminate_instance' | 'delete_token'

async function make(using: Using, { name, token, body, ends_by }: Making): Promise<TestResponse> {
  const headers = { 'idempotency-key': using.random.bytes(12).toString('hex') }
  const response = await using.server.attempt(name, { token, body, headers })
  if (response.status === 201) madeBy(using, ends_by, token).push(response.body.id)
  return response
}

/** Ends the oldest one, or one that does not exist where there is none. */
function endOne(using: Using, name: Ending, token: string): Promise<TestResponse> {
  const id = madeBy(using, name, token).shift() ?? absent[name]
  return using.server.attempt(name, { params: { id }, token })
}

const absent = { cancel_order: 'ordr_absent', terminate_instance: 'inst_absent', delete_token: 'tokn_absent' } as const

function madeBy({ made }: Using, ending: Ending, token: string): string[] {
  const key = `${ending} ${token}`
  const list = made.get(key) ?? []
  made.set(key, list)
  return list
}

function isFull(using: Using, ending: Ending, token: string): boolean {
  return madeBy(using, ending, token).length >= madeMax
}

/** A person opens a link, reads with the session, and its sessions end. */
async function signIn({ server, world: { customer, users }, random }: Using): Promise<TestResponse> {
  const user = pick(random, users)
  const link = await server.attempt('create_user_sign_in_link', { params: { id: user }, token: customer.token })
  if (link.status !== 201) return link
  const path = new URL(link.body.url).pathname
  await server.request('GET', path, { token: null })
  const pressed = await press(server, path)
  const cookie = pressed.headers.get('set-cookie')?.split(';', 1)[0]
  if (cookie === undefined) return pressed
  const headers = { ...ownPage, cookie, 'x-bourse-request': '1' }
  await server.request('GET', '/preview/v2/account', { token: null, headers })
  return server.attempt('end_user_sessions', { params: { id: user }, token: customer.token, body: {} })
}

function traderOf({ world, random }: Using): Party {
  return pick(random, world.traders)
}

/** One of the next 24 full hours. */
function hourOf(random: Random): { start_at: number; end_at: number } {
  const start_at = (Math.ceil(wallMilliseconds() / 1000 / hourSeconds) + 1 + random.integer(24)) * hourSeconds
  return { start_at, end_at: start_at + hourSeconds }
}
