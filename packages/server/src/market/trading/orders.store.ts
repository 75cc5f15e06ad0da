import type { Id } from '@bourse/api/kit/ids.ts'
import type { CancelReason } from '@bourse/api/market/order-states.ts'
import type { OrderSide } from '@bourse/api/market/orders.ts'
import { type Db, statement } from '../../core/db/db.ts'
import { jsonRows } from '../../core/db/json-rows.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import {
  type Conditions,
  type ListSpec,
  newestFirst,
  type Page,
  type PageQuery,
  readPage,
} from '../../core/work/page.ts'

/** The states that this server's orders can be in. */
export type StoredState = 'standing' | 'partially_filled' | 'filled' | 'cancelled'

/** An order as it is stored. Schedules are edges: minute, count, minute, count, … */
export type OrderRow = {
  id: Id<'order'>
  account_id: string
  workspace_id: Id<'workspace'>
  pool_id: Id<'pool'>
  sku_id: Id<'sku'>
  side: OrderSide
  state: StoredState
  allow_standing: boolean
  allow_partial: boolean
  start_minute: number
  end_minute: number
  node_count: number
  price_micros: bigint
  seq: number
  remaining: number[]
  filled: number[]
  lapsed: boolean
  filled_node_minutes: number
  filled_value_micros: bigint
  managed_by: string | null
  created_by_token_id: Id<'token'> | null
  created_at: number
  filled_at: number | null
  cancelled_at: number | null
  cancel_reason: CancelReason | null
}

/** What is known of an open order before its book is locked. */
export type OpenOrder = Pick<OrderRow, 'id' | 'sku_id' | 'account_id' | 'side'>

/** What an open order of a pool still wants or offers. */
export type OrderInPool = Pick<OrderRow, 'id' | 'side' | 'price_micros' | 'remaining' | 'managed_by'>

export type FillRow = {
  id: Id<'fill'>
  sku_id: Id<'sku'>
  buy_order_id: Id<'order'>
  sell_order_id: Id<'order'>
  price_micros: bigint
  schedule: number[]
  start_minute: number
  end_minute: number
  node_minutes: number
  value_micros: bigint
  fee_micros: bigint
  filled_at: number
}

/** How many orders an account has open, and what they still want. */
export type UsageRow = { account_id: string; open_orders: number; open_buy_node_minutes: number }

/** What an account is on the market of one SKU. */
export type MarketStanding = UsageRow & {
  is_visible: boolean
  is_holder: boolean
  /** Node-minutes that it owns ahead in its market pools; null where that was not asked for. */
  reserved_node_minutes: number | null
}

const columns = `o.id, o.account_id, o.workspace_id, o.pool_id, o.sku_id, o.side, o.state, o.allow_standing,
  o.allow_partial, o.start_minute, o.end_minute, o.node_count, o.price_micros::numeric as price_micros, o.seq,
  o.remaining, o.filled, o.lapsed, o.filled_node_minutes, o.filled_value_micros::numeric as filled_value_micros,
  o.managed_by, o.created_by_token_id, o.created_at, o.filled_at, o.cancelled_at, o.cancel_reason`
const open = `o.state in ('standing', 'partially_filled')`
const fillColumns = `f.id, f.sku_id, f.buy_order_id, f.sell_order_id, f.price_micros::numeric as price_micros,
  f.schedule, f.start_minute, f.end_minute, f.node_minutes, f.value_micros::numeric as value_micros,
  f.fee_micros::numeric as fee_micros, f.filled_at`

const selectOrder = statement<OrderRow>('market.find_order', `select ${columns} from orders o where o.id = $1`)
/** So many orders are read in one statement: a book of any size stays far below the time that one may take. */
const openPage = 20_000

const selectOpen = statement<OrderRow>(
  'market.list_open_orders',
  `select ${columns} from orders o where o.sku_id = $1 and ${open} and o.seq > $2 order by o.seq limit $3`,
)
// In no order: asked for one by seq, the database walks through all orders that there ever were on the book.
const selectChanged = statement<OrderRow>(
  'market.list_changed_orders',
  `select ${columns} from orders o where o.sku_id = $1 and o.book_version > $2`,
)
const selectSome = statement<OrderRow>(
  'market.list_some_orders',
  `select ${columns} from orders o where o.id = any($1)`,
)
const selectOpenOf = statement<OpenOrder>(
  'market.list_open_orders_of',
  `select o.id, o.sku_id, o.account_id, o.side from orders o
   where ${open} and ($1::text is null or o.account_id = $1) and ($2::text is null or o.managed_by = $2)
     and ($3::text is null or o.sku_id = $3) and ($4::text is null or o.pool_id = $4)
   order by o.sku_id, o.seq`,
)
const selectOpenInPool = statement<OrderInPool>(
  'market.list_open_orders_in_pool',
  `select o.id, o.side, o.price_micros::numeric as price_micros, o.remaining, o.managed_by from orders o
   where o.pool_id = $1 and o.sku_id = $2 and ${open} order by o.seq`,
)
const orderShape = `id text, account_id text, workspace_id text, pool_id text, sku_id text, side text, state text,
  allow_standing boolean, allow_partial boolean, start_minute bigint, end_minute bigint, node_count integer,
  price_micros bigint, seq bigint, remaining jsonb, filled jsonb, lapsed boolean, filled_node_minutes bigint,
  filled_value_micros bigint, managed_by text, created_by_token_id text, created_at bigint, filled_at bigint,
  cancelled_at bigint, cancel_reason text`
