/**
 * Which part of the log a request is about. Along the log of an account `occurred_at` never falls, so the moment and
 * the position of an event together are its place, and cursor, since, until and retention all bound one range.
 * Not this file's work: reading (events.store.ts), who may see what (iam), cursors themselves
 * (core/keys/event-cursor.ts).
 */
import type { RefusalData } from '../core/base/refusal.ts'

/** Events are shown for seven days, the second itself inside (docs/concepts/events.md, "Retention"). */
export const retentionSeconds = 7 * 86_400

/** A place in an account's log: right behind this event. Position 0 stands before all events of its second. */
export type Place = { readonly occurred_at: number; readonly position: number }

/** The events behind a place, up to and with a second. */
export type Range = { readonly after: Place; readonly until: number }

/** What events are asked for, beside their range. */
export type Wanted = {
  readonly action?: string | undefined
  readonly target?: string | undefined
  readonly target_type?: string | undefined
}

/** The workspaces whose events a caller may see, beside the events of the account itself. */
export type Visibility = 'all' | ReadonlySet<string>

/** Events as a page shows them, joined: each body ends where its cursor belongs, and room for that is left. */
export type ReadPage = {
  readonly marks: readonly { readonly position: number; readonly recorded_at: number }[]
  /** Bytes of each event with its cursor and all that stands behind it. */
  readonly lengths: readonly number[]
  readonly text: string
}

/** An event as it is kept. The body ends where its cursor belongs. */
type BodyRow = { readonly position: number; readonly occurred_at: number; readonly body: string }

/** An event with what filters and rights go by. Events of the account itself have the workspace ''. */
export type TailRow = BodyRow & {
  readonly action: string
  readonly target_type: string
  readonly target_id: string
  readonly workspace_id: string
}

const endOfTime = Number.MAX_SAFE_INTEGER

/** Refuses a time range that ends before it starts. */
export function refuseRange({
  since,
  until,
}: {
  since?: bigint | undefined
  until?: bigint | undefined
}): RefusalData | undefined {
  if (since === undefined || until === undefined || since <= until) return undefined
  return { code: 'invalid_range', field: 'since', message: 'since lies after until.' }
}

/** Refuses a genuine cursor whose events may be gone: recorded before the window, or in a generation that has ended. */
export function refuseOldCursor(cursor: { recorded_at: number; ended: boolean }, now: number): RefusalData | undefined {
  if (!cursor.ended && isKept(cursor.recorded_at, now)) return undefined
  return {
    code: 'gone',
    message: 'This cursor is older than the seven days of events that are kept. Start again without a cursor.',
  }
}

/** Whether what occurred in a second is still shown. */
export function isKept(second: number, now: number): boolean {
  return second >= now - retentionSeconds
}

/** The range of the log that a request is about. Its cursor has been found good. */
export function rangeOf(
  { since, until }: { since?: bigint | undefined; until?: bigint | undefined },
  cursor: { position: number; recorded_at: number } | undefined,
  now: number,
): Range {
  const edge = Math.max(now - retentionSeconds, since === undefined ? -endOfTime : secondOf(since))
  const isBehind = cursor !== undefined && cursor.recorded_at >= edge
  return {
    after: isBehind
      ? { occurred_at: cursor.recorded_at, position: cursor.position }
      : { occurred_at: edge, position: 0 },
    until: until === undefined ? endOfTime : secondOf(until),
  }
}

/** A second as a number; what lies beyond 2^53 lies beyond every event all the same. */
function secondOf(value: bigint): number {
  if (value > endOfTime) return endOfTime
  return value < -endOfTime ? -endOfTime : Number(value)
}
