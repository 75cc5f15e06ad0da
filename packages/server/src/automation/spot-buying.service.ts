/**
 * The changes that commands make to the buying of a spot deployment. The caller has locked the deployment, and nothing
 * that ranks after books. Not this file's work: the buying itself (spot-buying.reconciler.ts).
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import { type PoolKind, poolKinds } from '@bourse/api/market/pools.ts'
import { refuse } from '../core/base/refusal.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { cancelOrdersOf } from '../market/orders/orders.service.ts'
import {
  acquireMandate,
  findMandateHolder,
  refuseMandateTaken,
  releaseMandate,
} from '../market/pools/mandates.service.ts'
import { lockPoolShared } from '../market/pools/pools.service.ts'
import { findSkuFor } from '../market/skus/skus.service.ts'
import { readPrice, requireStep } from '../market/trading/coverage.service.ts'
import { type AutomationStatus, statusColumns, statusOf } from './automation-status.rules.ts'
import type { DeploymentRow } from './deployments.rules.ts'
import { notBuying } from './spot-buying.rules.ts'
import { findDeploymentAt, listSpotBuying, putSpotBuying } from './spot-buying.store.ts'

/** The kind of due rows for the buying of a spot deployment. The key is its id. */
export const spotDue = 'automation.spot_buying'

/** The field of the maximum price of a spot deployment. */
export const priceField = 'max_buy_price_dollars_per_node_hour'

type SpotPoolAndSku = { readonly pool_id: Id<'pool'>; readonly sku_id: Id<'sku'> }
type PriceParams = { readonly [priceField]?: string | undefined }

/** Reads the maximum price, in micro-dollars per node-hour. Refuses `required`, `invalid_format` and `out_of_range`. */
export function readMaxBuyPrice({ [priceField]: text }: PriceParams): bigint {
  if (text === undefined) refuse('required', 'A spot deployment requires a maximum price.', priceField)
  return readPrice(text, 'buy', priceField)
}

/** Refuses a maximum price of a generic deployment. */
export function refusePriceOfGeneric(params: PriceParams): void {
  if (params[priceField] !== undefined)
    refuse('not_applicable', 'Only a spot deployment has a maximum price.', priceField)
}

/** The buying status of spot deployments, by id. Generic deployments have none. */
export async function buyingStatuses(
  { db }: Ctx,
  ids: readonly Id<'deployment'>[],
): Promise<Map<Id<'deployment'>, AutomationStatus>> {
  const rows = await listSpotBuying(db, ids)
  return new Map(rows.map((row) => [row.deployment_id, statusOf(row)]))
}

/** Schedules the buying of a spot deployment now, without waiting after an earlier refusal. */
export async function beginBuying(ctx: Ctx, { id }: DeploymentRow): Promise<void> {
  await putSpotBuying(ctx.db, { deployment_id: id, ...statusColumns(notBuying) })
  ctx.schedule(spotDue, id)
}

/**
 * Checks a new price, and cancels all open orders in the transaction of a change that makes them invalid. The actor is
 * the caller if the deployment is disabled, and the system if its price changes.
 */
export async function changeBuying(
  ctx: Ctx,
  row: DeploymentRow,
  change: { readonly enabled: boolean | undefined; readonly price_micros: bigint | undefined },
): Promise<void> {
  const { enabled, price_micros = row.max_buy_hourly_micros } = change
  const sku = change.price_micros === undefined ? undefined : await findSkuFor(ctx, row.account_id, row.sku_id)
  requireStep(change.price_micros, sku, { side: 'buy', field: priceField })
  if (enabled === false) await cancelOrdersOf(ctx, row, { reason: 'automation', actor: ctx.actor })
  else if (price_micros !== row.max_buy_hourly_micros) {
    await cancelOrdersOf(ctx, row, { reason: 'automation', actor: { type: 'system' } })
  }
}

/** Cancels the open orders of a spot deployment that the caller deletes, and releases its mandate. */
export async function endBuying(ctx: Ctx, row: DeploymentRow): Promise<void> {
  await cancelOrdersOf(ctx, row, { reason: 'deployment_deleted', actor: ctx.actor })
  await releaseMandate(ctx, row.id)
  ctx.unschedule(spotDue, row.id)
}

/**
 * Acquires the mandate of a new spot deployment for a pool and SKU that no other automation has. Returns the locked
 * pool (rank `pools`). Refuses `pool_kind_not_allowed` and `automation_conflict`.
 */
export async function acquireSpotMandate(
  ctx: Ctx,
  holder_id: Id<'deployment'>,
  place: SpotPoolAndSku,
): ReturnType<typeof lockPoolShared> {
  const pool = await acquireMandate(ctx, { ...place, holder_id })
  // The lock on the pool prevents a concurrent creation of a deployment in it.
  await refuseSpotPlace(ctx, pool.kind, place)
  return pool
}

/** Refuses the place of a new spot deployment, without a lock: `pool_kind_not_allowed` and `automation_conflict`. */
export async function checkSpotPlace(ctx: Ctx, kind: PoolKind, place: SpotPoolAndSku): Promise<void> {
  if (await findMandateHolder(ctx, place)) refuseMandateTaken()
  await refuseSpotPlace(ctx, kind, place)
}

async function refuseSpotPlace(ctx: Ctx, kind: PoolKind, place: SpotPoolAndSku): Promise<void> {
  const sides: readonly string[] = poolKinds[kind].orders
  if (!sides.includes('buy')) refuse('pool_kind_not_allowed', `A pool of kind ${kind} does not buy.`, 'pool')
  const other = await findDeploymentAt(ctx.db, place)
  if (other !== undefined) refuse('automation_conflict', `The deployment ${other} works on this pool and SKU.`, 'pool')
}

/** Locks the pool of a new generic deployment. Refuses `automation_conflict` if a spot deployment has its SKU there. */
export async function lockPoolBesideSpot(ctx: Ctx, place: SpotPoolAndSku): ReturnType<typeof lockPoolShared> {
  const pool = await lockPoolShared(ctx, place.pool_id)
  await refuseBesideSpot(ctx, place)
  return pool
}

/** Refuses `automation_conflict` for a generic deployment if a spot deployment has its SKU in the pool. */
export async function refuseBesideSpot(ctx: Ctx, place: SpotPoolAndSku): Promise<void> {
  const holder = await findMandateHolder(ctx, place)
  if (!holder?.startsWith('depl_')) return
  refuse('automation_conflict', `The spot deployment ${holder} works on this pool and SKU.`, 'pool')
}
