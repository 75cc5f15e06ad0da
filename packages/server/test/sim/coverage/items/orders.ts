/** Orders: refusals, complete and partial fills, resales, and each cancel reason. */
import { done, type Item, type Pass, refusal } from '../item.ts'
import {
  email,
  hour,
  keyed,
  newAccount,
  newDeployment,
  newPool,
  newSku,
  oncePerKey,
  orderBody,
  retiredSku,
  window,
} from '../parts.ts'

const cheap = '0.010000'

/** An offer of the account's own supply. */
function offer(pass: Pass, fields: object = {}): object {
  return orderBody(pass, { side: 'sell', pool: pass.fixtures.pools.supply }, fields)
}

function bid(pass: Pass, fields: object = {}) {
  const body = orderBody(pass, { side: 'buy', pool: pass.fixtures.partner_pool }, fields)
  return { by: pass.partner, body }
}

export const orderItems: readonly Item[] = [
  {
    name: 'refused-orders',
    covers: [
      refusal('create_order', 'payment_required'),
      refusal('create_order', 'sku_not_available'),
      refusal('create_order', 'pool_kind_not_allowed'),
      refusal('create_order', 'in_the_past'),
      refusal('create_order', 'beyond_horizon'),
      refusal('create_order', 'insufficient_allocation'),
    ],
    work: async (pass) => {
      const buy = (fields: object) => ({ body: orderBody(pass, { side: 'buy', price: cheap }, fields) })
      const dear = { limit_price_dollars_per_node_hour: '9000.000000' }
      const past = { allocation_schedule_delta: [window(pass, -300, 60)] }
      const far = { allocation_schedule_delta: [window(pass, 3 * 365 * 24 * 60, 60)] }
      await pass.refuse('create_order', 'payment_required', buy(dear))
      await pass.refuse('create_order', 'sku_not_available', buy({ sku: await retiredSku(pass) }))
      await pass.refuse('create_order', 'pool_kind_not_allowed', buy({ pool: pass.fixtures.pools.read_only }))
      await pass.refuse('create_order', 'in_the_past', buy(past))
      await pass.refuse('create_order', 'beyond_horizon', buy(far))
      const empty = orderBody(pass, { side: 'sell', pool: await newPool(pass) })
      await pass.refuse('create_order', 'insufficient_allocation', { body: empty })
    },
  },
  {
    name: 'order-life',
    covers: [
      ...keyed('create_order'),
      done('get_order'),
      done('explain_order'),
      done('cancel_order'),
      'cancelled user',
      refusal('cancel_order', 'order_final'),
      'action order.created',
      'action order.cancelled',
      'releases',
      'reference transactions',
    ],
    work: async (pass) => {
      const body = orderBody(pass, { side: 'buy', price: cheap })
      const other = { limit_price_dollars_per_node_hour: '0.020000' }
      const { id } = await oncePerKey(pass, 'create_order', { body }, other)
      await pass.ok('get_order', { id })
      await pass.ok('explain_order', { id })
      await pass.ok('cancel_order', { id })
      await pass.refuse('cancel_order', 'order_final', { id })
    },
  },
  {
    name: 'amended-orders',
    covers: [
      ...keyed('amend_order'),
      'cancelled amended',
      refusal('amend_order', 'order_final'),
      refusal('amend_order', 'order_managed'),
      refusal('amend_order', 'already_filled'),
      refusal('create_order_estimate', 'already_filled'),
      refusal('amend_order', 'payment_required'),
      refusal('amend_order', 'in_the_past'),
      refusal('amend_order', 'beyond_horizon'),
      refusal('amend_order', 'insufficient_allocation'),
    ],
    work: async (pass) => {
      const price = (dollars: string) => ({ limit_price_dollars_per_node_hour: dollars })
      const two = { allocation_schedule_delta: [window(pass, 10, 30, 2)] }
      const { id } = await pass.ok('create_order', { body: orderBody(pass, { side: 'buy', price: cheap }, two) })
      const far = window(pass, 3 * 365 * 24 * 60, 60)
      await pass.refuse('amend_order', 'payment_required', { id, body: price('9000.000000') })
      await pass.refuse('amend_order', 'in_the_past', { id, body: { start_at: window(pass, -300, 60).start_at } })
      await pass.refuse('amend_order', 'beyond_horizon', { id, body: { end_at: far.end_at } })
      const next = await oncePerKey(pass, 'amend_order', { id, body: { node_count: 1 } }, price('0.020000'))
      await pass.refuse('amend_order', 'order_final', { id, body: { node_count: 1 } })
      await pass.ok('cancel_order', { id: next.id })
      const offered = await pass.ok('create_order', { body: offer(pass, two) })
      await pass.refuse('amend_order', 'insufficient_allocation', { id: offered.id, body: { node_count: 9000 } })
      await pass.ok('create_order', bid(pass))
      const less = { start_at: window(pass, 10, 30).start_at, node_count: 1 }
      await pass.refuse('amend_order', 'already_filled', { id: offered.id, body: less })
      const { start_at } = window(pass, 10, 30)
      const again = { start_at, duration_seconds: 30 * 60, node_count: 1, amends: offered.id }
      const asked = { side: 'sell', sku: pass.fixtures.sku, pool: pass.fixtures.pools.supply, ...again }
      await pass.refuse('create_order_estimate', 'already_filled', { body: asked })
      await pass.ok('cancel_order', { id: offered.id })
      const spot = { kind: 'spot', max_buy_price_dollars_per_node_hour: cheap, target_instance_count: 1 }
      const deployment = await newDeployment(pass, { ...spot, pool: await newPool(pass) })
      await pass.advance(1)
      const { data } = await pass.ok('list_orders', { query: `deployment=${deployment}&state=standing` })
      await pass.refuse('amend_order', 'order_managed', { id: data[0].id, body: { node_count: 2 } })
      await pass.ok('delete_deployment', { id: deployment })
    },
  },
  {
    name: 'fills-and-a-resale',
    covers: [
      'fills',
      'partial fills',
      'partly filled orders',
      'resales',
      'action order.partially_filled',
      'action order.filled',
      done('list_order_fills'),
      done('list_orderbook_fills'),
    ],
    work: async (pass) => {
      const two = { allocation_schedule_delta: [window(pass, 10, 30, 2)] }
      const { id } = await pass.ok('create_order', { body: offer(pass, two) })
      await pass.ok('create_order', bid(pass))
      await pass.ok('list_order_fills', { id })
      const resale = orderBody(pass, { side: 'sell', pool: pass.fixtures.partner_pool })
      await pass.ok('create_order', { by: pass.partner, body: resale })
      await pass.ok('cancel_order', { id })
      await pass.ok('create_order', { body: orderBody(pass, { side: 'buy' }) })
      const { start_at, end_at } = window(pass, 0, 60)
      await pass.ok('list_orderbook_fills', { query: `start_at=${start_at}&end_at=${end_at}` })
    },
  },
  {
    name: 'related-trades',
    covers: ['related fills'],
    work: async (pass) => {
      const person = { body: { email: email(pass) } }
      const [own, theirs] = [await pass.ok('create_user', person), { by: pass.partner, ...person }]
      const { id } = await pass.ok('create_user', theirs)
      await pass.ok('create_order', { body: offer(pass) })
      await pass.ok('create_order', bid(pass))
      await pass.ok('delete_user', { id: own.id })
      await pass.ok('delete_user', { by: pass.partner, id })
    },
  },
  {
    name: 'unfilled-and-expired-orders',
    covers: ['cancelled unfilled', 'cancelled expired'],
    work: async (pass) => {
      const body = orderBody(pass, { side: 'buy', price: cheap }, { allow_standing: false })
      await pass.ok('create_order', { body })
      const soon = { allocation_schedule_delta: [window(pass, 1, 2)] }
      await pass.ok('create_order', { body: orderBody(pass, { side: 'buy', price: cheap }, soon) })
      await pass.advance(5 * 60)
    },
  },
  {
    name: 'orders-of-a-retired-sku',
    covers: ['cancelled sku_retired', refusal('amend_order', 'sku_not_available')],
    work: async (pass) => {
      const sku = await newSku(pass)
      const { id } = await pass.ok('create_order', { body: orderBody(pass, { side: 'buy', price: cheap, sku }) })
      await pass.ok('retire_sku', { by: pass.platform, id: sku })
      await pass.refuse('amend_order', 'sku_not_available', { id, body: { node_count: 2 } })
      await pass.advance(1)
    },
  },
  {
    name: 'orders-of-a-frozen-account',
    covers: ['cancelled account_frozen'],
    work: async (pass) => {
      const by = await newAccount(pass)
      const params = { account: by.id }
      const money = { type: 'credit_grant', amount_dollars: '10.000000', description: 'To begin with.' }
      await pass.ok('create_account_transaction', { by: pass.platform, params, body: money })
      const { id: pool } = await pass.ok('create_pool', { by, body: {} })
      await pass.ok('create_order', { by, body: orderBody(pass, { side: 'buy', price: cheap, pool }) })
      await pass.ok('freeze_account', { by: pass.platform, params })
      await pass.advance(1)
      await pass.ok('unfreeze_account', { by: pass.platform, params })
    },
  },
  {
    name: 'orders-of-automations',
    covers: ['cancelled automation', 'cancelled deployment_deleted'],
    work: async (pass) => {
      const pool = await newPool(pass)
      const spot = { kind: 'spot', max_buy_price_dollars_per_node_hour: cheap, target_instance_count: 1, pool }
      const deployment = await newDeployment(pass, spot)
      await pass.advance(1)
      await pass.ok('update_deployment', { id: deployment, body: { max_buy_price_dollars_per_node_hour: '0.020000' } })
      await pass.advance(1)
      await pass.ok('delete_deployment', { id: deployment })
      await pass.advance(1)
    },
  },
  {
    name: 'order-book-views',
    covers: [
      done('get_orderbook_quote'),
      done('get_orderbook_depth'),
      done('list_orderbook_windows'),
      done('get_orderbook_status'),
      refusal('get_orderbook_status', 'sku_not_available'),
      done('get_orderbook_curve'),
      done('get_orderbook_board'),
      done('get_orderbook_heatmap'),
      refusal('get_orderbook_curve', 'sku_not_available'),
      refusal('get_orderbook_curve', 'range_too_long'),
      refusal('get_orderbook_heatmap', 'range_too_long'),
      done('list_price_history'),
      refusal('list_price_history', 'range_too_long'),
      refusal('list_orderbook_fills', 'too_old'),
    ],
    work: async (pass) => {
      const from = pass.context.now - (pass.context.now % hour)
      const range = `start_at=${from}&end_at=${from + 6 * hour}`
      const ago = from - 31 * 24 * hour
      await pass.ok('get_orderbook_status', { query: `sku=${pass.fixtures.sku}` })
      await pass.refuse('get_orderbook_status', 'sku_not_available', { query: 'sku=sku_missing' })
      await pass.ok('get_orderbook_quote', { query: range })
      await pass.ok('get_orderbook_depth', { query: range })
      const windows = `range_start_at=${from}&range_end_at=${from + 6 * hour}`
      await pass.ok('list_orderbook_windows', { query: windows })
      const curve = `sku=${pass.fixtures.sku}`
      await pass.ok('get_orderbook_curve', { query: `${curve}&from=${from}` })
      await pass.ok('get_orderbook_board', { query: curve })
      await pass.ok('get_orderbook_heatmap', { query: `${curve}&from=${from}` })
      await pass.refuse('get_orderbook_curve', 'sku_not_available', { query: 'sku=sku_missing' })
      const tooMany = `${curve}&from=${from}&to=${from + 30 * 24 * hour}`
      await pass.refuse('get_orderbook_curve', 'range_too_long', { query: tooMany })
      await pass.refuse('get_orderbook_heatmap', 'range_too_long', { query: tooMany })
      await pass.ok('list_price_history', { query: `sku=${pass.fixtures.sku}&interval=hour` })
      const long = `interval=minute&since=${ago}&until=${from}`
      await pass.refuse('list_price_history', 'range_too_long', { query: long })
      await pass.refuse('list_orderbook_fills', 'too_old', { query: `${range}&since_at=${ago}` })
    },
  },
]
