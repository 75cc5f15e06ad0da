/**
 * Updates the agents of hosts group by group, and halts at the first failure. Not this file's work: the update itself,
 * which the updater of each host does.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Reconciler } from '../../core/work/reconciler.ts'
import { agentRolloutDue, findOpenRollouts, stepRollout } from './agent-rollouts.service.ts'

export const agentRolloutReconciler: Reconciler = {
  kind: agentRolloutDue,
  sweep_seconds: 5,
  step: (ctx, key) => stepRollout(ctx, key as Id<'agent_rollout'>),
  sweep: findOpenRollouts,
}
