/** Calls of pools of customers, transfers, orders, procurements and money. */
import { type ContractCase, onOne } from './case.ts'
import type { ContractWorld } from './world.ts'

const pool = ({ make }: ContractWorld) => make('/v2/pools')

async function inOneHour({ server }: ContractWorld): Promise<number> {
  const { now } = await server.call('get_clock')
  return now - (now % 60) + 3600
}

/** A buy at the least price that rests, as nobody sells. */
async function buyOf(world: ContractWorld): Promise<object> {
  const { account, operate, make } = world
  const grant = { type: 'credit_grant', amount_dollars: '1.000000', description: 'For a case.' }
  await operate('POST', `/preview/v2/admin/accounts/${account.id}/transactions`, grant)
  const [sku, pool, start_at] = await Promise.all([world.shared('sku'), make('/v2/pools'), inOneHour(world)])
  return {
    pool: pool.id,
    sku: sku.id,
    side: 'buy',
    limit_price_dollars_per_node_hour: '0.000060',
    allocation_schedule_delta: [{ start_at, end_at: start_at + 60, node_count: 1 }],
    allow_standing: true,
    allow_partial: true,
  }
}

async function order(world: ContractWorld) {
  return world.make('/v2/orders', await buyOf(world))
}

/** A pool of its own, as each pool and SKU have one procurement at most. */
async function procurementOf(world: ContractWorld): Promise<object> {
  const [sku, pool] = await Promise.all([world.shared('sku'), world.make('/v2/pools')])
  return {
    pool: pool.id,
    sku: sku.id,
    target: 0,
    managed_window_minutes: 1,
    min_sell_price_dollars_per_node_hour: '1.000000',
    max_buy_price_dollars_per_node_hour: '0.060000',
  }
}

async function procurement(world: ContractWorld) {
  return world.make('/preview/v2/procurements', await procurementOf(world))
}

/** Allocation of the shared host, from its supply to a pool of the account. */
async function transferOf(world: ContractWorld): Promise<object> {
  const host = (await world.shared('host')) as { pool?: { id: string } }
  const [sku, to, start_at] = await Promise.all([world.shared('sku'), world.make('/v2/pools'), inOneHour(world)])
  const allocation_schedule_delta = [{ start_at, end_at: start_at + 60, node_count: 1 }]
  return { from_pool: host.pool?.id, to_pool: to.id, sku: sku.id, allocation_schedule_delta }
}

const accountOf = ({ account }: ContractWorld) => ({ account: account.id })

async function halt({ operate }: ContractWorld) {
  return { body: { sku: (await operate('POST', '/preview/v2/admin/skus', {})).id } }
}

/** The hour after the next as a query. */
async function windowOf(
  world: ContractWorld,
  [from, to]: readonly [string, string] = ['start_at', 'end_at'],
): Promise<string> {
  const start = await inOneHour(world)
  return `${from}=${start}&${to}=${start + 3600}`
}

const inWindow: ContractCase = { call: async (world) => ({ query: await windowOf(world) }) }

async function noticeOf(world: ContractWorld): Promise<object> {
  const start_at = await inOneHour(world)
  const texts = { title: 'Switches', description: 'Switches are replaced.' }
  return { start_at, end_at: start_at + 3600, maintenance_type: 'info', ...texts }
}

async function notice(world: ContractWorld) {
  return world.operate('POST', '/preview/v2/admin/maintenance_windows', await noticeOf(world))
}

export const marketCases = {
  create_pool: { names_in_body: true, call: ({ account }) => ({ body: { workspace: account.workspace_id } }) },
  update_pool: onOne(pool, {}),
  create_pool_transfer: { names_in_body: true, call: async (world) => ({ body: await transferOf(world) }) },
  create_order: { names_in_body: true, call: async (world) => ({ body: await buyOf(world) }) },
  amend_order: onOne(order, {}),
  cancel_order: onOne(order),
  create_procurement: { names_in_body: true, call: async (world) => ({ body: await procurementOf(world) }) },
  create_procurement_estimate: { names_in_body: true, call: async (world) => ({ body: await procurementOf(world) }) },
  create_procurement_update_estimate: onOne(procurement, {}),
  update_procurement: onOne(procurement, {}),
  delete_procurement: onOne(procurement),
  halt_market: { call: halt },
  resume_market: { call: halt },
  list_sku_availability: inWindow,
  get_sku_availability: {
    call: async (world) => ({ params: { id: (await world.shared('sku')).id }, query: await windowOf(world) }),
  },
  create_order_estimate: {
    call: async (world) => ({
      body: { side: 'buy', start_at: await inOneHour(world), duration_seconds: 3600, node_count: 1 },
    }),
  },
  list_orderbook_windows: {
    call: async (world) => ({ query: await windowOf(world, ['range_start_at', 'range_end_at']) }),
  },
  get_orderbook_status: {
    call: async (world) => ({ query: `sku=${(await world.shared('sku')).id}` }),
  },
  get_orderbook_quote: inWindow,
  get_orderbook_depth: inWindow,
  get_orderbook_curve: {
    call: async (world) => ({ query: `sku=${(await world.shared('sku')).id}` }),
  },
  list_orderbook_fills: inWindow,
  explain_order: onOne(order),
  create_maintenance_window: { call: async (world) => ({ body: await noticeOf(world) }) },
  delete_maintenance_window: onOne(notice),
  put_balance_threshold: { call: () => ({ body: { low_at_dollars: '1.000000' } }) },
  get_statement: { names_month: true, call: async () => ({ params: { month: '2026-01' } }) },
  export_usage: { call: async () => ({ query: 'from=86400&to=172800' }) },
  list_usage: { call: async () => ({ query: 'from=86400&to=172800' }) },
  list_revenue: { call: async () => ({ query: 'from=2026-01' }) },
  list_platform_usage: { call: async () => ({ query: 'from=86400&to=172800' }) },
  export_ledger: { call: async () => ({ query: 'from=86400&to=172800' }) },
  list_account_transactions: { call: (world) => ({ params: accountOf(world) }) },
  create_account_transaction: {
    call: (world) => ({
      params: accountOf(world),
      body: { type: 'credit_grant', amount_dollars: '1.000000', description: 'A case.' },
    }),
  },
  put_credit_limit: {
    call: (world) => ({ params: accountOf(world), body: { credit_limit_dollars: '1.000000' } }),
  },
} satisfies Record<string, ContractCase>
