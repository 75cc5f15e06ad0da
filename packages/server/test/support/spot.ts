/** Spot deployments on their own market, created over HTTP. */
import { type Market, makeMarket, type Party, type TestOrder } from './market.ts'
import type { TestServer } from './server.ts'

export const spotPath = '/preview/v2/deployments'
export const hour = 3600

/** A market with a seller with hosts and a buyer that can start fleets. Dispose retires its SKU. */
export type SpotMarket = AsyncDisposable & {
  readonly market: Market
  readonly seller: Party
  readonly buyer: Party
  readonly image: string
  readonly template: string
  /** The body of a spot deployment of the buyer, by default of two nodes at up to $2.40. */
  spotBody(more?: object): Record<string, unknown>
  /** Creates a spot deployment and waits until it has settled. */
  deploy(more?: object): Promise<any>
  /** Places a sell of nodes from the current minute on, by default for ten hours at $1.20. */
  offer(spotBody?: Partial<TestOrder>): Promise<any>
  get(path: string): Promise<any>
  status(id: string): Promise<{ state: string; code: string; message: string }>
  /** All orders of the deployment, newest first. */
  orders(id: string): Promise<any[]>
  /** The number of instances of the deployment by state. */
  fleet(id: string): Promise<Record<string, number>>
  /** The actions of the buyer's events with the ids of their actors, oldest first. */
  history(filter?: string): Promise<string[]>
}

/** The start of the current minute, in seconds. */
export async function runningMinute(server: TestServer): Promise<number> {
  const { now } = await server.ok('GET', '/sandbox/clock')
  return now - (now % 60)
}

let made = 0

export async function makeSpotMarket(
  server: TestServer,
  { nodes = 4, dollars = '1000.000000', sku = {} }: { nodes?: number; dollars?: string; sku?: object } = {},
): Promise<SpotMarket> {
  made += 1
  const market = await makeMarket(server, { fee_bps: 100, ...sku })
  const [seller, buyer] = [await market.seller(nodes), await market.buyer(dollars)]
  const own = { token: buyer.token }
  const image = (await server.ok('POST', '/sandbox/images', { ...own, body: { name: `spot-${made}` } })).id
  const template = (await server.ok('POST', '/preview/v2/instance_templates', { ...own, body: { image } })).id
  // The supply of hosts begins at the next minute.
  await server.advance(60)
  const get = (path: string) => server.ok('GET', path, own)
  const spotBody: SpotMarket['spotBody'] = (more = {}) => ({
    ...{ kind: 'spot', pool: buyer.pool, sku: market.sku, instance_template: template, target_instance_count: 2 },
    ...{ max_buy_price_dollars_per_node_hour: '2.400000', ...more },
  })
  return {
    ...{ market, seller, buyer, image, template, spotBody, get },
    deploy: async (more) => {
      const deployment = await server.ok('POST', spotPath, { ...own, body: spotBody(more) })
      await server.settle()
      return deployment
    },
    offer: async (offered = {}) => {
      const rests = { allow_standing: true, allow_partial: true }
      const terms = { side: 'sell' as const, nodes, minutes: 600, price: '1.200000', ...rests, ...offered }
      const start_at = offered.start_at ?? (await runningMinute(server))
      return market.order(seller, { ...terms, start_at })
    },
    status: async (id) => (await get(`${spotPath}/${id}`)).status,
    orders: async (id) => (await get(`/v2/orders?limit=200&deployment=${id}`)).data,
    fleet: async (id) => {
      const counts: Record<string, number> = {}
      const { data } = await get(`/v2/instances?limit=200&deployment=${id}`)
      for (const { state } of data) counts[state] = (counts[state] ?? 0) + 1
      return counts
    },
    [Symbol.asyncDispose]: async () => {
      await server.request('DELETE', `/preview/v2/admin/skus/${market.sku}`)
    },
    history: async (filter = '') => {
      const { data } = await get(`/preview/v2/events?limit=200${filter}`)
      return data.map(({ action, actor }: any) => `${action} ${actor.id ?? actor.type}`)
    },
  }
}