const insertRows = statement<never>(
  'market.insert_orders',
  `insert into orders (id, account_id, workspace_id, pool_id, sku_id, side, state, allow_standing, allow_partial,
     start_minute, end_minute, node_count, price_micros, seq, remaining, filled, lapsed, filled_node_minutes,
     filled_value_micros, book_version, managed_by, created_by_token_id, created_at, filled_at, cancelled_at,
     cancel_reason)
   select o.id, o.account_id, o.workspace_id, o.pool_id, o.sku_id, o.side, o.state, o.allow_standing, o.allow_partial,
     o.start_minute, o.end_minute, o.node_count, o.price_micros, o.seq, o.remaining, o.filled, o.lapsed,
     o.filled_node_minutes, o.filled_value_micros, $2, o.managed_by, o.created_by_token_id, o.created_at, o.filled_at,
     o.cancelled_at, o.cancel_reason
   from jsonb_to_recordset($1::jsonb) as o(${orderShape})`,
)
const updateRows = statement<never>(
  'market.update_orders',
  `update orders x set state = o.state, remaining = o.remaining, filled = o.filled, lapsed = o.lapsed,
     filled_node_minutes = o.filled_node_minutes, filled_value_micros = o.filled_value_micros, book_version = $2,
     filled_at = o.filled_at, cancelled_at = o.cancelled_at, cancel_reason = o.cancel_reason
   from jsonb_to_recordset($1::jsonb) as o(id text, state text, remaining jsonb, filled jsonb, lapsed boolean,
     filled_node_minutes bigint, filled_value_micros bigint, filled_at bigint, cancelled_at bigint, cancel_reason text)
   where x.id = o.id`,
)
const insertFillRows = statement<never>(
  'market.insert_fills',
  `insert into fills (id, sku_id, buy_order_id, sell_order_id, price_micros, schedule, start_minute, end_minute,
     node_minutes, value_micros, fee_micros, filled_at)
   select f.id, f.sku_id, f.buy_order_id, f.sell_order_id, f.price_micros, f.schedule, f.start_minute, f.end_minute,
     f.node_minutes, f.value_micros, f.fee_micros, f.filled_at
   from jsonb_to_recordset($1::jsonb) as f(id text, sku_id text, buy_order_id text, sell_order_id text,
     price_micros bigint, schedule jsonb, start_minute bigint, end_minute bigint, node_minutes bigint,
     value_micros bigint, fee_micros bigint, filled_at bigint)`,
)
const selectNewestFills = statement<FillRow & { order_id: Id<'order'> }>(
  'market.list_newest_fills',
  `select o.id as order_id, f.* from unnest($1::text[]) as o(id) cross join lateral (
     select ${fillColumns} from fills f where f.buy_order_id = o.id or f.sell_order_id = o.id
     order by f.filled_at desc, f.id desc limit 100
   ) f`,
)
const selectUsage = statement<UsageRow>(
  'market.list_usage',
  'select account_id, open_orders, open_buy_node_minutes from market_usage where account_id = any($1)',
)
// Each step counts until the end of the span, so the sum over steps is the area under the schedule. The clock is read
// here and not handed in: this travels with the beginning of a transaction, before its time is known. What is looked up
// for one account at a time says `limit 1`, or the planner reads all accounts of the SKU while it thinks them few.
const selectStandings = statement<MarketStanding>(
  'market.list_standings',
  `with clock as (select bourse_now() / 60 as minute),
   seen as (
     select w.account_id, w.is_buyer,
       (select s.listed from skus s where s.id = $1) as is_listed,
       (select true from sku_holdings h where h.account_id = w.account_id and h.sku_id = $1 limit 1) as is_holder,
       (select true from sku_overrides o where o.account_id = w.account_id and o.sku_id = $1 limit 1) as is_let_in
     from jsonb_to_recordset($2::jsonb) as w(account_id text, is_buyer boolean)
   )
   select w.account_id, coalesce(u.open_orders, 0) as open_orders,
     coalesce(u.open_buy_node_minutes, 0) as open_buy_node_minutes, coalesce(w.is_holder, false) as is_holder,
     coalesce(w.is_listed or w.is_holder or w.is_let_in, false) as is_visible,
     case when w.is_buyer then (
       select coalesce(sum(a.delta * ((select minute from clock) + $3::bigint
         - greatest(a.minute, (select minute from clock)))), 0)::bigint
       from pools p join pool_allocation a on a.pool_id = p.id
       where p.account_id = w.account_id and p.kind = 'market' and p.deleted_at is null
         and a.minute < (select minute from clock) + $3::bigint
     ) end as reserved_node_minutes
   from seen w left join market_usage u on u.account_id = w.account_id`,
)
const upsertUsage = statement<never>(
  'market.put_usage',
  `insert into market_usage (account_id, open_orders, open_buy_node_minutes)
   select u.account_id, u.open_orders, u.open_buy_node_minutes
   from jsonb_to_recordset($1::jsonb) as u(account_id text, open_orders bigint, open_buy_node_minutes bigint)
   order by u.account_id
   on conflict (account_id) do update set open_orders = excluded.open_orders,
     open_buy_node_minutes = excluded.open_buy_node_minutes`,
)

