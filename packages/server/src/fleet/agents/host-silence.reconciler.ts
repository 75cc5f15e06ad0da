/**
 * A host that says nothing is noticed once per outage. Hosts inside the process are due only while a fault hides them;
 * all others live by the real clock, which the business clock of a sandbox may leave behind, so a sweep finds them.
 * Not this file's work: ending or moving anything, which silence alone never does.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Reconciler } from '../../core/work/reconciler.ts'
import { stopUnanswered } from '../hosts/machines.service.ts'
import { findSilentHosts, hostSilence, watchSilence } from './host-silence.service.ts'

export const hostSilenceReconciler: Reconciler = {
  kind: hostSilence,
  wake_on: [stopUnanswered],
  sweep_seconds: 5,
  step: (ctx, key) => watchSilence(ctx, key as Id<'host'>),
  sweep: findSilentHosts,
}
