/** What a person got wrong on the command line, or has to set up first. */
export type UsageProblem = Error & { readonly exit: UsageExit; readonly remedy: string | undefined }

type UsageExit = 'usage' | 'access' | 'not_found'

/** Makes such an error. `remedy` says what to do instead, `exit` which exit code it ends with. */
export function usageProblem(message: string, remedy?: string, exit: UsageExit = 'usage'): UsageProblem {
  return Object.assign(new Error(message), { name: 'UsageProblem', exit, remedy })
}

/** Whether something thrown is such an error. */
export function isUsageProblem(thrown: unknown): thrown is UsageProblem {
  return thrown instanceof Error && thrown.name === 'UsageProblem'
}
