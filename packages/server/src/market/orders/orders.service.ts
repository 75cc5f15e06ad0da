import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { CancelReason } from '@bourse/api/market/order-states.ts'
import type { listOrderFills as fillsContract, listOrders as listContract, Order } from '@bourse/api/market/orders.ts'
import type { PlatformOrder, listPlatformOrders as platformContract } from '@bourse/api/market/platform-lists.ts'
import { refuse } from '../../core/base/refusal.ts'
import { type Actor, type Ctx, callerOf } from '../../core/work/ctx.ts'
import {
  among,
  type ColumnValues,
  type Conditions,
  conditions,
  type ListSpec,
  newestFirst,
  pageResponse,
} from '../../core/work/page.ts'
import type { ReferrerTable } from '../../core/work/references.ts'
import { allow, onlyVisible, refuseNotFound, visibleWorkspaces } from '../../iam/access/permissions.service.ts'
import { isFrozen } from '../../iam/accounts/accounts.service.ts'
import { idToLoad } from '../../iam/names/names.service.ts'
import { listBookIds } from '../book/books.service.ts'
import { findSkuFor } from '../skus/skus.service.ts'
import { presentFill } from '../trading/order-events.rules.ts'
import { isOpenRecord, type OrderRow } from '../trading/trading.rules.ts'
import { decideOn, tradeOn } from '../trading/trading.service.ts'
import { idsOf, presentOrders } from './order-presentation.service.ts'
import {
  findOrder,
  findOrders,
  listFills,
  listNewestFills,
  listOpenOrdersOf,
  listOrders as listRows,
} from './orders.store.ts'

/** Open orders keep their pool from being deleted. */
export const orderReferrers: ReferrerTable = {
  pool: async (ctx, id, limit) => {
    const rows = await listOpenOrdersOf(ctx.db, { pool_id: id })
    return rows.slice(0, limit).map(({ id: order, account_id }) => ({ kind: 'order' as const, id: order, account_id }))
  },
}

const system: Actor = { type: 'system' }

type Sort = ListSpec<OrderRow>['sort']

const byStart: Omit<Sort, 'direction'> = {
  columns: ['o.start_minute', 'o.id'],
  keys: (row) => [row.start_minute, row.id],
}
const sorts: Record<'-created_at' | 'created_at' | 'start_at' | '-start_at', Sort> = {
  '-created_at': newestFirst<OrderRow>('o'),
  created_at: { ...newestFirst<OrderRow>('o'), direction: 'rising' },
  start_at: { ...byStart, direction: 'rising' },
  '-start_at': { ...byStart, direction: 'falling' },
}

/** Lists the orders that the caller may list. Orders of automations are listed only on request. */
export async function listOrders(ctx: Ctx, query: Input<typeof listContract>['query']) {
  const visible = await visibleWorkspaces(ctx, 'order:list', query.workspace)
  const where = onlyVisible(ctx, conditions(), 'o', visible)
    .addIf('o.id = any($)', query.id)
    .checkIf('o.sku_id = any($)', query.sku)
    .checkIf('o.side = $', query.side)
  if (query.pool !== undefined) where.check('o.pool_id = $', await idToLoad(ctx, 'pool', query.pool))
  const sort = sorts[query.sort_by ?? '-created_at']
  const page = await listRows(ctx, query, { where, among: await chooseIndex(ctx, where, { query, sort }), sort })
  return pageResponse(page, await present(ctx, page.rows))
}

/** Lists the orders of all accounts, for the platform operator. */
export async function listPlatformOrders(ctx: Ctx, query: Input<typeof platformContract>['query']) {
  await allow(ctx, 'platform:read', null)
  const where = conditions()
    .addIf('o.account_id = $', query.account)
    .addIf('o.id = any($)', query.id)
    .checkIf('o.sku_id = any($)', query.sku)
    .checkIf('o.side = $', query.side)
  if (query.workspace) where.check('o.workspace_id = $', await idToLoad(ctx, 'workspace', query.workspace))
  if (query.pool) where.check('o.pool_id = $', await idToLoad(ctx, 'pool', query.pool))
  const sort = sorts[query.sort_by ?? '-created_at']
  const chosen = query.account
    ? await chooseIndex(ctx, where, { query, sort })
    : await chooseIndexOfAll(ctx, where, query)
  const page = await listRows(ctx, query, { list: 'platform_orders', where, among: chosen, sort })
  const shown = await withFills(ctx, page.rows)
  const orders = await presentOrders(ctx, shown)
  return pageResponse(
    page,
    shown.map(({ row, fills }, index): PlatformOrder => {
      const marked = fills.map((fill) => ({ ...presentFill(fill, row.side), related: fill.related }))
      return { ...(orders[index] as Order), fills: marked, account: row.account_id }
    }),
  )
}

