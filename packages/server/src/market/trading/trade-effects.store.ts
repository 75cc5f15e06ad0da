import { type Db, statement } from '../../core/db/db.ts'
import { jsonRows } from '../../core/db/json-rows.ts'
import type { AllocationDelta } from '../pools/pools.rules.ts'
import type { NewFillRow, OrderRow, OrderUsageRow } from './trading.rules.ts'

const orderShape = `id text, account_id text, workspace_id text, pool_id text, sku_id text, side text, state text,
     allow_standing boolean, allow_partial boolean, start_minute bigint, end_minute bigint, node_count integer,
     price_micros bigint, seq bigint, priority_seq bigint, requested jsonb, filled_before jsonb, remaining jsonb,
     filled jsonb, lapsed boolean, filled_node_minutes bigint, filled_value_micros bigint, filled_cut_sixtieths bigint,
     managed_by text, amends text, amended_by text, created_by_token_id text, created_at bigint, filled_at bigint,
     cancelled_at bigint, cancel_reason text`
const changeShape = `id text, state text, remaining jsonb, filled jsonb, lapsed boolean, filled_node_minutes bigint,
     filled_value_micros bigint, filled_cut_sixtieths bigint, filled_at bigint, cancelled_at bigint,
     cancel_reason text, amended_by text`
const fillShape = `id text, sku_id text, buy_order_id text, sell_order_id text, price_micros bigint, schedule jsonb,
     start_minute bigint, end_minute bigint, node_minutes bigint, value_micros bigint, fee_micros bigint,
     filled_at bigint, buyer_id text, seller_id text`

const insertOrderRows = statement<never>(
  'market.insert_orders',
  `insert into orders (id, account_id, workspace_id, pool_id, sku_id, side, state, allow_standing, allow_partial,
     start_minute, end_minute, node_count, price_micros, seq, priority_seq, requested, filled_before, remaining, filled,
     lapsed, filled_node_minutes, filled_value_micros, filled_cut_sixtieths, book_version, managed_by, amends,
     amended_by, created_by_token_id, created_at, filled_at, cancelled_at, cancel_reason)
   select o.id, o.account_id, o.workspace_id, o.pool_id, o.sku_id, o.side, o.state, o.allow_standing, o.allow_partial,
     o.start_minute, o.end_minute, o.node_count, o.price_micros, o.seq, o.priority_seq, o.requested, o.filled_before,
     o.remaining, o.filled, o.lapsed, o.filled_node_minutes, o.filled_value_micros, o.filled_cut_sixtieths, $2,
     o.managed_by, o.amends, o.amended_by, o.created_by_token_id, o.created_at, o.filled_at, o.cancelled_at,
     o.cancel_reason
   from jsonb_to_recordset($1::jsonb) as o(${orderShape})`,
)
const updateOrderRows = statement<never>(
  'market.update_orders',
  `update orders x
   set state = o.state, remaining = o.remaining, filled = o.filled, lapsed = o.lapsed,
     filled_node_minutes = o.filled_node_minutes, filled_value_micros = o.filled_value_micros,
     filled_cut_sixtieths = o.filled_cut_sixtieths, book_version = $2, filled_at = o.filled_at,
     cancelled_at = o.cancelled_at, cancel_reason = o.cancel_reason, amended_by = o.amended_by
   from jsonb_to_recordset($1::jsonb) as o(${changeShape})
   where x.id = o.id`,
)
// Two accounts often have many fills in one batch, so their people are compared once.
const insertFillRows = statement<never>(
  'market.insert_fills',
  `with f as materialized (
     select *
     from jsonb_to_recordset($1::jsonb) as f(${fillShape})
   ), pairs as materialized (
     select p.buyer_id, p.seller_id, exists (select from shared_people(p.buyer_id, p.seller_id)) as related
     from (select distinct f.buyer_id, f.seller_id from f) p
   )
   insert into fills (id, sku_id, buy_order_id, sell_order_id, price_micros, schedule, start_minute, end_minute,
     node_minutes, value_micros, fee_micros, filled_at, has_events, related)
   select f.id, f.sku_id, f.buy_order_id, f.sell_order_id, f.price_micros, f.schedule, f.start_minute, f.end_minute,
     f.node_minutes, f.value_micros, f.fee_micros, f.filled_at, true, p.related
   from f
   join pairs p on p.buyer_id = f.buyer_id and p.seller_id = f.seller_id`,
)
// Rows go in by primary key, so that two transactions that touch the same rows lock them in one order.
const addPromiseRows = statement<never>(
  'market.add_promises',
  `insert into pool_promise (pool_id, sku_id, minute, delta)
   select d.pool_id, d.sku_id, d.minute, d.delta
   from jsonb_to_recordset($1::jsonb) as d(pool_id text, sku_id text, minute bigint, delta bigint)
   order by d.pool_id, d.sku_id, d.minute
   on conflict (pool_id, sku_id, minute) do update set delta = pool_promise.delta + excluded.delta`,
)
const upsertUsage = statement<never>(
  'market.put_usage',
  `insert into market_usage (account_id, open_orders, open_buy_node_minutes)
   select u.account_id, u.open_orders, u.open_buy_node_minutes
   from jsonb_to_recordset($1::jsonb) as u(account_id text, open_orders bigint, open_buy_node_minutes bigint)
   order by u.account_id
   on conflict (account_id) do update
   set open_orders = excluded.open_orders, open_buy_node_minutes = excluded.open_buy_node_minutes`,
)

export async function insertOrders(db: Db, rows: readonly OrderRow[], bookVersion: number): Promise<void> {
  await db.run(insertOrderRows, [jsonRows(rows), bookVersion])
}

/** Updates the columns of orders that trading changes. */
export async function updateOrders(
  db: Db,
  rows: readonly { readonly id: string }[],
  bookVersion: number,
): Promise<void> {
  await db.run(updateOrderRows, [jsonRows(rows), bookVersion])
}

export async function insertFills(db: Db, rows: readonly NewFillRow[]): Promise<void> {
  await db.run(insertFillRows, [jsonRows(rows)])
}

/** Adds to the promises of pools on a SKU. The caller holds the book of the SKU. */
export async function addPromises(db: Db, deltas: readonly AllocationDelta[]): Promise<void> {
  await db.run(addPromiseRows, [JSON.stringify(deltas)])
}

export async function putUsage(db: Db, rows: readonly OrderUsageRow[]): Promise<void> {
  await db.run(upsertUsage, [JSON.stringify(rows)])
}
