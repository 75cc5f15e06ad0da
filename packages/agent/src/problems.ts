/** What goes wrong on a host and is said as it is: to its operator, or on the instance that it concerns. */

/** Something that the operator of a host has to know and can mend; needs no stack. */
export type HostProblem = Error & { readonly name: 'HostProblem' }

/** The server's answer that it will not do something. `status` 0: it could not be reached. */
export type ServerRefusal = Error & {
  readonly name: 'ServerRefusal'
  readonly status: number
  readonly code: string | undefined
}

/** A machine did not start; the reason stands on the instance. */
export type StartFailure = Error & { readonly name: 'StartFailure'; readonly reason: string }

/** Makes a problem of the host. */
export function hostProblem(message: string): HostProblem {
  return Object.assign(new Error(message), { name: 'HostProblem' } as const)
}

/** Machines cannot run on this host; the sentence says what is missing. */
export function unfitHost(message: string): Error {
  return Object.assign(new Error(message), { name: 'UnfitHost' })
}

/** Whether something thrown says that machines cannot run on this host. */
export function isUnfitHost(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'UnfitHost'
}

/** Makes a refusal of the server. */
export function serverRefusal(message: string, status: number, code?: string): ServerRefusal {
  return Object.assign(new Error(message), { name: 'ServerRefusal', status, code } as const)
}

/** Makes the failure of a start. */
export function startFailure(reason: string, message = reason): StartFailure {
  return Object.assign(new Error(message), { name: 'StartFailure', reason } as const)
}

/** Whether something thrown is a problem of the host. */
export function isHostProblem(thrown: unknown): thrown is HostProblem {
  return thrown instanceof Error && thrown.name === 'HostProblem'
}

/** Whether something thrown is a refusal of the server. */
export function isServerRefusal(thrown: unknown): thrown is ServerRefusal {
  return thrown instanceof Error && thrown.name === 'ServerRefusal'
}

/** Whether something thrown is the failure of a start. */
export function isStartFailure(thrown: unknown): thrown is StartFailure {
  return thrown instanceof Error && thrown.name === 'StartFailure'
}
