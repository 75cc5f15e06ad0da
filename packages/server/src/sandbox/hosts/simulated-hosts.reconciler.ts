/**
 * Plays the part of the agents of hosts inside the process, by the same desired state and reports that real agents
 * use. A host is due when it is told something new, when one of its machines becomes another thing, or when a fault
 * begins or ends; in between it costs nothing, so years may pass. Not this file's work: what it does
 * (simulated-hosts.rules.ts).
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Reconciler } from '../../core/work/reconciler.ts'
import { hostNotified } from '../../fleet/hosts/machines.service.ts'
import { runHost } from './simulated-hosts.service.ts'

export const simulatedHostReconciler: Reconciler = {
  kind: 'sandbox.host',
  topics: [hostNotified],
  step: (ctx, key) => runHost(ctx, key as Id<'host'>),
}
