/**
 * The range of the log that a request covers. In the log of an account `occurred_at` never decreases, so time and
 * position together give the place of an event, and cursor, since, until and retention all limit one range.
 * Not this file's work: reading (event-reading.store.ts), rights (iam), cursors (core/keys/event-cursor.ts).
 */
import { daySeconds, weekSeconds } from '@bourse/text/time/units.ts'
import type { RefusalData } from '../../core/base/refusal.ts'

/** Events can be listed for seven days, including the last second (docs/concepts/events.md, "Retention"). */
export const retentionSeconds = weekSeconds

/** A place in an account's log: right after this event. Position 0 is before all events of its second. */
export type LogPosition = { readonly occurred_at: number; readonly position: number }

/** The events after a place, up to and including the second `until`. */
export type EventRange = { readonly after: LogPosition; readonly until: number }

/** The filters of a list of events, without its range. */
export type WantedEvents = {
  readonly action?: string | undefined
  readonly target?: string | undefined
  readonly target_type?: string | undefined
}

/** The workspaces whose events a caller may list; '' stands for the events of the account itself. */
export type Visibility = 'all' | ReadonlySet<string>

/** The bodies of the events of a page, joined, with blanks for the cursor at the end of each. */
export type ReadPage = {
  readonly marks: readonly { readonly position: number; readonly recorded_at: number }[]
  /** The bytes of each event, including its cursor and the characters after it. */
  readonly lengths: readonly number[]
  readonly text: string
}

/** A stored event. The body ends right before its cursor. */
type BodyRow = { readonly position: number; readonly occurred_at: number; readonly body: string }

/** An event with the columns for filters and rights. Events of the account itself have the workspace ''. */
export type TailRow = BodyRow & {
  readonly action: string
  readonly target_type: string
  readonly target_id: string
  readonly workspace_id: string
}

const endOfTime = Number.MAX_SAFE_INTEGER

/** How far ahead a reader may ask for events. Seconds. What is later is in another unit, or a mistake. */
const aheadMax = daySeconds

/** Refuses a time range that ends before it starts, and one that begins where no events can be for a day. */
export function refuseRange(
  { since, until }: { since?: bigint | undefined; until?: bigint | undefined },
  now: number,
): RefusalData | undefined {
  if (since === undefined) return undefined
  if (until !== undefined && since > until) {
    return { code: 'invalid_range', field: 'since', message: 'since is after until.' }
  }
  if (since <= now + aheadMax) return undefined
  const message = 'since is more than a day ahead, where no events can be. It is a time in Unix seconds.'
  return { code: 'invalid_range', field: 'since', message }
}

/** Why a reader cannot go on behind its last event: events behind it may be missing. */
export type Gap = 'expired' | 'reset' | 'lost_commits'

/** Why a genuine cursor is gone: it is older than the retention, or of a generation that has ended. */
export function gapBehind(cursor: { recorded_at: number; ended: boolean }, now: number): Gap | undefined {
  if (cursor.ended) {
    return 'reset'
  }
  return isKept(cursor.recorded_at, now) ? undefined : 'expired'
}

/** The refusals of genuine cursors that are gone. */
export const goneCursors: Readonly<Record<Gap, RefusalData>> = {
  expired: {
    code: 'gone',
    message: 'This cursor is older than the seven days of events that are kept. Start again without a cursor.',
  },
  reset: { code: 'gone', message: 'A reset of the sandbox ended this cursor. Start again without a cursor.' },
  lost_commits: {
    code: 'gone',
    message:
      'The database lost the newest events in a failover or a restore, among them the event of this cursor. ' +
      'Start again without a cursor, or with since.',
  },
}

/** Refuses a cursor that is gone. */
export function refuseGap(gap: Gap | undefined): RefusalData | undefined {
  return gap && goneCursors[gap]
}

/** Whether events of a second can still be listed. */
export function isKept(second: number, now: number): boolean {
  return second >= now - retentionSeconds
}

/** The range of a request. The caller has verified its cursor. */
export function rangeOf(
  { since, until }: { since?: bigint | undefined; until?: bigint | undefined },
  cursor: { position: number; recorded_at: number } | undefined,
  now: number,
): EventRange {
  const edge = Math.max(now - retentionSeconds, since === undefined ? -endOfTime : secondOf(since))
  const isBehind = cursor !== undefined && cursor.recorded_at >= edge
  return {
    after: isBehind
      ? { occurred_at: cursor.recorded_at, position: cursor.position }
      : { occurred_at: edge, position: 0 },
    until: until === undefined ? endOfTime : secondOf(until),
  }
}

/** A second as a number, limited to ±2^53, which is outside the range of events. */
function secondOf(value: bigint): number {
  if (value > endOfTime) return endOfTime
  return value < -endOfTime ? -endOfTime : Number(value)
}
