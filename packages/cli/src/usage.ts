/** What a person got wrong on the command line, or has to set up first. */
export type UsageProblem = Error & { readonly exit: 'usage' | 'access'; readonly remedy: string | undefined }

/** Makes such an error. `remedy` says what to do instead. */
export function usageProblem(message: string, remedy?: string, exit: 'usage' | 'access' = 'usage'): UsageProblem {
  return Object.assign(new Error(message), { name: 'UsageProblem', exit, remedy })
}

/** Whether something thrown is such an error. */
export function isUsageProblem(thrown: unknown): thrown is UsageProblem {
  return thrown instanceof Error && thrown.name === 'UsageProblem'
}
