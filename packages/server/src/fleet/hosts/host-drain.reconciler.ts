/**
 * A draining host becomes drained when its deadline has passed and its last machine is gone. Not this file's work:
 * ending its instances, which placement does.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Reconciler } from '../../core/work/reconciler.ts'
import { hostDrain, watchDrain } from './host-changes.service.ts'
import { slotsFreedOnDraining } from './machines.service.ts'

export const hostDrainReconciler: Reconciler = {
  kind: hostDrain,
  topics: [slotsFreedOnDraining],
  step: (ctx, key) => watchDrain(ctx, key as Id<'host'>),
}
