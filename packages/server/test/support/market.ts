/** A market for tests: sellers with hosts, buyers with money, and their orders. HTTP only. */
import type { TestAccount, TestServer } from './server.ts'

/** A buyer or seller: an account, and the pool of its orders. */
export type Party = TestAccount & { readonly pool: string }

/** The fields of an order. By default: two nodes for an hour at $1.20, immediate, all or nothing. */
export type TestOrder = {
  start_at: number
  side: 'buy' | 'sell'
  nodes?: number
  minutes?: number
  price?: string
  allow_standing?: boolean
  allow_partial?: boolean
}

export type Market = {
  readonly sku: string
  /** The start of an hour at least two minutes in the future. */
  readonly start: number
  seller(nodes?: number): Promise<Party>
  buyer(dollars?: string): Promise<Party>
  /** Places an order and returns it as it is after matching. */
  order(party: Party, params: Partial<TestOrder>): Promise<any>
  /** Places an order that must be refused. Returns status, code and message of the first detail. */
  refused(
    party: Party,
    params: Partial<TestOrder>,
    changes?: object,
  ): Promise<{ status: number; code: string; message: string }>
  body(party: Party, params: Partial<TestOrder>): Record<string, unknown>
  read(party: Party, order: { id: string }): Promise<any>
  cancel(party: Party, order: { id: string }): Promise<number>
  balance(party: Party): Promise<{ total: string; held: string; available: string }>
  /** The allocation of the pool in the SKU from now on. */
  owned(party: Party, pool?: string): Promise<{ start_at: number; end_at: number | null; node_count: number }[]>
  /** The actions of an account's events, with the types of their actors, oldest first. */
  history(party: Party): Promise<string[]>
}

export const hour = 3600

/** Creates a market on a new SKU. By default its sellers pay a fee of one per cent. */
export async function makeMarket(server: TestServer, properties: object = { fee_bps: 100 }): Promise<Market> {
  const sku = (await server.ok('POST', '/preview/v2/admin/skus', { body: { num_vcpus: 8, ...properties } }))
    .id as string
  const { now } = await server.ok('GET', '/sandbox/clock')
  const start = Math.ceil((now + 120) / hour) * hour
  const body: Market['body'] = (
    party,
    { side = 'buy', start_at = start, nodes = 2, minutes = 60, price = '1.200000', ...rest },
  ) => {
    const window = { start_at, end_at: start_at + minutes * 60, node_count: nodes }
    return {
      pool: party.pool,
      sku,
      side,
      allocation_schedule_delta: [window],
      limit_price_dollars_per_node_hour: price,
      ...rest,
    }
  }
  return {
    ...{ sku, start, body },
    seller: (nodes = 4) => makeSeller(server, sku, nodes),
    buyer: (dollars = '1000.000000') => makeBuyer(server, dollars),
    order: (party, params) => server.ok('POST', '/v2/orders', { token: party.token, body: body(party, params) }),
    refused: async (party, params, changes = {}) => {
      const sent = { ...body(party, params), ...changes }
      const { status, body: answer } = await server.request('POST', '/v2/orders', { token: party.token, body: sent })
      const { code = answer?.error?.type, message = answer?.error?.message } = answer?.error?.details?.[0] ?? {}
      return { status, code, message }
    },
    read: ({ token }, { id }) => server.ok('GET', `/v2/orders/${id}`, { token }),
    cancel: async ({ token }, { id }) => (await server.request('DELETE', `/v2/orders/${id}`, { token })).status,
    balance: async ({ token }) => {
      const shown = await server.ok('GET', '/preview/v2/billing/balance', { token })
      return { total: shown.total_dollars, held: shown.held_dollars, available: shown.available_dollars }
    },
    owned: async ({ token, pool }, other = pool) => {
      const shown = await server.ok('GET', `/v2/pools/${other}`, { token })
      return shown.allocation_schedule.by_sku[sku] ?? []
    },
    history: async ({ token }) => {
      const { data } = await server.ok('GET', '/preview/v2/events?limit=200&target_type=order', { token })
      return data.map(({ action, actor }: any) => `${action} ${actor.type}`)
    },
  }
}

/** Creates an account with hosts. Its supply pool owns nodes from the next minute on. */
export async function makeSeller(server: TestServer, sku: string, nodes: number): Promise<Party> {
  const account = await server.account()
  await server.ok('POST', '/sandbox/hosts', { body: { account: account.id, sku, count: 1, slots: nodes } })
  const pools = await server.ok('GET', '/v2/pools?kind=originating', { token: account.token })
  return { ...account, pool: pools.data[0].id }
}

/** Gives an account, by default a new one, money and a market pool. */
export async function makeBuyer(server: TestServer, dollars: string, known?: TestAccount): Promise<Party> {
  const account = known ?? (await server.account())
  if (dollars !== '0.000000') {
    const body = { type: 'credit_grant', amount_dollars: dollars, description: 'Test.' }
    await server.ok('POST', `/preview/v2/admin/accounts/${account.id}/transactions`, { body })
  }
  const pool = await server.ok('POST', '/v2/pools', { token: account.token, body: {} })
  return { ...account, pool: pool.id }
}
