/**
 * Buys what spot deployments run on: each keeps the next hour of its pool at its target, up to its maximum price. A
 * step holds the deployment's row, so no two trade for one, and nobody changes it meanwhile. It is woken by whatever
 * moves its pool. Not this file's work: which orders that takes (the market's coverage), and the fleet.
 */
import { fundsAdded } from '../billing/money.service.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { lockedElsewhere, type Reconciler } from '../core/work/reconciler.ts'
import { isAccountFrozen } from '../iam/accounts/accounts.service.ts'
import { deploymentPoolChanged } from '../market/pools/mandates.service.ts'
import { findSkuFor } from '../market/skus/skus.service.ts'
import { maintainCoverage, showPrice } from '../market/trading/coverage.service.ts'
import { differs, retryStateOf, statusColumns } from './deployment-status.rules.ts'
import type { DeploymentRow } from './deployments.rules.ts'
import { claimDeployment, lockDeployments } from './deployments.service.ts'
import { type BuyingStatus, evaluateBuying, NOT_BUYING, NOT_SOLD, SPOT_WINDOW_MINUTES } from './spot-buying.rules.ts'
import { spotDue } from './spot-buying.service.ts'
import {
  endSpotBuyingWaits,
  listSpotBuying,
  listUnpaidSpotBuying,
  putSpotBuying,
  type SpotBuyingRow,
} from './spot-buying.store.ts'

/** Whatever moves its pool wakes it; this only repairs a wake-up that got lost. */
const lookAgainSeconds = 3600

/** Keeps the coming hour of a spot deployment bought; the key is its id. */
const spotBuyingReconciler: Reconciler = {
  kind: spotDue,
  topics: [deploymentPoolChanged],
  step: async (ctx, key) => {
    const claimed = await claimDeployment(ctx, key)
    if (!claimed) return undefined
    const { row, is_locked } = claimed
    const { max_buy_price_micros } = row
    if (max_buy_price_micros === null) return undefined
    // A step of its fleet or another command has the lock.
    if (!is_locked) return lockedElsewhere
    const [before] = await listSpotBuying(ctx.db, [row.id])
    if (!before) throw new Error(`The spot deployment ${row.id} has no row of what it buys.`)
    const idle = await reasonNotToBuy(ctx, row)
    const { verdict, next_at } = idle
      ? { verdict: idle, next_at: undefined }
      : await buy(ctx, row, { before, max_buy_price_micros })
    const status = statusColumns(verdict)
    if (differs(before, status)) await putSpotBuying(ctx.db, { deployment_id: row.id, ...status })
    return row.enabled ? Math.min(next_at ?? Number.POSITIVE_INFINITY, ctx.now + lookAgainSeconds) : undefined
  },
}

/** Who could not pay orders again as soon as there is money, whenever that would have been. */
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

/** Every reconciler of what spot deployments buy. */
export const spotBuyingReconcilers: readonly Reconciler[] = [spotBuyingReconciler, fundedReconciler]

/** What such a deployment has open is cancelled by whoever disabled it, froze its account or retired its SKU. */
async function reasonNotToBuy(
  ctx: Ctx,
  { enabled, account_id, sku_id }: DeploymentRow,
): Promise<BuyingStatus | undefined> {
  if (!enabled) return NOT_BUYING
  const [is_frozen, sku] = await Promise.all([isAccountFrozen(ctx, account_id), findSkuFor(ctx, account_id, sku_id)])
  if (is_frozen) return NOT_BUYING
  return sku?.deleted_at === null ? undefined : NOT_SOLD
}

async function buy(
  ctx: Ctx,
  row: DeploymentRow,
  { before, max_buy_price_micros }: { before: SpotBuyingRow; max_buy_price_micros: bigint },
): Promise<{ verdict: BuyingStatus; next_at: number | undefined }> {
  const retry = retryStateOf(before)
  const places_wait = retry !== null && retry.retry_at > ctx.now
  const goal = {
    target: row.target_instance_count,
    window_minutes: SPOT_WINDOW_MINUTES,
    max_buy_price_micros,
    min_sell_price_micros: null,
    // Bought again before it is sold, what its owner offers would be paid for and used by nobody.
    replaces_offered: false,
  }
  const covered = await maintainCoverage(ctx, row, goal, { places_wait })
  const price = showPrice(max_buy_price_micros)
  const verdict = evaluateBuying({ ...covered, now: ctx.now, before: retry, price })
  return { verdict, next_at: verdict.retry?.retry_at ?? covered.next_at }
}
