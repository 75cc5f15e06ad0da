/**
 * In which days of the log a page lies. Days are tables, and looking into one that holds nothing of a page costs as
 * much as ten events. Of a closed day it is known for good what each account has in it; of the others nothing, so a
 * page that may reach them looks into all of them.
 * Not this file's work: closing days (partitions.store.ts), reading (events.store.ts).
 */
import type { Place, Range, Visibility, Wanted } from './events.rules.ts'

/** Events of one sort that an account has in a day. Those of the account itself have the workspace ''. */
export type Kind = {
  readonly workspace_id: string
  readonly action: string
  readonly target_type: string
  readonly events: number
}

/** What an account has in a closed day: everything between these two events, ends included, and nothing else. */
export type ClosedDay = {
  readonly day: string
  readonly first: Place
  readonly last: Place
  /** Undefined where there are too many sorts to list. */
  readonly kinds: readonly Kind[] | undefined
}

/**
 * The days of an account, oldest first: each holds older events than the next. Everything else is in the days from
 * `open_from` on, and newer than any of these.
 */
export type AccountDays = { readonly closed: readonly ClosedDay[]; readonly open_from: string }

/** The days in which a page lies, and what else is known of them. */
export type DayRange = {
  readonly from: string
  readonly to: string
  /** Workspaces of what is wanted and in sight there. */
  readonly workspaces: readonly string[]
  /** The first of the days whose workspaces are not known; undefined where all are. */
  readonly unknown_from: string | undefined
}

/** Every day, and nothing is known of any. */
export const noDaysKnown: AccountDays = { closed: [], open_from: '-infinity' }

/** Behind the last day. */
const endOfDays = 'infinity'

/**
 * The days that hold a page of `limit` events of a range; undefined where nothing can lie in it. What fits and is in
 * none of these days comes after the page.
 */
export function daysOfPage(
  { closed, open_from }: AccountDays,
  range: Range,
  asked: { readonly wanted: Wanted; readonly visibility: Visibility; readonly limit: number },
): DayRange | undefined {
  const chosen: ClosedDay[] = []
  let isEnough = false
  let found = 0
  for (const day of closed) {
    if (isEnough) break
    if (!isBehind(day.last, range.after)) continue
    isEnough = day.last.occurred_at > range.until
    if (day.first.occurred_at > range.until || !mayFit(day, asked)) continue
    chosen.push(day)
    found += surelyFound(day, range, asked)
    isEnough ||= found >= asked.limit
  }
  const newest = chosen.at(-1)
  if (isEnough && !newest) return undefined
  return {
    from: chosen[0]?.day ?? open_from,
    to: isEnough && newest ? newest.day : endOfDays,
    workspaces: [...new Set(chosen.flatMap((day) => fitting(day, asked) ?? []).map((kind) => kind.workspace_id))],
    unknown_from: chosen.find(({ kinds }) => !kinds)?.day ?? (isEnough ? undefined : open_from),
  }
}

type Asked = { readonly wanted: Wanted; readonly visibility: Visibility }

function isBehind(place: Place, after: Place): boolean {
  if (place.occurred_at !== after.occurred_at) return place.occurred_at > after.occurred_at
  return place.position > after.position
}

/** The sorts of a day that are wanted and in sight; undefined where they are not known. */
function fitting({ kinds }: ClosedDay, { wanted, visibility }: Asked): readonly Kind[] | undefined {
  return kinds?.filter(
    ({ workspace_id, action, target_type }) =>
      (wanted.action === undefined || wanted.action === action) &&
      (wanted.target_type === undefined || wanted.target_type === target_type) &&
      (visibility === 'all' || workspace_id === '' || visibility.has(workspace_id)),
  )
}

function mayFit(day: ClosedDay, asked: Asked): boolean {
  return fitting(day, asked)?.length !== 0
}

/** How many events behind a place a day holds at the least. */
function surelyFound(day: ClosedDay, { after }: Range, { wanted, visibility }: Asked): number {
  const isWhole = isBehind(day.first, after)
  const { action, target, target_type } = wanted
  if (visibility === 'all' && action === undefined && target === undefined && target_type === undefined) {
    // Positions count without a gap, so a place with one tells how many are behind it.
    if (!isWhole && after.position === 0) return 0
    return day.last.position - Math.max(day.first.position - 1, after.position)
  }
  // How many of them are about one target is not known.
  if (!isWhole || target !== undefined) return 0
  return (fitting(day, { wanted, visibility }) ?? []).reduce((sum, { events }) => sum + events, 0)
}
