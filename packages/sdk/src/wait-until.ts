/** Waits until a resource is in a state, or until any other condition of it holds. */

import { millisecondsOf } from '@bourse/text/formats/durations.ts'
import { pause } from '@bourse/text/time/pause.ts'
import type { RequestOptions } from './call.ts'
import { isTransient, UnreachableStateError, WaitTimeoutError } from './errors.ts'
import { nextStates } from './generated/states.ts'
import { monotonic } from './timing.ts'

/** The limits of a wait. */
export type WaitOptions<T = unknown> = {
  /** Milliseconds in all. Default: 10 minutes. */
  readonly timeout?: number
  readonly signal?: AbortSignal
  /** Milliseconds between two requests. Default 1,000. */
  readonly interval?: number
  /** Called with each response, also the last one: to show progress. */
  readonly onPoll?: (resource: T) => void
}

/** What to wait for: a state, one of several states, or a condition. */
export type Until<T> = StateOf<T> | readonly StateOf<T>[] | ((resource: T) => boolean)

type StateOf<T> = T extends { readonly state: infer S extends string } ? S : never

/** The kinds whose states are known to follow one another. A wait for another kind ends only at its time limit. */
export type KnownKind = keyof typeof nextStates

/**
 * Polls a resource until it is in one of the states, or until the condition holds, and returns it. Throws
 * UnreachableStateError as soon as none of the states can be reached any more, WaitTimeoutError at the time limit, and
 * NotFoundError if the resource does not exist. Retries transient errors.
 */
export async function waitUntil<T>(
  get: (options: RequestOptions) => Promise<T>,
  until: Until<T>,
  { timeout = 600_000, signal, interval = 1_000, onPoll }: WaitOptions<T> = {},
  kind?: KnownKind,
): Promise<T> {
  const end = monotonic() + timeout
  const states: readonly string[] = typeof until === 'function' ? [] : [until].flat()
  let seen: string | undefined
  for (;;) {
    const left = end - monotonic()
    if (left <= 0) throw tooLate(states, timeout, seen)
    try {
      const resource = await get({ ...(signal ? { signal } : {}), timeout: Math.max(1, Math.ceil(left)) })
      seen = stateOf(resource)
      onPoll?.(resource)
      if (typeof until === 'function' ? until(resource) : states.includes(seen ?? '')) return resource
      if (kind && seen !== undefined && isOutOfReach(kind, seen, states)) {
        const name = kind.replaceAll('_', ' ')
        throw new UnreachableStateError(`The ${name} is ${seen} and cannot become ${states.join(' or ')}.`, seen)
      }
    } catch (error) {
      if (!isTransient(error)) throw error
    }
    await pause(Math.min(interval, Math.max(1, end - monotonic())), signal)
    signal?.throwIfAborted()
  }
}

function stateOf(resource: unknown): string | undefined {
  const { state } = (resource ?? {}) as { state?: unknown }
  return typeof state === 'string' ? state : undefined
}

function tooLate(states: readonly string[], timeout: number, seen: string | undefined): WaitTimeoutError {
  const last = seen === undefined ? 'Its state is unknown.' : `It is ${seen}.`
  const wanted = states.length === 0 ? 'The condition does not hold' : `The resource is not ${states.join(' or ')}`
  return new WaitTimeoutError(`${wanted} after ${millisecondsOf(timeout)}. ${last}`, seen)
}

/**
 * Whether a state can lead to none of the others, directly or not. A state that this client does not know may lead to
 * any state, and any state to it.
 */
function isOutOfReach(kind: KnownKind, from: string, to: readonly string[]): boolean {
  const next: Readonly<Record<string, readonly string[]>> = nextStates[kind]
  const known = (name: string) => Object.hasOwn(next, name)
  if (!known(from) || to.length === 0 || to.some((name) => !known(name))) return false
  const reached = new Set([from])
  for (const state of reached) for (const following of next[state] ?? []) reached.add(following)
  return !to.some((name) => reached.has(name))
}
