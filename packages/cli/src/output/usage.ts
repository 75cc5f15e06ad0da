/** Errors of the command line or of its configuration. */
export type UsageProblem = Error & { readonly exit: UsageExit; readonly remedy: string | undefined }

type UsageExit = 'usage' | 'access' | 'not_found' | 'failed'

/** Creates such an error. `remedy` says what to do instead; `exit` is the exit code. */
export function usageProblem(message: string, remedy?: string, exit: UsageExit = 'usage'): UsageProblem {
  return Object.assign(new Error(message), { name: 'UsageProblem', exit, remedy })
}

/** Whether an error is a usage problem. */
export function isUsageProblem(thrown: unknown): thrown is UsageProblem {
  return thrown instanceof Error && thrown.name === 'UsageProblem'
}
