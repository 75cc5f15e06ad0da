/**
 * What a spot deployment has on the market, as its callers change it. Whoever calls holds the deployment, and nothing
 * that is locked after books. The buying itself is the reconciler's work.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import { poolKinds } from '@bourse/api/market/pools.ts'
import { refuse } from '../core/base/refusal.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { cancelOrdersOf } from '../market/orders/orders.service.ts'
import { acquireMandate, findMandateHolder, releaseMandate } from '../market/pools/mandates.service.ts'
import { lockPoolShared } from '../market/pools/pools.service.ts'
import { readPrice } from '../market/trading/coverage.service.ts'
import { statusColumns, statusOf } from './deployment-status.rules.ts'
import type { DeploymentRow, DeploymentStatus } from './deployments.rules.ts'
import { NOT_BUYING } from './spot-buying.rules.ts'
import { findDeploymentAt, listSpotBuying, putSpotBuying } from './spot-buying.store.ts'

/** The kind of due rows that let a step look at what a spot deployment buys. The key is its id. */
export const spotDue = 'automation.spot_buying'

/** The field of the most that a spot deployment pays. */
export const priceField = 'max_buy_price_dollars_per_node_hour'

type Place = { readonly pool_id: Id<'pool'>; readonly sku_id: Id<'sku'> }
type PriceParams = { readonly [priceField]?: string | undefined }

/** The most that is paid, in micro-dollars per node-minute. Refuses required and out_of_range. */
export function readMaxBuyPrice({ [priceField]: text }: PriceParams): bigint {
  if (text === undefined) refuse('required', 'A spot deployment needs a maximum price.', priceField)
  return readPrice(text, 'buy', priceField)
}

/** Refuses a maximum price where nothing is ever bought. */
export function refusePriceOfGeneric(params: PriceParams): void {
  if (params[priceField] !== undefined)
    refuse('not_applicable', 'Only a spot deployment has a maximum price.', priceField)
}

/** The status of what spot deployments buy, by their ids; other deployments have none. */
export async function buyingStatuses(
  { db }: Ctx,
  ids: readonly Id<'deployment'>[],
): Promise<Map<Id<'deployment'>, DeploymentStatus>> {
  const rows = await listSpotBuying(db, ids)
  return new Map(rows.map((row) => [row.deployment_id, statusOf(row)]))
}

/** Lets a spot deployment look at the market at once, without waiting for what was refused before. */
export async function beginBuying(ctx: Ctx, { id }: DeploymentRow): Promise<void> {
  await putSpotBuying(ctx.db, { deployment_id: id, ...statusColumns(NOT_BUYING) })
  ctx.schedule(spotDue, id)
}

/**
 * Cancels the open orders that a change leaves no ground for: all of them when the deployment is disabled, in the name
 * of the caller, and when it pays another price, as the system's doing, so that none outlives the change.
 */
export async function cancelOutdatedOrders(
  ctx: Ctx,
  row: DeploymentRow,
  change: { readonly enabled: boolean | undefined; readonly price_micros: bigint | undefined },
): Promise<void> {
  const { enabled, price_micros = row.max_buy_price_micros } = change
  if (enabled === false) await cancelOrdersOf(ctx, row, { reason: 'automation', actor: ctx.actor })
  else if (price_micros !== row.max_buy_price_micros) {
    await cancelOrdersOf(ctx, row, { reason: 'automation', actor: { type: 'system' } })
  }
}

/** Cancels everything that a spot deployment has on the market, because the caller deletes it, and frees its place. */
export async function endBuying(ctx: Ctx, row: DeploymentRow): Promise<void> {
  await cancelOrdersOf(ctx, row, { reason: 'deployment_deleted', actor: ctx.actor })
  await releaseMandate(ctx, row.id)
  ctx.unschedule(spotDue, row.id)
}

/**
 * Gives a spot deployment its pool and SKU, which nothing else may work on, and with it the pool (rank `pools`).
 * Refuses pool_kind_not_allowed and automation_conflict.
 */
export async function acquireSpotMandate(
  ctx: Ctx,
  holder_id: Id<'deployment'>,
  place: Place,
): ReturnType<typeof lockPoolShared> {
  const pool = await acquireMandate(ctx, { ...place, holder_id })
  const sides: readonly string[] = poolKinds[pool.kind].orders
  if (!sides.includes('buy')) refuse('pool_kind_not_allowed', `A pool of kind ${pool.kind} does not buy.`, 'pool')
  // The pool is locked against whoever makes a deployment in it.
  const other = await findDeploymentAt(ctx.db, place)
  if (other !== undefined) refuse('automation_conflict', `The deployment ${other} works on this pool and SKU.`, 'pool')
  return pool
}

/** The pool of a deployment that may share it, but not with a spot one of its SKU. Refuses automation_conflict. */
export async function lockPoolBesideSpot(ctx: Ctx, place: Place): ReturnType<typeof lockPoolShared> {
  const pool = await lockPoolShared(ctx, place.pool_id)
  const holder = await findMandateHolder(ctx, place)
  if (!holder?.startsWith('depl_')) return pool
  refuse('automation_conflict', `The spot deployment ${holder} works on this pool and SKU.`, 'pool')
}
