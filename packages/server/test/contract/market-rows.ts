/** Rows of orders, fills, transfers and money that each filter distinguishes. */
import type { ContractWorld } from './world.ts'

/** Two rows of one list, and values of its filters by the rows that they return. */
export type FilterRows = {
  wanted: string
  other: string
  /** Returns the first row only. */
  selects: Record<string, string>
  /** Returns the second row only. */
  rejects?: Record<string, string>
  /** Returns the first row, which is missing without the filter. */
  adds?: Record<string, string>
  /** Returns neither: values that no row can have yet. */
  empties?: Record<string, string>
  /** The path of the list, if it has a parameter. */
  path?: string
  /** The token of the caller, if it is not the admin of the account. */
  token?: string
}

const window = (start_at: number) => [{ start_at, end_at: start_at + 60, node_count: 1 }]

/** Two markets of one account: its own supply, a pool in each workspace, money. */
async function makeTrade(world: ContractWorld) {
  const { account, elsewhere, make, operate, server } = world
  const grant = { type: 'credit_grant', amount_dollars: '10.000000', description: 'For rows.' }
  await operate('POST', `/preview/v2/admin/accounts/${account.id}/transactions`, grant)
  const { now } = await server.call('get_clock')
  const start = now - (now % 60) + 7200
  const sku = (await operate('POST', '/preview/v2/admin/skus', {})).id as string
  const supply = (await make('/sandbox/hosts', { sku, count: 1, slots: 8 })).data[0].pool.id as string
  const [here, there] = [await make('/v2/pools'), await make('/v2/pools', { workspace: elsewhere })]
  const order = (pool: string, side: 'buy' | 'sell', on = sku, at = start) =>
    make('/v2/orders', {
      pool,
      side,
      sku: on,
      allocation_schedule_delta: window(at),
      allow_standing: true,
      allow_partial: true,
      limit_price_dollars_per_node_hour: side === 'buy' ? '0.060000' : '6.000000',
    })
  return { start, sku, supply, here, there, order }
}

async function orderRows(world: ContractWorld): Promise<FilterRows> {
  const trade = await makeTrade(world)
  const shared = (await world.shared('sku')).id
  const other = await trade.order(trade.supply, 'sell')
  await world.server.advance(10)
  const wanted = await trade.order(trade.there.id, 'buy', shared)
  await world.server.call('cancel_order', { params: { id: wanted.id }, token: world.account.token })
  const of = { workspace: world.elsewhere, pool: trade.there.resource_path, sku: shared, side: 'buy' }
  return {
    wanted: wanted.id,
    other: other.id,
    selects: { ...of, id: wanted.id, state: 'cancelled', created_after: `${wanted.created_at}` },
    rejects: { created_before: `${other.created_at}` },
    empties: { procurement: 'proc_0000000000000000', deployment: 'depl_0000000000000000' },
  }
}

/** Two fills of an order of the account with another account. */
async function fillRows(world: ContractWorld): Promise<FilterRows> {
  const { stranger, operate, server } = world
  const trade = await makeTrade(world)
  const { id } = await world.make('/v2/orders', {
    pool: trade.supply,
    side: 'sell',
    sku: trade.sku,
    allow_standing: true,
    allow_partial: true,
    allocation_schedule_delta: [{ start_at: trade.start, end_at: trade.start + 60, node_count: 2 }],
    limit_price_dollars_per_node_hour: '0.060000',
  })
  const grant = { type: 'credit_grant', amount_dollars: '10.000000', description: 'For rows.' }
  await operate('POST', `/preview/v2/admin/accounts/${stranger.id}/transactions`, grant)
  const pool = (await server.call('create_pool', { token: stranger.token, body: {} })).id
  const body = { pool, side: 'buy', sku: trade.sku, allocation_schedule_delta: window(trade.start) } as const
  const fills: string[] = []
  for (let i = 0; i < 2; i++) {
    const bought = await server.call('create_order', {
      token: stranger.token,
      body: { ...body, limit_price_dollars_per_node_hour: '0.060000' },
    })
    fills.push(bought.fills[0].id)
  }
  const [other, wanted] = fills as [string, string]
  return { wanted, other, selects: {}, path: `/v2/orders/${id}/fills` }
}

