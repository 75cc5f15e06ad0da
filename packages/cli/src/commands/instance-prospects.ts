/** Whether an instance that waits for allocation can start in time, as the server explains it. */

import { lengthOf } from '@bourse/text/formats/durations.ts'
import { spelledTwice } from '@bourse/text/time/zones.ts'

/** What a wait for an instance can expect. */
export type Prospect = {
  /** Why it waits, as a sentence; undefined where it does not. */
  readonly reason: string | undefined
  /** Why it cannot start in time, with what to do; undefined where it may. */
  readonly obstacle: string | undefined
}

/** The part of an explanation that tells. A server may add codes. */
export type Explained = {
  readonly as_of: number
  readonly waiting: {
    readonly reasons: readonly { readonly code: string; readonly message: string }[]
    readonly next_allocation_at: number | null
  } | null
}

/** Judges an explanation. `seconds` is how long the wait goes on. */
export function prospectOf({ waiting, as_of }: Explained, seconds: number): Prospect {
  const [first] = waiting?.reasons ?? []
  if (!waiting || !first) return { reason: undefined, obstacle: undefined }
  const reason = `It waits: ${first.message}`
  const isEmpty = waiting.reasons.some(({ code }) => code === 'no_allocation')
  const { next_allocation_at: next } = waiting
  if (!isEmpty || (next !== null && next <= as_of + seconds)) return { reason, obstacle: undefined }
  const later =
    next === null
      ? 'It has none for this instance later either.'
      : `Its next allocation begins at ${spelledTwice(next)}, in ${lengthOf(next - as_of)}, after the end of this wait.`
  const remedy =
    next === null
      ? 'Buy some with `bourse orders buy`.'
      : `Wait longer with --timeout ${Math.ceil((next - as_of) / 60) + 5}m, or buy some with \`bourse orders buy\`.`
  return { reason, obstacle: `${first.message} ${later} ${remedy} The instance stays, and starts with allocation.` }
}
