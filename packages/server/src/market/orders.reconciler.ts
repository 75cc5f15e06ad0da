/**
 * Keeps what rests on the books within the time that is left: minutes that pass fall out of orders, orders of retired
 * SKUs and of frozen accounts end. Matching itself needs no reconciler; it happens before each answer.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../core/ctx.ts'
import type { Reconciler } from '../core/reconciler.ts'
import * as orders from './orders.service.ts'
import { skuAvailabilityChanged } from './sku-administration.service.ts'
import { lapseKind, tradeOn } from './trading.service.ts'

/** Lets the passed minutes of a book fall out of it; the key is the SKU. */
export const lapseReconciler: Reconciler = {
  kind: lapseKind,
  step: async (ctx: Ctx, key: string) => {
    const { next_lapse_at } = await tradeOn(ctx, key as Id<'sku'>, {})
    return next_lapse_at
  },
}

/** Ends what rests on a SKU that was retired; the key is the SKU. */
export const retiredSkuReconciler: Reconciler = {
  kind: 'market.retired_sku',
  wake_on: [skuAvailabilityChanged],
  step: async (ctx: Ctx, key: string) => {
    await orders.cancelOrdersOnRetiredSku(ctx, key as Id<'sku'>)
    return undefined
  },
}

/** Ends the open orders of an account that was frozen, one book a step; the key is the account. */
export const frozenAccountReconciler: Reconciler = {
  kind: 'market.frozen_account',
  wake_on: ['account.frozen'],
  step: (ctx: Ctx, key: string) => orders.cancelOrdersOfFrozenAccount(ctx, key),
}
