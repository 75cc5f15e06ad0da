/**
 * Requests that random values would rarely form: orders, quotes and transfers need a matching pool, SKU and window. The
 * other parts of the request are random.
 */
import type { BaseResources, ValueSource } from './values.ts'

/** The matching parts of a request. */
export type QueryTarget = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** The complete body, without random parts. */
  readonly whole?: Readonly<Record<string, unknown>>
}

type MakeTarget = (base: BaseResources, source: ValueSource) => QueryTarget

const minute = 60
const hour = 3600
const priceSteps = [90, 100, 110]
const procurementPrices = { min_sell_price_dollars_per_node_hour: '1.50', max_buy_price_dollars_per_node_hour: '0.70' }

const targets: Readonly<Record<string, MakeTarget>> = {
  create_order: (base, source) => ({ body: orderOf(base, source) }),
  create_order_estimate: ({ trade }, source) => {
    const { start_at, end_at, node_count } = windowOf(source)
    const side = source.choices.pick(['buy', 'sell'])
    const place = side === 'sell' ? { pool: trade.supply } : {}
    return { body: { side, sku: trade.sku, start_at, duration_seconds: end_at - start_at, node_count, ...place } }
  },
  create_pool_transfer: ({ trade }, source) => {
    const body = { from_pool: trade.supply, to_pool: trade.buying_pool, sku: trade.sku }
    return { body: { ...body, allocation_schedule_delta: [windowOf(source)] } }
  },
  create_procurement: newProcurement,
  create_procurement_estimate: newProcurement,
  create_procurement_update_estimate: procurementChange,
  update_procurement: procurementChange,
  create_read_only_pool: (base, source) => {
    const { supply, sku, account, workspace, schedule_start_at } = base.grant
    const start_at = schedule_start_at + source.choices.integer(100) * hour
    const allocation_schedule = [{ start_at, end_at: start_at + hour, node_count: 1 }]
    return { body: { account, workspace, from_pool: supply, sku, allocation_schedule } }
  },
  list_orderbook_windows: ({ trade }, source) => {
    const { start_at, end_at } = windowOf(source)
    const range = { range_start_at: String(start_at), range_end_at: String(end_at + 12 * hour) }
    return { query: { requirements: `id:${trade.sku}`, ...range } }
  },
  list_usage: (_base, source) => ({ query: { ...daysOf(source), granularity: 'day' } }),
  list_platform_usage: (_base, source) => ({ query: daysOf(source) }),
  export_ledger: (_base, source) => ({ query: daysOf(source) }),
  export_usage: (_base, source) => ({ query: daysOf(source) }),
  get_orderbook_quote: bookQuery,
  get_orderbook_depth: bookQuery,
  list_orderbook_fills: bookQuery,
  // A halt of the whole market would refuse most other requests for long.
  halt_market: ({ sku }) => ({ body: { sku } }),
  resume_market: (_base, { choices }) => ({ body: choices.chance(50) ? { sku: null } : {} }),
  create_instance: ({ pool, sku, image }) => ({ body: { pool, sku, image } }),
  replace_instance: ({ image }) => ({ body: { image } }),
  // Most random overrides promise more than hosts of the SKU are checked for.
  put_sku_override: ({ sku }, { account, choices }) => ({
    params: { account, sku },
    whole: { memory_bytes: 2 ** 30 * (1 + choices.integer(8)) },
  }),
  delete_sku_override: ({ sku }, { account }) => ({ params: { account, sku } }),
  // A low value of most limits would refuse other requests for long.
  put_account_limit: (_base, { account }) => ({ params: { account, name: 'event_streams' } }),
  delete_account_limit: (_base, { account }) => ({ params: { account, name: 'event_streams' } }),
  // A random time is nearly always in the past.
  drain_host: (_base, { choices, now }) => ({ body: { deadline_at: now + choices.integer(10) * hour, force: true } }),
  retire_host: ({ host }) => ({ params: { id: host } }),
  publish_public_image: ({ publishable }, { choices }) => ({ params: { id: choices.pick(publishable) } }),
  revoke_public_image: ({ publishable }, { choices }) => ({ params: { id: choices.pick(publishable) } }),
  reinstate_public_image: ({ publishable }, { choices }) => ({ params: { id: choices.pick(publishable) } }),
  retire_sku: ({ spare_sku }) => ({ params: { id: spare_sku } }),
  restore_sku: ({ spare_sku }) => ({ params: { id: spare_sku } }),
  get_deployment: ({ deployment }) => ({ params: { id: deployment } }),
  update_deployment: ({ deployment }) => ({ params: { id: deployment } }),
  create_deployment_update_estimate: ({ deployment }) => ({ params: { id: deployment } }),
  get_webhook_delivery: ({ webhook, delivery }) => ({ params: { id: webhook, delivery } }),
  redeliver_webhook_delivery: ({ webhook, delivery }) => ({ params: { id: webhook, delivery } }),
  update_instance: ({ instance }) => ({ params: { id: instance } }),
  get_instance_ssh: ({ instance }) => ({ params: { id: instance } }),
  revoke_image: ({ revocable }) => ({ params: { id: revocable } }),
  reinstate_image: ({ revocable }) => ({ params: { id: revocable } }),
  create_instance_template: ({ image }) => ({ body: { image, cloud_init_user_data: userData } }),
  get_instance_template_cloud_init: ({ instance_template }) => ({ params: { id: instance_template } }),
  get_instance_cloud_init: ({ instance }) => ({ params: { id: instance } }),
  update_instance_priorities: ({ instance }, { choices }) => ({
    body: { data: [{ id: instance, priority_level: choices.pick(['yield', 'normal', 'preferred', 'critical']) }] },
  }),
}

