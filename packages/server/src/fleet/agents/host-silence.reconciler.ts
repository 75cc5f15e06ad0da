/**
 * Detects hosts that stop reporting, once per outage. Simulated hosts have due rows, and only while a fault hides them.
 * The real clock applies to all other hosts, and the sandbox clock may differ from it, so a sweep finds them. Not this
 * file's work: ending or moving instances, which an outage alone never causes.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Reconciler } from '../../core/work/reconciler.ts'
import { stopUnanswered } from '../hosts/machines.service.ts'
import { checkSilence, findSilentHosts, hostSilence } from './host-silence.service.ts'

export const hostSilenceReconciler: Reconciler = {
  kind: hostSilence,
  topics: [stopUnanswered],
  sweep_seconds: 5,
  step: (ctx, key) => checkSilence(ctx, key as Id<'host'>),
  sweep: findSilentHosts,
}
