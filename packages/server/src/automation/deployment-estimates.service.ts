/** Estimates of new and changed deployments. They check what the command would check, without a lock. */
import type { AutomationEstimate } from '@bourse/api/automation/automation-estimates.ts'
import type { deploymentBody, deploymentChange } from '@bourse/api/automation/deployments.ts'
import type { Ref } from '@bourse/api/kit/ids.ts'
import type { Static } from '@bourse/api/kit/schema.ts'
import { type Ctx, callerOf } from '../core/work/ctx.ts'
import { checkMemberTemplate } from '../fleet/instances/deployment-members.service.ts'
import { findSkuFor, validateSku } from '../market/skus/skus.service.ts'
import { notYetCreated, requireStep } from '../market/trading/coverage.service.ts'
import { estimateAutomation } from './automation-estimates.service.ts'
import { allowChange, loadToChange, readNewDeployment } from './deployments.service.ts'
import { spotWindowMinutes } from './spot-buying.rules.ts'
import {
  checkSpotPlace,
  priceField,
  readMaxBuyPrice,
  refuseBesideSpot,
  refusePriceOfGeneric,
} from './spot-buying.service.ts'

/** Estimates a new deployment. */
export async function estimateDeployment(ctx: Ctx, body: Static<typeof deploymentBody>): Promise<AutomationEstimate> {
  const { wanted, max_buy_hourly_micros, known: pool } = await readNewDeployment(ctx, body)
  const { workspace_id } = pool
  const sku = await validateSku(ctx, body.sku)
  requireStep(max_buy_hourly_micros, sku, { side: 'buy', field: priceField })
  const place = { pool_id: pool.id, sku_id: sku.id }
  if (wanted === 'spot') await checkSpotPlace(ctx, pool.kind, place)
  else await refuseBesideSpot(ctx, place)
  await checkMemberTemplate(ctx, body.instance_template, workspace_id)
  const manager = { ...place, id: notYetCreated, account_id: callerOf(ctx).account_id, workspace_id }
  return estimateAutomation(ctx, {
    manager,
    sku,
    goal: goalOf(body.target_instance_count, max_buy_hourly_micros),
    enabled: body.enabled ?? true,
    never_buys: wanted === 'generic',
    can_trade_more: wanted === 'spot',
  })
}

/** Estimates a deployment after a change. */
export async function estimateDeploymentUpdate(
  ctx: Ctx,
  ref: Ref<'deployment'>,
  body: Static<typeof deploymentChange>,
): Promise<AutomationEstimate> {
  const sentMicros = body[priceField] === undefined ? undefined : readMaxBuyPrice(body)
  const row = await loadToChange(ctx, ref)
  const needed = await allowChange(ctx, row, { ...body, price_micros: sentMicros })
  if (row.kind === 'generic') refusePriceOfGeneric(body)
  const sku = await findSkuFor(ctx, row.account_id, row.sku_id)
  if (!sku) throw new Error(`The deployment ${row.id} refers to an unknown SKU.`)
  requireStep(sentMicros, sku, { side: 'buy', field: priceField })
  if (body.instance_template !== undefined) await checkMemberTemplate(ctx, body.instance_template, row.workspace_id)
  const price_micros = sentMicros ?? row.max_buy_hourly_micros
  const enabled = body.enabled ?? row.enabled
  return estimateAutomation(ctx, {
    manager: row,
    sku,
    goal: goalOf(body.target_instance_count ?? row.target_instance_count, price_micros),
    enabled,
    never_buys: row.kind === 'generic',
    can_trade_more: needed.includes('order:create'),
    ends: enabled && price_micros === row.max_buy_hourly_micros ? [] : ['buy'],
  })
}

function goalOf(target: number, max_buy_hourly_micros: bigint | null) {
  const window_minutes = spotWindowMinutes
  return { target, window_minutes, max_buy_hourly_micros, min_sell_hourly_micros: null, replaces_offered: false }
}