function newProcurement({ trade }: BaseResources): QueryTarget {
  return {
    body: { pool: trade.buying_pool, sku: trade.sku, target: 1, ...procurementPrices, managed_window_minutes: 120 },
  }
}

function procurementChange(_base: BaseResources, { choices }: ValueSource): QueryTarget {
  return { whole: { target: choices.integer(3), ...procurementPrices } }
}

/** A range of whole days. */
function daysOf({ choices }: ValueSource): Record<string, string> {
  const from = (20_000 + choices.integer(1000)) * 24 * hour
  return { from: String(from), to: String(from + (1 + choices.integer(30)) * 24 * hour) }
}

/** Valid user data. */
export const userData = Buffer.from('#cloud-config\n').toString('base64')

/** The matching parts of a request of an operation. None for operations that random requests reach. */
export function targetOf(operation: string, source: ValueSource): QueryTarget {
  const base = source.bases.get(source.account)
  return (base && targets[operation]?.(base, source)) ?? {}
}

function orderOf({ trade }: BaseResources, source: ValueSource): Readonly<Record<string, unknown>> {
  const { choices } = source
  const side = choices.pick(['buy', 'sell'])
  const cents = choices.pick(priceSteps)
  return {
    pool: side === 'buy' ? trade.buying_pool : trade.supply,
    side,
    sku: trade.sku,
    allocation_schedule_delta: [windowOf(source)],
    limit_price_dollars_per_node_hour: `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`,
  }
}

/** One of few supplied windows, so that orders match. */
function windowOf({ choices, now }: ValueSource): { start_at: number; end_at: number; node_count: number } {
  const start_at = Math.ceil((now + 10 * minute) / hour) * hour + choices.integer(20) * hour
  return { start_at, end_at: start_at + hour * (1 + choices.integer(2)), node_count: 1 }
}

function bookQuery({ trade }: BaseResources, source: ValueSource): QueryTarget {
  const { start_at, end_at } = windowOf(source)
  return { query: { requirements: `id:${trade.sku}`, start_at: String(start_at), end_at: String(end_at) } }
}
