/**
 * Keeps the offers of a sandbox's market makers around their price, and trades a little. One step looks at one SKU,
 * once in a minute of a clock that runs as usual, less often the faster time passes: what a world costs hangs on real
 * time and not on how far its clock is moved. Not this file's work: what they want (makers.rules.ts).
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Reconciler } from '../../core/work/reconciler.ts'
import { makerKind, stepMaker } from './makers.service.ts'

export const makerReconciler: Reconciler = {
  kind: makerKind,
  step: (ctx, key) => stepMaker(ctx, key as Id<'sku'>),
}
