/** Estimates of new and changed procurements. They check what the command would check, without a lock. */
import type { AutomationEstimate } from '@bourse/api/automation/automation-estimates.ts'
import type { procurementBody, procurementChange } from '@bourse/api/automation/procurements.ts'
import type { Ref } from '@bourse/api/kit/ids.ts'
import type { Static } from '@bourse/api/kit/schema.ts'
import { type Ctx, callerOf } from '../core/work/ctx.ts'
import { countLivingInstances } from '../fleet/instances/instances.service.ts'
import { findMandateHolder, refuseMandateTaken } from '../market/pools/mandates.service.ts'
import { findSkuFor, validateSku } from '../market/skus/skus.service.ts'
import { notYetCreated, type OrderManager } from '../market/trading/coverage.service.ts'
import { estimateAutomation } from './automation-estimates.service.ts'
import type { OrderTerms } from './procurements.rules.ts'
import {
  loadToChange,
  readChange,
  readNewProcurement,
  readPrices,
  requireSteps,
  sidesThatEnd,
} from './procurements.service.ts'

/** Estimates a new procurement. */
export async function estimateProcurement(ctx: Ctx, body: Static<typeof procurementBody>): Promise<AutomationEstimate> {
  const { prices, pool } = await readNewProcurement(ctx, body)
  const sku = await validateSku(ctx, body.sku)
  requireSteps(prices, sku)
  const place = { pool_id: pool.id, sku_id: sku.id }
  if (await findMandateHolder(ctx, place)) refuseMandateTaken()
  const { workspace_id } = pool
  const manager = { ...place, id: notYetCreated, account_id: callerOf(ctx).account_id, workspace_id }
  const { target, managed_window_minutes, enabled = true } = body
  const terms: OrderTerms = {
    sku_id: sku.id,
    target: target === 'node_count' ? null : target,
    min_sell_hourly_micros: prices.min_sell_hourly_micros ?? 0n,
    max_buy_hourly_micros: prices.max_buy_hourly_micros ?? null,
    managed_window_minutes,
    enabled,
  }
  const goal = await goalOf(ctx, manager, terms)
  return estimateAutomation(ctx, { manager, sku, goal, enabled, can_trade_more: true })
}

/** Estimates a procurement after a change. */
export async function estimateProcurementUpdate(
  ctx: Ctx,
  ref: Ref<'procurement'>,
  body: Static<typeof procurementChange>,
): Promise<AutomationEstimate> {
  const prices = readPrices(body)
  const row = await loadToChange(ctx, ref)
  const { terms, can_trade_more } = await readChange(ctx, row, { ...body, prices })
  const sku = await findSkuFor(ctx, row.account_id, terms.sku_id)
  if (!sku) throw new Error(`The procurement ${row.id} refers to an unknown SKU.`)
  const manager = { ...row, sku_id: sku.id }
  if (sku.id !== row.sku_id && (await findMandateHolder(ctx, manager))) refuseMandateTaken()
  // The open orders of another SKU lie on another book. Their money is not counted as released.
  const ends = sku.id === row.sku_id ? sidesThatEnd(row, terms) : []
  const goal = await goalOf(ctx, manager, terms)
  return estimateAutomation(ctx, { manager, sku, goal, enabled: terms.enabled, can_trade_more, ends })
}

async function goalOf(ctx: Ctx, manager: OrderManager, terms: OrderTerms) {
  return {
    target: terms.target ?? (await countLivingInstances(ctx, manager)),
    window_minutes: terms.managed_window_minutes,
    max_buy_hourly_micros: terms.max_buy_hourly_micros,
    min_sell_hourly_micros: terms.min_sell_hourly_micros,
    replaces_offered: true,
  }
}
