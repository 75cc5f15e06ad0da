/** Errors that are shown to the operator of a host, or on the instance that they concern. */

/** An error that the operator of a host can resolve. It is printed without a stack. */
export type HostProblem = Error & { readonly name: 'HostProblem' }

/** An error response of the server. `status` 0: the server could not be reached. */
export type ServerRefusal = Error & {
  readonly name: 'ServerRefusal'
  readonly status: number
  readonly code: string | undefined
}

/** A failed start of a machine. The reason is shown on the instance. */
export type StartFailure = Error & { readonly name: 'StartFailure'; readonly reason: string }

/** Creates a `HostProblem`. */
export function hostProblem(message: string): HostProblem {
  return Object.assign(new Error(message), { name: 'HostProblem' } as const)
}

/** Creates the error for a host that cannot run machines. The message names what is missing. */
export function unfitHost(message: string): Error {
  return Object.assign(new Error(message), { name: 'UnfitHost' })
}

/** Whether an error is an `UnfitHost`. */
export function isUnfitHost(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'UnfitHost'
}

/** Creates a `ServerRefusal`. */
export function serverRefusal(message: string, status: number, code?: string): ServerRefusal {
  return Object.assign(new Error(message), { name: 'ServerRefusal', status, code } as const)
}

/** Creates a `StartFailure`. */
export function startFailure(reason: string, message = reason): StartFailure {
  return Object.assign(new Error(message), { name: 'StartFailure', reason } as const)
}

/** Whether an error is a `ServerRefusal`. */
export function isServerRefusal(thrown: unknown): thrown is ServerRefusal {
  return thrown instanceof Error && thrown.name === 'ServerRefusal'
}

/** Whether an error is a `StartFailure`. */
export function isStartFailure(thrown: unknown): thrown is StartFailure {
  return thrown instanceof Error && thrown.name === 'StartFailure'
}
