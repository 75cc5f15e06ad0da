/** Invalid operations: refused calls of the coverage pass, sent again in the current state of the run. */
import type { CallPlan, SimContext, SimOperation } from '../context.ts'

function repeatRefused({ refused, choices }: SimContext): CallPlan | undefined {
  return refused.length === 0 ? undefined : choices.pick(refused)
}

export const invalidOperations: readonly SimOperation[] = [
  { name: 'repeat a refused call', weight: 40, plan: repeatRefused },
]
