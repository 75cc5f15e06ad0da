/** Creates procurements on the market of a test and reads their orders. HTTP only. */
import type { Market, Party } from './market.ts'
import type { TestServer } from './server.ts'

/** The range of an order in a short form: side, nodes, and minutes relative to the current one. */
export type ShownOrder = readonly [side: 'buy' | 'sell', nodes: number, from: number, to: number]

/** Creates procurements of one SKU and reads their orders. */
export function procurementsOn(server: TestServer, { sku }: Pick<Market, 'sku'>) {
  const path = '/preview/v2/procurements'
  const bodyOf = (pool: string, changes: object = {}) => ({
    ...{ pool, sku, target: 2, managed_window_minutes: 60 },
    ...{ min_sell_price_dollars_per_node_hour: '3.000000', max_buy_price_dollars_per_node_hour: '1.200000' },
    ...changes,
  })
  const managed = async ({ token }: Party, procurement: { id: string }, state: readonly string[] = open) => {
    const states = state.map((name) => `&state=${name}`).join('')
    const list = `/v2/orders?procurement=${procurement.id}&sort_by=start_at&limit=200${states}`
    return (await server.ok('GET', list, { token })).data as any[]
  }
  return {
    bodyOf,
    /** Creates a procurement and waits until it has settled. */
    make: async (party: Party, changes: object = {}) => {
      const made = await server.ok('POST', path, { token: party.token, body: bodyOf(party.pool, changes) })
      await server.settle()
      return made
    },
    read: ({ token }: Party, { id }: { id: string }) => server.ok('GET', `${path}/${id}`, { token }),
    change: async ({ token }: Party, { id }: { id: string }, body: object) => {
      const changed = await server.ok('PATCH', `${path}/${id}`, { token, body })
      await server.settle()
      return changed
    },
    remove: async ({ token }: Party, { id }: { id: string }) =>
      (await server.request('DELETE', `${path}/${id}`, { token })).status,
    /** The orders of the procurement in these states, by start. */
    managed,
    /** The ranges of the open orders. */
    open: async (party: Party, procurement: { id: string }): Promise<ShownOrder[]> => {
      const { now } = await server.ok('GET', '/sandbox/clock')
      const running = Math.floor(now / 60)
      return (await managed(party, procurement)).map(({ side, allocation_schedule_delta: [range] }) => {
        const { start_at, end_at, node_count } = range
        return [side, node_count, start_at / 60 - running, end_at / 60 - running]
      })
    },
  }
}

const open = ['standing', 'partially_filled']
