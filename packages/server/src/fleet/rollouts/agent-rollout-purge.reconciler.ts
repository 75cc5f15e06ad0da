/**
 * Deletes the hosts of rollouts that ended long ago. The newest rollout keeps them: it can be rolled back, and takes up
 * hosts that return. It is not urgent, so a sweep finds them.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Reconciler } from '../../core/work/reconciler.ts'
import { agentRolloutPurge, findStaleRollouts, purgeRollout } from './agent-rollouts.service.ts'

export const agentRolloutPurgeReconciler: Reconciler = {
  kind: agentRolloutPurge,
  sweep_seconds: 600,
  sweep: findStaleRollouts,
  step: async (ctx, key) => {
    await purgeRollout(ctx, key as Id<'agent_rollout'>)
    return undefined
  },
}
