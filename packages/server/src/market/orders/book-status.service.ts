/** Whether orders are taken: the halts of the market and of one SKU, as customers see them. */
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { getBookStatus as statusContract } from '@bourse/api/market/orderbook.ts'
import { refuse } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { readBookHalt, readMarketHalt } from '../pools/halts.service.ts'
import { findSkuFor } from '../skus/skus.service.ts'

/** The halt that refuses orders for a SKU; that of the whole market comes first. 422 sku_not_available. */
export async function getStatus(ctx: Ctx, { sku }: Input<typeof statusContract>['query']) {
  if (sku !== undefined) {
    const known = await findSkuFor(ctx, callerOf(ctx).account_id, sku)
    if (!known?.is_visible) refuse('sku_not_available', 'There is no such SKU.', 'sku')
  }
  const whole = await readMarketHalt(ctx)
  const own = sku === undefined ? undefined : await readBookHalt(ctx, sku)
  const halt = whole ?? own
  return {
    object: 'orderbook_status' as const,
    sku: sku ?? null,
    halted: halt !== undefined,
    scope: whole ? ('market' as const) : own ? ('sku' as const) : null,
    message: halt?.message ?? null,
    halted_at: halt?.halted_at ?? null,
  }
}