/** An order of whatever account. */
export function findOrder(db: Db, id: string): Promise<OrderRow | undefined> {
  return db.row(selectOrder, [id])
}

/** Everything that rests on a book, oldest first. */
export async function listOpenOrders(db: Db, sku_id: string): Promise<OrderRow[]> {
  const found: OrderRow[] = []
  for (;;) {
    const page = await db.rows(selectOpen, [sku_id, found.at(-1)?.seq ?? 0, openPage])
    for (const row of page) found.push(row)
    if (page.length < openPage) return found
  }
}

/** The orders of a book that changed after a version, ended ones too. */
export function listChangedOrders(db: Db, sku_id: string, version: number): Promise<OrderRow[]> {
  return db.rows(selectChanged, [sku_id, version])
}

/** Some orders by their ids. */
export function listSomeOrders(db: Db, ids: readonly string[]): Promise<OrderRow[]> {
  return db.rows(selectSome, [ids])
}

/** The open orders of an account, of an automation, on a SKU or for a pool; without a lock. */
export function listOpenOrdersOf(
  db: Db,
  {
    account_id,
    managed_by,
    sku_id,
    pool_id,
  }: Partial<Record<'account_id' | 'managed_by' | 'sku_id' | 'pool_id', string>>,
): Promise<OpenOrder[]> {
  return db.rows(selectOpenOf, [account_id ?? null, managed_by ?? null, sku_id ?? null, pool_id ?? null])
}

/** What is open for a pool on one SKU, oldest first. */
export function listOpenInPool(
  db: Db,
  { pool_id, sku_id }: { readonly pool_id: string; readonly sku_id: string },
): Promise<OrderInPool[]> {
  return db.rows(selectOpenInPool, [pool_id, sku_id])
}

export async function insertOrders(db: Db, rows: readonly OrderRow[], book_version: number): Promise<void> {
  await db.run(insertRows, [jsonRows(rows), book_version])
}

/** Brings rows up to date; of each only what trading changes is looked at. */
export async function updateOrders(
  db: Db,
  rows: readonly { readonly id: string }[],
  book_version: number,
): Promise<void> {
  await db.run(updateRows, [jsonRows(rows), book_version])
}

export async function insertFills(db: Db, rows: readonly FillRow[]): Promise<void> {
  await db.run(insertFillRows, [jsonRows(rows)])
}

/** The newest 100 fills of each of some orders, newest first. */
export function listNewestFills(
  db: Db,
  order_ids: readonly string[],
): Promise<(FillRow & { order_id: Id<'order'> })[]> {
  return db.rows(selectNewestFills, [order_ids])
}

/** Counts of some accounts; one that never ordered has no row. */
export function listUsage(db: Db, account_ids: readonly string[]): Promise<UsageRow[]> {
  return db.rows(selectUsage, [account_ids])
}

/** What some accounts are on the market of a SKU; `minutes` is how far ahead what buyers own is counted. */
export function listStandings(
  db: Db,
  sku_id: string,
  { accounts, minutes }: { accounts: readonly { account_id: string; is_buyer: boolean }[]; minutes: number },
): Promise<MarketStanding[]> {
  return accounts.length === 0
    ? Promise.resolve([])
    : db.rows(selectStandings, [sku_id, JSON.stringify(accounts), minutes])
}

export async function putUsage(db: Db, rows: readonly UsageRow[]): Promise<void> {
  await db.run(upsertUsage, [JSON.stringify(rows)])
}

/** A page of orders; `where` says which. */
export function listOrders(
  ctx: Ctx,
  query: PageQuery,
  { where, sort }: { where: Conditions; sort: ListSpec<OrderRow>['sort'] },
): Promise<Page<OrderRow>> {
  return readPage<OrderRow>(ctx, { prefix: 'ordrc', query, select: `select ${columns} from orders o`, where, sort })
}

/** A page of the fills of one order, newest first. */
export function listFills(
  ctx: Ctx,
  query: PageQuery,
  { list, where }: { list: string; where: Conditions },
): Promise<Page<FillRow>> {
  const sort = newestFirst<FillRow & { created_at: number }>('f')
  return readPage<FillRow>(ctx, {
    prefix: 'fillc',
    list,
    query,
    select: `select ${fillColumns} from fills f`,
    where,
    sort: { ...sort, columns: ['f.filled_at', 'f.id'], keys: (row) => [row.filled_at, row.id] },
  })
}
