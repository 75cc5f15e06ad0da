/** Invalid operations: refused calls of the coverage pass, sent again in the current state of the run. */
import type { Context, Operation, Plan } from '../context.ts'

function repeatRefused({ refused, choices }: Context): Plan | undefined {
  return refused.length === 0 ? undefined : choices.pick(refused)
}

export const invalidOperations: readonly Operation[] = [
  { name: 'repeat a refused call', weight: 40, plan: repeatRefused },
]
