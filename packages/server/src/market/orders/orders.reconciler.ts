/**
 * Keeps resting orders valid: passed minutes expire, and orders of retired SKUs and of frozen accounts are cancelled.
 * Matching needs no reconciler, because it runs in the transaction of each order.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { Reconciler } from '../../core/work/reconciler.ts'
import { accountFrozen } from '../../iam/accounts/accounts.service.ts'
import { lockCapacity } from '../pools/capacity.service.ts'
import { resumeKind } from '../pools/halts.service.ts'
import { skuAvailabilityChanged } from '../skus/sku-administration.service.ts'
import { lapseKind, tradeOn } from '../trading/trading.service.ts'
import * as orders from './orders.service.ts'
import { listKeptPromises, removeKeptPromises } from './orders.store.ts'

/** Expires the passed minutes of a book; the key is the SKU. */
export const lapseReconciler: Reconciler = {
  kind: lapseKind,
  step: async (ctx: Ctx, key: string) => {
    const { next_lapse_at } = await tradeOn(ctx, key as Id<'sku'>, {})
    return next_lapse_at
  },
}

/** Matches orders that became matchable while a book was halted; the key is the SKU. */
export const resumeReconciler: Reconciler = {
  kind: resumeKind,
  step: async (ctx: Ctx, key: string) => {
    await tradeOn(ctx, key as Id<'sku'>, { resumes: true })
    return undefined
  },
}

/** Real seconds between two sweeps for promise rows that have fallen to zero. Such rows only take space. */
const keptSeconds = 600

/** Removes promise rows that have fallen to zero, one book in each step; the key is the SKU. */
export const promiseReconciler: Reconciler = {
  kind: 'market.promises',
  sweep_seconds: keptSeconds,
  sweep: (ctx) => listKeptPromises(ctx.db),
  step: async (ctx: Ctx, key: string) => {
    await lockCapacity(ctx, key as Id<'sku'>)
    await removeKeptPromises(ctx.db, key)
    return undefined
  },
}

/** Cancels the open orders of a retired SKU; the key is the SKU. */
export const retiredSkuReconciler: Reconciler = {
  kind: 'market.retired_sku',
  topics: [skuAvailabilityChanged],
  step: async (ctx: Ctx, key: string) => {
    await orders.cancelOrdersOnRetiredSku(ctx, key as Id<'sku'>)
    return undefined
  },
}

const frozenKind = 'market.frozen_account'

/**
 * Cancels the open orders of a frozen account. The key is the account; for each book a key `<account>/<SKU>` follows.
 */
export const frozenAccountReconciler: Reconciler = {
  kind: frozenKind,
  topics: [accountFrozen],
  step: async (ctx: Ctx, key: string) => {
    const [accountId, skuId] = key.split('/') as [string, Id<'sku'>?]
    if (skuId === undefined) {
      for (const book of await orders.listBooksOfFrozenAccount(ctx, accountId))
        ctx.schedule(frozenKind, `${key}/${book}`)
    } else await orders.cancelOrdersOfFrozenAccount(ctx, accountId, skuId)
    return undefined
  },
}