async function transferRows(world: ContractWorld): Promise<FilterRows> {
  const { sku, supply, here, there, start } = await makeTrade(world)
  const move = (to_pool: string) =>
    world.make('/preview/v2/pool_transfers', {
      from_pool: supply,
      to_pool,
      sku,
      allocation_schedule_delta: window(start),
    })
  const [other, wanted] = [await move(here.id), await move(there.id)]
  const selects = { pool: there.resource_path }
  return { wanted: wanted.id, other: other.id, selects, empties: { state: 'rejected' } }
}

async function holdRows(world: ContractWorld): Promise<FilterRows> {
  const { here, there, order } = await makeTrade(world)
  const [other, wanted] = [await order(here.id, 'buy'), await order(there.id, 'buy')]
  const { data } = await world.server.call('list_holds', { token: world.account.token })
  const holdOf = ({ id }: { id: string }) => data.find((hold: { order: string }) => hold.order === id).id
  return { wanted: holdOf(wanted), other: holdOf(other), selects: { workspace: world.elsewhere } }
}

/** The transaction of a fill, and an older one of a credit grant. */
async function transactionRows(world: ContractWorld): Promise<FilterRows> {
  const { account, server, stranger } = world
  const { start, there, order } = await makeTrade(world)
  const sku = (await world.operate('POST', '/preview/v2/admin/skus', {})).id
  await server.advance(10)
  const hosts = { account: stranger.id, sku, count: 1 }
  const supply = (await world.operate('POST', '/sandbox/hosts', hosts)).data[0].pool.id
  const ask = {
    pool: supply,
    side: 'sell' as const,
    sku,
    allow_standing: true,
    allow_partial: true,
    allocation_schedule_delta: window(start),
    limit_price_dollars_per_node_hour: '0.060000',
  } as const
  await server.call('create_order', { token: stranger.token, body: ask })
  const bought = await order(there.id, 'buy', sku)
  const { data } = await server.call('list_transactions', { token: account.token })
  const wanted = data.find((line) => line.order === bought.id)
  const other = data.find((line) => line.type === 'credit_grant')
  const of = { type: 'buy_fill', created_after: `${wanted.created_at}` }
  return {
    wanted: wanted.id,
    other: other.id,
    selects: { ...of, order: bought.id, workspace: world.elsewhere },
    rejects: { created_before: `${other.created_at}` },
  }
}

async function noticeRows({ operate, server, platform }: ContractWorld): Promise<FilterRows> {
  const { now } = await server.call('get_clock')
  const start_at = now - (now % 60) + 600
  const texts = { title: 'Switches', description: 'Switches are replaced.' }
  const body = { start_at, end_at: start_at + 600, maintenance_type: 'info', ...texts }
  const make = () => operate('POST', '/preview/v2/admin/maintenance_windows', body)
  const [other, wanted] = [await make(), await make()]
  return { wanted: wanted.id, other: other.id, selects: {}, token: platform.token }
}

/** Two procurements with the target 0, in different pools with different SKUs. */
async function procurementRows({ make, operate, account, elsewhere }: ContractWorld): Promise<FilterRows> {
  const place = async (workspace: string) => {
    const [pool, sku] = [await make('/v2/pools', { workspace }), await operate('POST', '/preview/v2/admin/skus', {})]
    const prices = {
      min_sell_price_dollars_per_node_hour: '1.000000',
      max_buy_price_dollars_per_node_hour: '0.060000',
    }
    const body = { pool: pool.id, sku: sku.id, target: 0, managed_window_minutes: 1, ...prices }
    return make('/preview/v2/procurements', body)
  }
  const [wanted, other] = [await place(elsewhere), await place(account.workspace_id)]
  const of = { workspace: elsewhere, pool: wanted.pool.resource_path, sku: wanted.sku.id }
  return { wanted: wanted.id, other: other.id, selects: { ...of, id: wanted.resource_path } }
}

export const marketRows = {
  list_procurements: procurementRows,
  list_maintenance_windows: noticeRows,
  list_orders: orderRows,
  list_order_fills: fillRows,
  list_pool_transfers: transferRows,
  list_holds: holdRows,
  list_transactions: transactionRows,
  list_account_transactions: async (world: ContractWorld): Promise<FilterRows> => {
    const rows = await transactionRows(world)
    const path = `/preview/v2/admin/accounts/${world.account.id}/transactions`
    return { ...rows, path, token: world.platform.token }
  },
}
