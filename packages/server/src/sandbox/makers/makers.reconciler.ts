/**
 * Keeps the offers of the market makers around their price, and makes small trades. One step handles one SKU. At the
 * usual rate a step runs once a minute; the faster the clock runs, the fewer steps run per minute. The load of a world
 * therefore depends on real time, not on how far its clock moves. Not this file's work: the wanted offers and trades
 * (makers.rules.ts).
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Reconciler } from '../../core/work/reconciler.ts'
import { makerKind, stepMaker } from './makers.service.ts'

export const makerReconciler: Reconciler = {
  kind: makerKind,
  step: (ctx, key) => stepMaker(ctx, key as Id<'sku'>),
}
