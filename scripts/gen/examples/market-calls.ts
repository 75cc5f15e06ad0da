/** Calls of the market and of money. */
import { type Calls, hour } from './example-call.ts'

const account = { account: 'acme' }

export const marketCalls: Calls = ({ ids, now }) => [
  { operation: 'list_skus', query: { limit: 2 } },
  { operation: 'get_sku', params: { id: ids.sku } },
  { operation: 'list_sku_properties' },
  { operation: 'create_pool', body: { name: 'bought', tags: { team: 'training' } } },
  { operation: 'list_pools', query: { limit: 2 } },
  {
    operation: 'create_order_estimate',
    body: { side: 'buy', sku: ids.sku, start_at: now + hour, duration_seconds: 2 * hour, node_count: 2 },
  },
  ({ made }) => ({
    operation: 'create_order',
    body: { ...made('create_order_estimate').post_order_body, pool: 'svc:pool:acme:default:bought' },
  }),
  { operation: 'list_orders', query: { limit: 2 } },
  ({ made }) => ({ operation: 'get_order', params: { id: made('create_order').id } }),
  ({ made }) => ({ operation: 'list_order_fills', params: { id: made('create_order').id } }),
  ({ made }) => ({ operation: 'explain_order', params: { id: made('create_order').id } }),
  // It rests, so that it can be amended.
  ({ made }) => ({
    operation: 'create_order',
    body: {
      ...made('create_order_estimate').post_order_body,
      pool: 'svc:pool:acme:default:bought',
      limit_price_dollars_per_node_hour: '1.00',
      allow_standing: true,
      allow_partial: true,
    },
  }),
  ({ made }) => ({
    operation: 'amend_order',
    params: { id: made('create_order').id },
    body: { node_count: 3, limit_price_dollars_per_node_hour: '1.10' },
  }),
  { operation: 'get_pool', params: { id: 'svc:pool:acme:default:bought' } },
  {
    operation: 'update_pool',
    params: { id: 'svc:pool:acme:default:bought' },
    body: { name: 'training-extra', tags: { team: 'training', stage: 'test' } },
  },
  { operation: 'get_balance' },
  { operation: 'put_balance_threshold', body: { low_at_dollars: '50.00' } },
  { operation: 'list_transactions', query: { limit: 2 } },
  { operation: 'create_pool', body: { name: 'spare-nodes' } },
  {
    operation: 'create_pool_transfer',
    body: {
      from_pool: 'svc:pool:acme:default:training-extra',
      to_pool: 'svc:pool:acme:default:spare-nodes',
      sku: ids.sku,
      allocation_schedule_delta: [{ start_at: now + hour, end_at: now + 2 * hour, node_count: 1 }],
    },
  },
  { operation: 'list_pool_transfers' },
  ({ made }) => ({ operation: 'get_pool_transfer', params: { id: made('create_pool_transfer').id } }),
  ({ made }) => ({
    operation: 'create_order',
    body: {
      ...made('create_order_estimate').post_order_body,
      ...resting,
      pool: 'svc:pool:acme:default:training-extra',
    },
  }),
  ({ made }) => ({ operation: 'cancel_order', params: { id: made('create_order').id } }),
  { operation: 'create_pool', body: { name: 'scratch' } },
  { operation: 'delete_pool', params: { id: 'svc:pool:acme:default:scratch' } },
]

export const bookCalls: Calls = ({ ids, now }) => [
  { operation: 'list_orderbook_windows', query: { range_start_at: now, range_end_at: now + 6 * hour, limit: 2 } },
  { operation: 'get_orderbook_status', query: { sku: ids.sku } },
  {
    operation: 'get_orderbook_quote',
    query: { requirements: 'alias:h100-west', start_at: now + hour, end_at: now + 2 * hour },
  },
  {
    operation: 'get_orderbook_depth',
    query: { requirements: 'alias:h100-west', start_at: now + hour, end_at: now + 2 * hour },
  },
  {
    operation: 'list_orderbook_fills',
    query: { requirements: 'alias:h100-west', start_at: now + hour, end_at: now + 2 * hour, limit: 2 },
  },
  {
    operation: 'get_orderbook_curve',
    query: { sku: ids.sku, from: now + hour, to: now + 3 * hour, length_minutes: 120, node_count: 2 },
  },
  { operation: 'get_orderbook_board', query: { sku: [ids.sku], hours: 2 } },
  { operation: 'get_orderbook_heatmap', query: { sku: [ids.sku], from: now, to: now + 2 * hour } },
  { operation: 'list_price_history', query: { sku: ids.sku } },
  { operation: 'list_sku_availability', query: { start_at: now + hour, end_at: now + 2 * hour } },
  {
    operation: 'get_sku_availability',
    params: { id: ids.sku },
    query: { start_at: now + hour, end_at: now + 2 * hour },
  },
]

const resting = { limit_price_dollars_per_node_hour: '1.50', allow_standing: true }

export const moneyCalls: Calls = ({ now }) => {
  const day = now - (now % (24 * hour))
  const days = { from: day - 24 * hour, to: day + 24 * hour }
  return [
    { operation: 'list_all_audit_entries', as: 'platform', query: { limit: 2, operation: 'create_account' } },
    { operation: 'list_revenue', as: 'platform', query: { from: new Date(now * 1000).toISOString().slice(0, 7) } },
    { operation: 'list_platform_usage', as: 'platform', query: { ...days, account: 'acme' } },
    { operation: 'list_platform_orders', as: 'platform', query: { account: 'acme', limit: 2 } },
    { operation: 'list_platform_instances', as: 'platform', query: { account: 'acme', limit: 2 } },
    { operation: 'list_platform_pools', as: 'platform', query: { account: 'acme', limit: 2 } },
    { operation: 'list_platform_skus', as: 'platform', query: { limit: 2 } },
    { operation: 'list_usage', query: days },
    { operation: 'get_statement', params: { month: new Date(now * 1000).toISOString().slice(0, 7) } },
    {
      operation: 'create_account_transaction',
      as: 'platform',
      params: account,
      body: { type: 'manual_payment', amount_dollars: '2500.00', description: 'Invoice 2026-118' },
    },
    { operation: 'list_account_transactions', as: 'platform', params: account, query: { limit: 2 } },
    { operation: 'put_credit_limit', as: 'platform', params: account, body: { credit_limit_dollars: '1000.00' } },
  ]
}

const keepTwo = {
  name: 'keep-two',
  pool: 'svc:pool:acme:default:training-extra',
  target: 2,
  min_sell_price_dollars_per_node_hour: '12.00',
  max_buy_price_dollars_per_node_hour: '20.00',
  managed_window_minutes: 180,
}

export const procurementCalls: Calls = ({ ids }) => [
  { operation: 'create_procurement_estimate', body: { ...keepTwo, sku: ids.sku } },
  {
    operation: 'create_procurement',
    body: { ...keepTwo, sku: ids.sku },
    after: 'a minute passes',
  },
  { operation: 'list_procurements' },
  { operation: 'get_procurement', params: { id: 'svc:procurement:acme:default:keep-two' } },
  { operation: 'list_holds' },
  {
    operation: 'create_procurement_update_estimate',
    params: { id: 'svc:procurement:acme:default:keep-two' },
    body: { target: 4 },
  },
  {
    operation: 'update_procurement',
    params: { id: 'svc:procurement:acme:default:keep-two' },
    body: { target: 3, max_buy_price_dollars_per_node_hour: '18.50' },
  },
  { operation: 'delete_procurement', params: { id: 'svc:procurement:acme:default:keep-two' } },
]