/** The same for orders of all accounts: the indexes by state and automation begin with an account. */
async function chooseIndexOfAll(
  ctx: Ctx,
  where: Conditions,
  query: Input<typeof platformContract>['query'],
): Promise<ColumnValues | undefined> {
  const managers = await managersOf(ctx, query)
  where.addIf('o.created_at >= $', query.created_after).addIf('o.created_at <= $', query.created_before)
  where.checkIf('o.state = any($)', query.state)
  if (managers.length > 0) return among('o.managed_by', managers)
  if (!query.include_managed) where.check('o.managed_by is null')
  return undefined
}

/** Of the filters by automation, state and age, those that the index of the order serves. The others are checked. */
async function chooseIndex(
  ctx: Ctx,
  where: Conditions,
  { query, sort }: { query: Omit<Input<typeof listContract>['query'], 'sort_by'>; sort: Sort },
): Promise<ColumnValues | undefined> {
  const managers = await managersOf(ctx, query)
  // The indexes have the order of age.
  const isByAge = sort.columns !== byStart.columns
  const age = isByAge ? where.addIf : where.checkIf
  age('o.created_at >= $', query.created_after)
  age('o.created_at <= $', query.created_before)
  if (managers.length > 0 && isByAge) {
    where.checkIf('o.state = any($)', query.state)
    return among('o.managed_by', managers)
  }
  if (managers.length > 0) where.check('o.managed_by = any($)', managers)
  const isManaged = managers.length > 0 || query.include_managed ? undefined : 'o.managed_by is null'
  if (!isByAge || query.state !== undefined) {
    if (isManaged !== undefined) where.check(isManaged)
    if (isByAge) return among('o.state', query.state)
    where.checkIf('o.state = any($)', query.state)
    return undefined
  }
  return among('(case when o.managed_by is null then 0 else 1 end)', isManaged === undefined ? ['0', '1'] : ['0'])
}

/** Reads one order. */
export async function getOrder(ctx: Ctx, id: Id<'order'>): Promise<Order> {
  const row = await loadOrder(ctx, id)
  await allow(ctx, 'order:read', row)
  const [order] = await present(ctx, [row])
  return order as Order
}

/** Lists the fills of one order. */
export async function listOrderFills(ctx: Ctx, id: Id<'order'>, query: Input<typeof fillsContract>['query']) {
  const row = await loadOrder(ctx, id)
  await allow(ctx, 'order:read', row)
  const where = conditions().add(`f.${row.side}_order_id = $`, row.id)
  const page = await listFills(ctx, query, { list: `order_fills:${row.id}`, where })
  const shown = page.rows.map((fill) => presentFill(fill, row.side))
  return pageResponse(page, shown)
}

/** Cancels an order in its own transaction. Earlier fills stand, and no fill follows. */
export async function cancelOrder(ctx: Ctx, id: Id<'order'>): Promise<void> {
  const row = await loadOrder(ctx, id)
  await allow(ctx, 'order:delete', row)
  // An order that has ended never changes, so this needs no lock.
  if (!isOpenRecord(row)) refuse('order_final', 'This order has ended already.')
  const { cancelled } = await tradeOn(ctx, row.sku_id, { cancels: [{ id, reason: 'user', actor: ctx.actor }] })
  if (!cancelled[0]) refuse('order_final', 'This order has ended already.')
}

/** Cancels all open orders of a SKU, if it is retired. */
export async function cancelOrdersOnRetiredSku(ctx: Ctx, sku_id: Id<'sku'>): Promise<void> {
  const sku = await findSkuFor(ctx, '', sku_id)
  if (sku?.deleted_at != null) await cancelOpenOrders(ctx, { sku_id }, { reason: 'sku_retired', actor: system })
}

