/**
 * Keeps what rests on the books within the time that is left: minutes that pass fall out of orders, orders of retired
 * SKUs and of frozen accounts end. Matching itself needs no reconciler; it happens before each answer.
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

/** Lets the passed minutes of a book fall out of it; the key is the SKU. */
export const lapseReconciler: Reconciler = {
  kind: lapseKind,
  step: async (ctx: Ctx, key: string) => {
    const { next_lapse_at } = await tradeOn(ctx, key as Id<'sku'>, {})
    return next_lapse_at
  },
}

/** Matches what has become ready on a book while it was halted; the key is the SKU. */
export const resumeReconciler: Reconciler = {
  kind: resumeKind,
  step: async (ctx: Ctx, key: string) => {
    await tradeOn(ctx, key as Id<'sku'>, { resumes: true })
    return undefined
  },
}

/** Real seconds between two looks for promises that are kept. Their rows only take room. */
const keptSeconds = 600

/** Removes what is left of promises that are kept, a book in each step; the key is the SKU. */
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

/** Ends what rests on a SKU that was retired; the key is the SKU. */
export const retiredSkuReconciler: Reconciler = {
  kind: 'market.retired_sku',
  wake_on: [skuAvailabilityChanged],
  step: async (ctx: Ctx, key: string) => {
    await orders.cancelOrdersOnRetiredSku(ctx, key as Id<'sku'>)
    return undefined
  },
}

const frozenKind = 'market.frozen_account'

/**
 * Ends the open orders of an account that was frozen, a book in each step; the key is the account, then
 * `<account>/<SKU>`.
 */
export const frozenAccountReconciler: Reconciler = {
  kind: frozenKind,
  wake_on: [accountFrozen],
  step: async (ctx: Ctx, key: string) => {
    const [account_id, sku_id] = key.split('/') as [string, Id<'sku'>?]
    if (sku_id === undefined) {
      for (const book of await orders.listBooksOfFrozenAccount(ctx, account_id)) ctx.due(frozenKind, `${key}/${book}`)
    } else await orders.cancelOrdersOfFrozenAccount(ctx, account_id, sku_id)
    return undefined
  },
}
