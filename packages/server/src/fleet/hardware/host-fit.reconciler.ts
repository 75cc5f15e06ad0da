/**
 * Hosts are compared with what their SKU promises now. The key is a SKU that has changed, `<SKU>/<host>` for those of
 * its hosts that follow, or one host.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Reconciler } from '../../core/work/reconciler.ts'
import { skuNeedsChanged } from '../../market/skus/sku-administration.service.ts'
import { compareAgain, compareHostsOfSku, hostFitDue } from './host-fit.service.ts'

export const hostFitReconciler: Reconciler = {
  kind: hostFitDue,
  topics: [skuNeedsChanged],
  step: async (ctx, key) => {
    if (key.startsWith('host_')) await compareAgain(ctx, key as Id<'host'>)
    else {
      const [skuId, after] = key.split('/') as [Id<'sku'>, string?]
      await compareHostsOfSku(ctx, skuId, after)
    }
    return undefined
  },
}
