import { AssertionError } from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'
import { machineFactor } from './machine-factor.ts'

/** What is not there yet: undefined, null, false, or an assertion that fails. */
type Answer<T> = Exclude<T, undefined | null | false>

/**
 * How long something usually takes in seconds, and how often to ask, for what must be seen while it lasts. Otherwise
 * the pauses grow.
 */
export type Patience = { readonly usual_seconds?: number; readonly every_milliseconds?: number }

/** A time limit is this many times what is usual, times the factor of the machine. */
const margin = 10
const shortestPause = 20
const longestPause = 250

/**
 * The one way in which tests wait: asks until there is an answer, and returns it. Undefined, null, false and an
 * assertion that fails mean not yet; any other error is thrown at once. At the limit it throws with `what`, a sentence
 * about what should be so, and with the last answer.
 */
export async function eventually<T>(
  what: string,
  ask: () => T | Promise<T>,
  { usual_seconds = 2, every_milliseconds }: Patience = {},
): Promise<Answer<T>> {
  const seconds = limitSeconds(usual_seconds)
  const begin = performance.now()
  for (;;) {
    const { answer, failure } = await askOnce(ask)
    if (failure === undefined && answer !== undefined && answer !== null && answer !== false) return answer as Answer<T>
    const waited = performance.now() - begin
    if (waited > seconds * 1000) {
      const last = failure ? failure.message : `The last answer was ${inspect(answer, { breakLength: 120 })}.`
      throw new Error(`Not within ${seconds} s: ${what}. ${last}`, { cause: failure })
    }
    await pause(every_milliseconds ?? pauseAfter(waited))
  }
}

/**
 * The pause before the next question, after so many milliseconds. What has taken long may take a tenth longer: on a
 * busy machine, asking costs more than waiting.
 */
export function pauseAfter(milliseconds: number): number {
  return Math.min(Math.max(shortestPause, milliseconds / 10), longestPause)
}

/** The time limit in seconds of what usually takes so many, for what has to be given one. */
export function limitSeconds(usualSeconds: number): number {
  return Math.ceil(usualSeconds * margin * machineFactor())
}

async function askOnce<T>(ask: () => T | Promise<T>): Promise<{ answer?: T; failure?: AssertionError }> {
  try {
    return { answer: await ask() }
  } catch (error) {
    if (error instanceof AssertionError) return { failure: error }
    throw error
  }
}