/**
 * All books if an account is frozen, because a command under way can still place an order on any of them; else none.
 */
export async function listBooksOfFrozenAccount(ctx: Ctx, account_id: string): Promise<Id<'sku'>[]> {
  return (await isFrozen(ctx, account_id)) ? listBookIds(ctx) : []
}

/** Cancels the open orders of an account on one book, if it is frozen. */
export async function cancelOrdersOfFrozenAccount(ctx: Ctx, account_id: string, sku_id: Id<'sku'>): Promise<void> {
  // Behind the lock of the book every order that was admitted before the freeze is visible, and no other is admitted.
  if (!(await isFrozen(ctx, account_id))) return
  await cancelOpenOrders(ctx, { account_id, sku_id }, { reason: 'account_frozen', actor: system })
}

/** How the orders of an automation end. */
type ManagedEnd = {
  readonly reason: 'automation' | 'deployment_deleted'
  readonly actor: Actor
  /** Ends orders of these sides only. */
  readonly sides?: readonly OrderRow['side'][]
}

/**
 * Cancels the open orders of an automation in the caller's transaction (rank `books`, then `accounts`). The caller has
 * locked the row of the automation, so that no step of it places orders meanwhile.
 */
export async function cancelOrdersOf(
  ctx: Ctx,
  { id, sku_id }: { readonly id: Id<'procurement' | 'deployment'>; readonly sku_id: Id<'sku'> },
  { sides = ['buy', 'sell'], ...end }: ManagedEnd,
): Promise<void> {
  const open = await listOpenOrdersOf(ctx.db, { managed_by: id })
  if (open.some(({ side }) => sides.includes(side))) {
    await cancelOpenOrders(ctx, { managed_by: id, sku_id }, { ...end, sides })
  }
}

/** Cancels open orders of one book, as they are behind its lock. */
async function cancelOpenOrders(
  ctx: Ctx,
  which: { readonly sku_id: Id<'sku'>; readonly account_id?: string; readonly managed_by?: string },
  { sides, ...end }: Pick<ManagedEnd, 'sides' | 'actor'> & { readonly reason: CancelReason },
): Promise<void> {
  await decideOn(ctx, which.sku_id, {
    applicants: [],
    read: () => listOpenOrdersOf(ctx.db, which),
    decide: (open) => {
      const ending = open.filter(({ side }) => sides?.includes(side) ?? true)
      return { cancels: ending.map(({ id }) => ({ id, ...end })) }
    },
  })
}

async function managersOf(
  ctx: Ctx,
  query: Pick<Input<typeof listContract>['query'], 'procurement' | 'deployment'>,
): Promise<string[]> {
  const found: string[] = []
  if (query.procurement !== undefined) found.push(await idToLoad(ctx, 'procurement', query.procurement))
  if (query.deployment !== undefined) found.push(await idToLoad(ctx, 'deployment', query.deployment))
  return found
}

/** An order of the caller's account; refuses not_found. */
export async function loadOrder(ctx: Ctx, id: Id<'order'>): Promise<OrderRow> {
  return (await findOwnOrder(ctx, id)) ?? refuseNotFound()
}

/** An order of the caller's account. */
export async function findOwnOrder(ctx: Ctx, id: Id<'order'>): Promise<OrderRow | undefined> {
  const row = await findOrder(ctx.db, id)
  return row && (!ctx.caller || row.account_id === ctx.caller.account_id) ? row : undefined
}

/** Those of some orders that are of the caller's account. */
export async function listOwnOrders(ctx: Ctx, ids: readonly Id<'order'>[]): Promise<OrderRow[]> {
  const { account_id } = callerOf(ctx)
  return (await findOrders(ctx.db, ids)).filter((row) => row.account_id === account_id)
}

async function present(ctx: Ctx, rows: readonly OrderRow[]): Promise<Order[]> {
  return presentOrders(ctx, await withFills(ctx, rows))
}

async function withFills(ctx: Ctx, rows: readonly OrderRow[]) {
  const fills = rows.length === 0 ? [] : await listNewestFills(ctx.db, idsOf(rows))
  return rows.map((row) => ({ row, fills: fills.filter(({ order_id }) => order_id === row.id) }))
}
