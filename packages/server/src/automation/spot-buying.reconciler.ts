/**
 * Buys capacity for spot deployments: keeps the next hour of the pool at the target, up to the maximum price. A step
 * locks the row of its deployment, so neither another step nor a caller changes it meanwhile. Changes of the pool
 * schedule a step. Not this file's work: choosing orders (the market's coverage), and the fleet.
 */
import { hourSeconds } from '@bourse/text/time/units.ts'
import { fundsAdded } from '../billing/money.service.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { lockedElsewhere, type Reconciler } from '../core/work/reconciler.ts'
import { isAccountFrozen } from '../iam/names/owners.service.ts'
import { deploymentPoolChanged } from '../market/pools/mandates.service.ts'
import { findSkuFor } from '../market/skus/skus.service.ts'
import { maintainCoverage, showPrice } from '../market/trading/coverage.service.ts'
import { differs, retryStateOf, statusColumns } from './automation-status.rules.ts'
import type { DeploymentRow } from './deployments.rules.ts'
import { claimDeployment, lockDeployments } from './deployments.service.ts'
import { type BuyingStatus, evaluateBuying, notBuying, notSold, spotWindowMinutes } from './spot-buying.rules.ts'
import { spotDue } from './spot-buying.service.ts'
import {
  endSpotBuyingWaits,
  listSpotBuying,
  listUnpaidSpotBuying,
  putSpotBuying,
  type SpotBuyingRow,
} from './spot-buying.store.ts'

/** Changes of the pool schedule a step. This interval only repairs a lost wake-up. */
const lookAgainSeconds = hourSeconds

/** Steps the buying of one spot deployment; the key is its id. */
const spotBuyingReconciler: Reconciler = {
  kind: spotDue,
  topics: [deploymentPoolChanged],
  step: async (ctx, key) => {
    const claimed = await claimDeployment(ctx, key)
    if (!claimed) return undefined
    const { row, is_locked } = claimed
    const { max_buy_hourly_micros } = row
    if (max_buy_hourly_micros === null) return undefined
    // A step of the fleet or a command has locked the deployment.
    if (!is_locked) return lockedElsewhere
    const [before] = await listSpotBuying(ctx.db, [row.id])
    if (!before) throw new Error(`The spot deployment ${row.id} has no row in spot_buying.`)
    const market = await readMarket(ctx, row)
    const { buying, next_at } =
      'idle' in market
        ? { buying: market.idle, next_at: undefined }
        : await buy(ctx, row, { before, max_buy_hourly_micros, ...market })
    const status = statusColumns(buying)
    if (differs(before, status)) await putSpotBuying(ctx.db, { deployment_id: row.id, ...status })
    return row.enabled ? Math.min(next_at ?? Number.POSITIVE_INFINITY, ctx.now + lookAgainSeconds) : undefined
  },
}

/** Ends the wait for money or a budget when an account can spend more; the key is the account. */
const fundedReconciler: Reconciler = {
  kind: 'automation.spot_buying_funded',
  topics: [fundsAdded],
  step: async (ctx, key) => {
    const unpaid = await listUnpaidSpotBuying(ctx, key)
    await lockDeployments(ctx, unpaid)
    await endSpotBuyingWaits(ctx, unpaid)
    for (const id of unpaid) ctx.schedule(spotDue, id)
    return undefined
  },
}

/** Every reconciler of spot buying. */
export const spotBuyingReconcilers: readonly Reconciler[] = [spotBuyingReconciler, fundedReconciler]

/**
 * The price step of the SKU, or the status of a deployment that may not buy. Its open orders are then already
 * cancelled, by the command that disabled it, froze the account or retired the SKU.
 */
async function readMarket(
  ctx: Ctx,
  { enabled, account_id, sku_id }: DeploymentRow,
): Promise<{ readonly price_step_micros: bigint } | { readonly idle: BuyingStatus }> {
  if (!enabled) return { idle: notBuying }
  const [isFrozen, sku] = await Promise.all([isAccountFrozen(ctx, account_id), findSkuFor(ctx, account_id, sku_id)])
  if (isFrozen) return { idle: notBuying }
  return sku?.deleted_at === null ? { price_step_micros: sku.price_step_micros } : { idle: notSold }
}

async function buy(
  ctx: Ctx,
  row: DeploymentRow,
  {
    before,
    max_buy_hourly_micros,
    price_step_micros,
  }: { before: SpotBuyingRow; max_buy_hourly_micros: bigint; price_step_micros: bigint },
): Promise<{ buying: BuyingStatus; next_at: number | undefined }> {
  const retry = retryStateOf(before)
  const places_wait = retry !== null && retry.retry_at > ctx.now
  const goal = {
    target: row.target_instance_count,
    window_minutes: spotWindowMinutes,
    max_buy_hourly_micros,
    min_sell_hourly_micros: null,
    price_step_micros,
    // Replacing capacity that the owner offers for sale would pay for capacity that nobody uses.
    replaces_offered: false,
  }
  const covered = await maintainCoverage(ctx, row, goal, { places_wait })
  const price = showPrice(max_buy_hourly_micros)
  const buying = evaluateBuying({ ...covered, now: ctx.now, before: retry, price })
  return { buying, next_at: buying.retry?.retry_at ?? covered.next_at }
}
