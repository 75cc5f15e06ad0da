/**
 * Simulates the agents of hosts in the server process. It uses the desired state and the reports that real agents use.
 * A host is due when its desired state changes, when one of its machines changes state, or when a fault begins or ends.
 * An idle host has no due row, so a jump of the clock by years causes no steps. Not this file's work: the behaviour of
 * a host (simulated-hosts.rules.ts).
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
