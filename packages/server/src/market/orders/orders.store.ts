import type { Id } from '@bourse/api/kit/ids.ts'
import { fillsShownMax } from '@bourse/api/market/orders.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import {
  type Conditions,
  type ListSpec,
  newestFirst,
  type Page,
  type PageQuery,
  readPage,
} from '../../core/work/page.ts'
import { fillColumns, isOpenSql, type OrderRow, orderColumns, type StoredFillRow } from '../trading/trading.rules.ts'

/** What a command knows of an open order before it locks the book. */
type OpenOrder = Pick<OrderRow, 'id' | 'sku_id' | 'account_id' | 'side'>

const selectOrder = statement<OrderRow>(
  'market.find_order',
  `select ${orderColumns}
   from orders o
   where o.id = $1`,
)
const selectOrders = statement<OrderRow>(
  'market.find_orders',
  `select ${orderColumns}
   from orders o
   where o.id = any($1)`,
)
const selectOpenOf = statement<OpenOrder>(
  'market.list_open_orders_of',
  `select o.id, o.sku_id, o.account_id, o.side
   from orders o
   where ${isOpenSql}
     and ($1::text is null or o.account_id = $1)
     and ($2::text is null or o.managed_by = $2)
     and ($3::text is null or o.sku_id = $3)
     and ($4::text is null or o.pool_id = $4)
   order by o.sku_id, o.seq`,
)
// Each side has an index in this order. One condition on both sides would read and sort all fills of an order.
const newestFills = (side: 'buy' | 'sell') =>
  `(
         select ${fillColumns}
         from fills f
         where f.${side}_order_id = o.id
         order by f.filled_at desc, f.id desc
         limit ${fillsShownMax}
       )`
const selectNewestFills = statement<StoredFillRow & { order_id: Id<'order'> }>(
  'market.list_newest_fills',
  `select o.id as order_id, f.*
   from unnest($1::text[]) as o(id)
   cross join lateral (
     select f.*
     from (
       ${newestFills('buy')}
       union all
       ${newestFills('sell')}
     ) f
     order by f.filled_at desc, f.id desc
     limit ${fillsShownMax}
   ) f`,
)
const selectKept = statement<{ sku_id: Id<'sku'> }>(
  'market.list_kept_promises',
  `select distinct sku_id
   from pool_promise
   where delta = 0
   order by sku_id`,
)
const removeKept = statement<never>(
  'market.remove_kept_promises',
  `delete from pool_promise
   where sku_id = $1 and delta = 0`,
)

/** An order of any account. */
export function findOrder(db: Db, id: string): Promise<OrderRow | undefined> {
  return db.row(selectOrder, [id])
}

/** Orders of any accounts. */
export function findOrders(db: Db, ids: readonly string[]): Promise<OrderRow[]> {
  return db.rows(selectOrders, [ids])
}

type OpenOrderFilter = Partial<Record<'account_id' | 'managed_by' | 'sku_id' | 'pool_id', string>>

/** The open orders that match every filter that is set, without a lock. */
export function listOpenOrdersOf(
  db: Db,
  { account_id, managed_by, sku_id, pool_id }: OpenOrderFilter,
): Promise<OpenOrder[]> {
  return db.rows(selectOpenOf, [account_id ?? null, managed_by ?? null, sku_id ?? null, pool_id ?? null])
}

/** The newest 100 fills of each of some orders, newest first. */
export function listNewestFills(
  db: Db,
  orderIds: readonly string[],
): Promise<(StoredFillRow & { order_id: Id<'order'> })[]> {
  return db.rows(selectNewestFills, [orderIds])
}

/** The SKUs with promise rows that have fallen to zero: everything offered in that minute is sold or withdrawn. */
export async function listKeptPromises(db: Db): Promise<Id<'sku'>[]> {
  return (await db.rows(selectKept)).map(({ sku_id }) => sku_id)
}

/** Removes the promise rows of a SKU that have fallen to zero. The caller holds the book of the SKU. */
export async function removeKeptPromises(db: Db, skuId: string): Promise<void> {
  await db.run(removeKept, [skuId])
}

/** A page of orders; `where` selects them. */
export function listOrders(
  ctx: Ctx,
  query: PageQuery,
  list: Pick<ListSpec<OrderRow>, 'where' | 'among' | 'sort' | 'list'>,
): Promise<Page<OrderRow>> {
  const select = `select ${orderColumns} from orders o`
  return readPage<OrderRow>(ctx, { prefix: 'ordrc', query, select, ...list })
}

/** A page of the fills of one order, newest first. */
export function listFills(
  ctx: Ctx,
  query: PageQuery,
  { list, where }: { list: string; where: Conditions },
): Promise<Page<StoredFillRow>> {
  const sort = newestFirst<StoredFillRow & { created_at: number }>('f')
  return readPage<StoredFillRow>(ctx, {
    prefix: 'fillc',
    list,
    query,
    select: `select ${fillColumns} from fills f`,
    where,
    sort: { ...sort, columns: ['f.filled_at', 'f.id'], keys: (row) => [row.filled_at, row.id] },
  })
}
