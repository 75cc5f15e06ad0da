/** Invalid operations: calls that the coverage pass had refused, sent again in the state that the run has come to. */
import type { Context, Operation, Plan } from '../context.ts'

function repeatRefused({ refused, choices }: Context): Plan | undefined {
  return refused.length === 0 ? undefined : choices.pick(refused)
}

export const invalidOperations: readonly Operation[] = [
  { name: 'repeat a refused call', weight: 40, plan: repeatRefused },
]
