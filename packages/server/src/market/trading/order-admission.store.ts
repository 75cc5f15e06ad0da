import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { OrderUsageRow } from './trading.rules.ts'

/** The position of an account in the market of one SKU. */
export type MarketStanding = OrderUsageRow & {
  is_visible: boolean
  is_holder: boolean
  /** Node-minutes that it owns ahead in its market pools; null where they were not requested. */
  reserved_node_minutes: number | null
}

/** The minutes of a pool's stock that its sells touch. Steps before the window count as one step at its start. */
export type StockWindow = { readonly pool_id: string; readonly from_minute: number; readonly end_minute: number }
export type StockDelta = { pool_id: Id<'pool'>; is_promise: boolean; minute: number; delta: number }

const selectUsage = statement<OrderUsageRow>(
  'market.list_usage',
  `select account_id, open_orders, open_buy_node_minutes
   from market_usage
   where account_id = any($1)`,
)
const selectReserved = statement<{ account_id: string; node_minutes: number }>(
  'market.list_reserved',
  `select p.account_id, sum(a.delta * ($3::bigint - greatest(a.minute, $2::bigint)))::bigint as node_minutes
   from pools p
   join pool_allocation a on a.pool_id = p.id
   where p.account_id = any($1) and p.kind = 'market' and p.deleted_at is null and a.minute < $3::bigint
   group by p.account_id`,
)
// Each step counts until the end of the span, so the sum over steps is the area under the schedule. The clock is read
// in SQL because the statement is sent with the beginning of a transaction, before its time is known. The scalar
// subqueries carry `limit 1`: without it the planner, which expects few accounts, reads all accounts of the SKU.
const selectStandings = statement<MarketStanding>(
  'market.list_standings',
  `with clock as (
     select bourse_now() / 60 as minute
   ),
   seen as (
     select w.account_id, w.is_buyer,
       (select s.listed from skus s where s.id = $1) as is_listed,
       (select true from sku_holdings h where h.account_id = w.account_id and h.sku_id = $1 limit 1) as is_holder,
       (select true from sku_overrides o where o.account_id = w.account_id and o.sku_id = $1 limit 1) as is_let_in
     from jsonb_to_recordset($2::jsonb) as w(account_id text, is_buyer boolean)
   )
   select w.account_id,
     coalesce(u.open_orders, 0) as open_orders,
     coalesce(u.open_buy_node_minutes, 0) as open_buy_node_minutes,
     coalesce(w.is_holder, false) as is_holder,
     coalesce(w.is_listed or w.is_holder or w.is_let_in, false) as is_visible,
     case when w.is_buyer then (
       select coalesce(sum(a.delta * ((select minute from clock) + $3::bigint
         - greatest(a.minute, (select minute from clock)))), 0)::bigint
       from pools p
       join pool_allocation a on a.pool_id = p.id
       where p.account_id = w.account_id and p.kind = 'market' and p.deleted_at is null
         and a.minute < (select minute from clock) + $3::bigint
     ) end as reserved_node_minutes
   from seen w
   left join market_usage u on u.account_id = w.account_id`,
)
// The limits are never reached. Without them the planner reads all pools of the SKU at once and sorts them.
const selectStock = statement<StockDelta>(
  'market.list_stock_within',
  `with wanted as (
     select *
     from jsonb_to_recordset($2::jsonb) as w(pool_id text, from_minute bigint, end_minute bigint)
   )
   select w.pool_id, false as is_promise, d.minute, d.delta
   from wanted w
   cross join lateral (
     select greatest(a.minute, w.from_minute) as minute, sum(a.delta)::bigint as delta
     from pool_allocation a
     where a.pool_id = w.pool_id and a.sku_id = $1 and a.minute < w.end_minute
     group by greatest(a.minute, w.from_minute)
     limit 1000000
   ) d
   union all
   select w.pool_id, true as is_promise, d.minute, d.delta
   from wanted w
   cross join lateral (
     select greatest(p.minute, w.from_minute) as minute, sum(p.delta)::bigint as delta
     from pool_promise p
     where p.pool_id = w.pool_id and p.sku_id = $1 and p.minute < w.end_minute
     group by greatest(p.minute, w.from_minute)
     limit 1000000
   ) d`,
)

/** The open-order counts of some accounts. An account that never ordered has no row. */
export function listUsage(db: Db, accountIds: readonly string[]): Promise<OrderUsageRow[]> {
  return db.rows(selectUsage, [accountIds])
}

/**
 * Node-minutes that accounts own ahead in their market pools, between two minutes. Each step counts until the end of
 * the span, so the sum over steps is the area under the schedule.
 */
export function listReserved(
  db: Db,
  accountIds: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<{ account_id: string; node_minutes: number }[]> {
  return db.rows(selectReserved, [accountIds, from, to])
}

/** The positions of some accounts in the market of a SKU. `minutes` is how far ahead owned capacity counts. */
export function listStandings(
  db: Db,
  skuId: string,
  { accounts, minutes }: { accounts: readonly { account_id: string; is_buyer: boolean }[]; minutes: number },
): Promise<MarketStanding[]> {
  return accounts.length === 0
    ? Promise.resolve([])
    : db.rows(selectStandings, [skuId, JSON.stringify(accounts), minutes])
}

/** Allocation and promises of some pools on one SKU, each within a window. */
export function listStockWithin(db: Db, skuId: string, windows: readonly StockWindow[]): Promise<StockDelta[]> {
  return windows.length === 0 ? Promise.resolve([]) : db.rows(selectStock, [skuId, JSON.stringify(windows)])
}
