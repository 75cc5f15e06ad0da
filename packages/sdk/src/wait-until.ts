/** Waits until an instance is in a state. */
import { type InstanceState, instanceStates } from '../../api/src/fleet/instance-states.ts'
import type { RequestOptions } from './call.ts'
import type { Answer } from './client-types.ts'
import { isTransient, UnreachableStateError, WaitTimeoutError } from './errors.ts'
import { monotonic, pause } from './timing.ts'

/** An instance, as the client returns it. */
export type Instance = Answer<'get_instance'>

/** The time limits of a wait. */
export type WaitOptions = {
  /** Milliseconds in all. Default: 10 minutes. */
  readonly timeout?: number
  readonly signal?: AbortSignal
  /** Milliseconds between two requests. Default 1,000. */
  readonly interval?: number
}

/**
 * Polls an instance until it is in the state. Throws UnreachableStateError as soon as the state can no longer be
 * reached, WaitTimeoutError at the time limit, and NotFoundError if the instance does not exist. Retries transient
 * errors.
 */
export async function waitUntil(
  get: (options: RequestOptions) => Promise<Instance>,
  state: Instance['state'],
  { timeout = 600_000, signal, interval = 1_000 }: WaitOptions = {},
): Promise<Instance> {
  const end = monotonic() + timeout
  let seen: string | undefined
  for (;;) {
    const left = end - monotonic()
    if (left <= 0) {
      const last = seen === undefined ? 'Its state is unknown.' : `It is ${seen}.`
      throw new WaitTimeoutError(`The instance is not ${state} after ${timeout} ms. ${last}`, seen)
    }
    try {
      const instance = await get({ ...(signal ? { signal } : {}), timeout: Math.max(1, Math.ceil(left)) })
      seen = instance.state
      if (seen === state) return instance
      if (!mayReach(seen, state)) {
        throw new UnreachableStateError(`The instance is ${seen} and cannot become ${state}.`, seen)
      }
    } catch (error) {
      if (!isTransient(error)) throw error
    }
    await pause(Math.min(interval, Math.max(1, end - monotonic())), signal)
  }
}

/** Whether a state can lead to another, directly or not. A state unknown to this client may lead to any state. */
function mayReach(from: string, to: string): boolean {
  const known = (name: string): name is InstanceState => Object.hasOwn(instanceStates, name)
  if (!known(from) || !known(to)) return true
  const reached = new Set<InstanceState>([from])
  for (const state of reached) for (const next of instanceStates[state].next) reached.add(next)
  return reached.has(to)
}
