/** What SKUs and orders are called. */
import type { Id } from '@bourse/api/kit/ids.ts'
import { callerOf } from '../../core/work/ctx.ts'
import { mayReadOrList, type ReadNames } from '../../iam/access/shown-names.service.ts'
import { listVisibleSkus, skuSummaries } from '../skus/skus.service.ts'
import { listOwnOrders } from './orders.service.ts'

/** SKUs by their aliases, those without one by their ids. */
export const readSkuNames: ReadNames = async (ctx, ids) => {
  const wanted = new Set(ids.filter((id) => id.startsWith('sku_')))
  if (wanted.size === 0) return []
  const { account_id } = callerOf(ctx)
  const rows = await listVisibleSkus(ctx.db, account_id)
  return rows
    .filter(({ id, alias }) => wanted.has(id) && alias !== '')
    .map(({ id, alias }) => ({ id, type: 'sku', name: alias }))
}

/** Orders by their side, nodes and SKU: `Buy 2 × h100-west`. */
export const readOrderNames: ReadNames = async (ctx, ids) => {
  const wanted = ids.filter((id): id is Id<'order'> => id.startsWith('ordr_'))
  if (wanted.length === 0) return []
  const rows = (await listOwnOrders(ctx, wanted)).filter(({ workspace_id }) => {
    return mayReadOrList(ctx, 'order', workspace_id)
  })
  const skus = await skuSummaries(
    ctx,
    rows.map(({ sku_id }) => sku_id),
  )
  return rows.map(({ id, side, node_count, sku_id }) => {
    const sku = skus.get(sku_id)?.alias || sku_id
    return { id, type: 'order', name: `${side === 'buy' ? 'Buy' : 'Sell'} ${node_count} × ${sku}` }
  })
}
