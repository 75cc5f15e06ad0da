/** Buyers and sellers for tests of the market, created over HTTP. */
import type { TestAccount, TestServer } from './server.ts'

const hour = 3600

/** An account, and the pool of its orders. */
export type Trader = TestAccount & { readonly pool: string }

/** Creates traders on one server. */
export function tradersOn(server: TestServer) {
  return {
    sku: async (fields: Record<string, unknown> = {}): Promise<string> => {
      return (await server.ok('POST', '/preview/v2/admin/skus', { body: { num_vcpus: 8, fee_bps: 100, ...fields } })).id
    },
    /** Creates an account with hosts. Its supply pool owns nodes from the next minute on. */
    seller: async (sku: string, nodes = 4): Promise<Trader> => {
      const account = await server.account()
      await server.ok('POST', '/sandbox/hosts', { body: { account: account.id, sku, count: nodes } })
      const pools = await server.ok('GET', '/v2/pools?kind=originating', { token: account.token })
      return { ...account, pool: pools.data[0].id }
    },
    /** Creates an account with money and a market pool. */
    buyer: async (dollars = '1000.000000'): Promise<Trader> => {
      const account = await server.account()
      const body = { type: 'credit_grant', amount_dollars: dollars, description: 'Test.' }
      await server.ok('POST', `/preview/v2/admin/accounts/${account.id}/transactions`, { body })
      const pool = await server.ok('POST', '/v2/pools', { token: account.token, body: {} })
      return { ...account, pool: pool.id }
    },
    /** The start of a full hour in the future in which all hosts supply nodes. */
    nextHour: async (): Promise<number> => {
      const { now } = await server.ok('GET', '/sandbox/clock')
      return Math.ceil((now + 120) / hour) * hour
    },
    /** Places an order and returns the response. */
    order: ({ token, pool }: Trader, sku: string, fields: Record<string, unknown>) => {
      const { start_at, nodes = 2, hours = 1, price = '1.200000', ...rest } = fields
      const window = { start_at, end_at: (start_at as number) + (hours as number) * hour, node_count: nodes }
      const order = {
        pool,
        sku,
        allocation_schedule_delta: [window],
        limit_price_dollars_per_node_hour: price,
        ...rest,
      }
      return server.request('POST', '/v2/orders', { token, body: order })
    },
  }
}
