/**
 * Finds the days of the log that a page needs. Each day is a table, and reading one without events of the page costs as
 * much as ten events. Summaries describe the events of an account in closed days. Open days have no summaries, so a
 * page that may reach them reads all of them.
 * Not this file's work: closing days (partitions.store.ts), reading (event-reading.store.ts).
 */
import type { EventRange, LogPosition, Visibility, WantedEvents } from './events.rules.ts'

/**
 * The number of events of one kind that an account has in a day. Events of the account itself have the workspace ''.
 */
type EventKind = {
  readonly workspace_id: string
  readonly action: string
  readonly target_type: string
  readonly events: number
}

/** The events of an account in a closed day: exactly those from `first` to `last`. */
export type ClosedDay = {
  readonly day: string
  readonly first: LogPosition
  readonly last: LogPosition
  /** Undefined if there are too many kinds to list. */
  readonly kinds: readonly EventKind[] | undefined
}

/**
 * The closed days of an account, oldest first; the events of each are older than those of the next. All newer events
 * are in the days from `open_from` on.
 */
export type AccountDays = { readonly closed: readonly ClosedDay[]; readonly open_from: string }

/** The days that a page needs, and the workspaces of its events there. */
export type DayRange = {
  readonly from: string
  readonly to: string
  /** The workspaces of wanted and visible events in the days with known kinds. */
  readonly workspaces: readonly string[]
  /** The first day whose workspaces are unknown; undefined if all are known. */
  readonly unknown_from: string | undefined
}

/** An account without known closed days. */
export const noDaysKnown: AccountDays = { closed: [], open_from: '-infinity' }

/** After the last day. */
const endOfDays = 'infinity'

/**
 * The days that a page of `limit` events of a range needs; undefined if the range has no events. Matching events in
 * other days come after the page.
 */
export function daysOfPage(
  { closed, open_from }: AccountDays,
  range: EventRange,
  page: DayFilters & { readonly limit: number },
): DayRange | undefined {
  const chosen: ClosedDay[] = []
  let isEnough = false
  let found = 0
  for (const day of closed) {
    if (isEnough) break
    if (!isBehind(day.last, range.after)) continue
    isEnough = day.last.occurred_at > range.until
    if (day.first.occurred_at > range.until || !mayFit(day, page)) continue
    chosen.push(day)
    found += surelyFound(day, range, page)
    isEnough ||= found >= page.limit
  }
  const newest = chosen.at(-1)
  if (isEnough && !newest) return undefined
  return {
    from: chosen[0]?.day ?? open_from,
    to: isEnough && newest ? newest.day : endOfDays,
    workspaces: [...new Set(chosen.flatMap((day) => fitting(day, page) ?? []).map((kind) => kind.workspace_id))],
    unknown_from: chosen.find(({ kinds }) => !kinds)?.day ?? (isEnough ? undefined : open_from),
  }
}

type DayFilters = { readonly wanted: WantedEvents; readonly visibility: Visibility }

function isBehind(place: LogPosition, after: LogPosition): boolean {
  if (place.occurred_at !== after.occurred_at) return place.occurred_at > after.occurred_at
  return place.position > after.position
}

/** The wanted and visible kinds of a day; undefined if its kinds are unknown. */
function fitting({ kinds }: ClosedDay, { wanted, visibility }: DayFilters): readonly EventKind[] | undefined {
  return kinds?.filter(
    ({ workspace_id, action, target_type }) =>
      (wanted.action === undefined || wanted.action === action) &&
      (wanted.target_type === undefined || wanted.target_type === target_type) &&
      (visibility === 'all' || visibility.has(workspace_id)),
  )
}

function mayFit(day: ClosedDay, filters: DayFilters): boolean {
  return fitting(day, filters)?.length !== 0
}

/** The minimum number of wanted events in a day after a place. */
function surelyFound(day: ClosedDay, { after }: EventRange, { wanted, visibility }: DayFilters): number {
  const isWhole = isBehind(day.first, after)
  const { action, target, target_type } = wanted
  if (visibility === 'all' && action === undefined && target === undefined && target_type === undefined) {
    // Positions have no gaps, so the number of events after a position is known.
    if (!isWhole && after.position === 0) return 0
    return day.last.position - Math.max(day.first.position - 1, after.position)
  }
  // The number of events of one target is unknown.
  if (!isWhole || target !== undefined) return 0
  return (fitting(day, { wanted, visibility }) ?? []).reduce((sum, { events }) => sum + events, 0)
}
