import { type InputProblem, isInputProblem } from '@bourse/text/grammar/input-problem.ts'

/** Errors of the command line or of its configuration. A text that cannot be read is one: it has no exit code. */
export type UsageProblem = InputProblem & { readonly exit?: UsageExit }

type UsageExit = 'usage' | 'access' | 'not_found' | 'failed'

/** Creates such an error. `remedy` says what to do instead; `exit` is the exit code. */
export function usageProblem(message: string, remedy?: string, exit: UsageExit = 'usage'): UsageProblem {
  return Object.assign(new Error(message), { name: 'UsageProblem', exit, remedy })
}

/** Whether an error is a usage problem. */
export function isUsageProblem(thrown: unknown): thrown is UsageProblem {
  return isInputProblem(thrown) || (thrown instanceof Error && thrown.name === 'UsageProblem')
}
