import {
  claimedPosition,
  type EventCursorKey,
  type EventMark,
  eventCursorLength,
  isCursorAt,
  writeEventCursors,
} from '../../core/keys/event-cursor.ts'
import type { EventRange, LogPosition, TailRow, Visibility, WantedEvents } from './events.rules.ts'

/**
 * The newest events of an account as bytes: each with its cursor in the list without filters and the comma after it, so
 * that a page is one copy. Complete up to `end`, the account's counter at the last read.
 */
export type EventTail = {
  bytes: Buffer
  /** The offset of each event, and the end of the last one. */
  readonly offsets: number[]
  readonly positions: number[]
  readonly moments: number[]
  readonly actions: string[]
  readonly targets: string[]
  readonly target_types: string[]
  readonly workspaces: string[]
  /** There are no older events that can still be listed. */
  is_whole: boolean
  end: number
}

/** The events of a tail for a page: `count` events from index `from` on, or the indexes `picks`. */
export type Selection = {
  readonly from: number
  readonly count: number
  readonly picks: readonly number[] | undefined
  readonly has_more: boolean
}

const closing = Buffer.from('"},')
/** The approximate bytes of an event in the other lists. */
const bytesBeside = 160
const eventsMax = 1024
const eventsKept = 512

/** A tail without events. */
export function emptyTail(): EventTail {
  return {
    bytes: Buffer.alloc(0),
    offsets: [0],
    positions: [],
    moments: [],
    actions: [],
    targets: [],
    target_types: [],
    workspaces: [],
    is_whole: false,
    end: 0,
  }
}

/** The approximate bytes of a tail. */
export function sizeOfTail(tail: EventTail): number {
  return tail.bytes.length + tail.positions.length * bytesBeside
}

/** The place after the last event of a tail; undefined if it is empty. */
export function lastPlace({ moments, positions }: EventTail): LogPosition | undefined {
  const position = positions.at(-1)
  return position === undefined ? undefined : { occurred_at: moments.at(-1) as number, position }
}

/**
 * Appends events with their cursors, sealed under the key of the list without filters. Removes the oldest events if the
 * tail exceeds its maximum.
 */
export function extendTail(tail: EventTail, rows: readonly TailRow[], key: EventCursorKey): void {
  if (tail.positions.length + rows.length > eventsMax)
    removeOldest(tail, tail.positions.length + rows.length - eventsKept)
  const kept = rows.length > eventsMax ? rows.slice(-eventsKept) : rows
  if (kept.length < rows.length) tail.is_whole = false
  const places: number[] = []
  let at = tail.offsets.at(-1) as number
  makeRoom(tail, at + roomFor(kept))
  for (const row of kept) {
    at += tail.bytes.write(row.body, at)
    places.push(at)
    at += eventCursorLength
    at += closing.copy(tail.bytes, at)
    tail.offsets.push(at)
    tail.positions.push(row.position)
    tail.moments.push(row.occurred_at)
    tail.actions.push(row.action)
    tail.targets.push(row.target_id)
    tail.target_types.push(row.target_type)
    tail.workspaces.push(row.workspace_id)
    tail.end = row.position
  }
  writeEventCursors(key, kept.map(markOf), tail.bytes, places)
}

/** Whether the tail contains all events after a place. */
export function covers(tail: EventTail, after: LogPosition): boolean {
  const [position] = tail.positions
  if (tail.is_whole || after.position >= tail.end) return true
  return position !== undefined && (after.position >= position - 1 || after.occurred_at > (tail.moments[0] as number))
}

/** The index of the first event of a tail after a place. */
export function findBehind({ moments, positions }: EventTail, after: LogPosition): number {
  let low = 0
  let high = positions.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const moment = moments[middle] as number
    const isBehind =
      moment > after.occurred_at || (moment === after.occurred_at && (positions[middle] as number) > after.position)
    if (isBehind) high = middle
    else low = middle + 1
  }
  return low
}

/** Selects a page after a place that the tail covers. */
export function selectEvents(
  tail: EventTail,
  { after, until }: EventRange,
  { wanted, visibility, limit }: { wanted: WantedEvents | undefined; visibility: Visibility; limit: number },
): Selection {
  const from = findBehind(tail, after)
  const left = tail.positions.length - from
  const isPlain = wanted === undefined && visibility === 'all' && until >= (tail.moments.at(-1) ?? 0)
  if (isPlain) return { from, count: Math.min(left, limit), picks: undefined, has_more: left > limit }
  const picks: number[] = []
  for (let i = from; i < tail.positions.length && (tail.moments[i] as number) <= until; i++) {
    if (!isWanted(tail, i, wanted) || !isVisible(tail, i, visibility)) continue
    if (picks.length === limit) return selectionOf(picks, true)
    picks.push(i)
  }
  return selectionOf(picks, false)
}

/** The first event of a tail behind a position; undefined if there is none. */
export function firstBehind(tail: EventTail, position: number): EventMark | undefined {
  const i = tail.positions.findIndex((one) => one > position)
  return i < 0 ? undefined : markAt(tail, i)
}

/** The content of the cursor of an event of a tail. */
export function markAt({ positions, moments }: EventTail, i: number): EventMark {
  return { position: positions[i] as number, recorded_at: moments[i] as number }
}

/**
 * The content of a cursor of the list without filters, if it equals the cursor of an event in the tail. Such a cursor
 * is genuine, so it needs no verification, which costs ten times as much. Undefined for other cursors, genuine or not.
 */
export function findCursor(tail: EventTail, cursor: string): EventMark | undefined {
  const [first] = tail.positions
  if (first === undefined) return undefined
  const position = claimedPosition(cursor)
  const i = position - first
  if (tail.positions[i] !== position) return undefined
  const place = (tail.offsets[i + 1] as number) - closing.length - eventCursorLength
  return isCursorAt(cursor, tail.bytes, place) ? markAt(tail, i) : undefined
}

function selectionOf(picks: readonly number[], has_more: boolean): Selection {
  const [from = 0] = picks
  const isRun = picks.length > 0 && (picks.at(-1) as number) - from === picks.length - 1
  return { from, count: picks.length, picks: isRun ? undefined : picks, has_more }
}

function isWanted(tail: EventTail, i: number, wanted: WantedEvents | undefined): boolean {
  if (!wanted) return true
  const { action, target, target_type } = wanted
  return (
    (action === undefined || tail.actions[i] === action) &&
    (target === undefined || tail.targets[i] === target) &&
    (target_type === undefined || tail.target_types[i] === target_type)
  )
}

function isVisible(tail: EventTail, i: number, visibility: Visibility): boolean {
  return visibility === 'all' || visibility.has(tail.workspaces[i] as string)
}

function markOf({ position, occurred_at }: TailRow): EventMark {
  return { position, recorded_at: occurred_at }
}

function roomFor(rows: readonly TailRow[]): number {
  let room = 0
  for (const { body } of rows) room += Buffer.byteLength(body) + eventCursorLength + closing.length
  return room
}

function makeRoom(tail: EventTail, length: number): void {
  if (length <= tail.bytes.length) return
  // The first load gets exactly its size, because most accounts have few new events. Later growth gets spare room.
  const grown = Buffer.allocUnsafeSlow(tail.bytes.length === 0 ? length : length + (length >>> 1))
  tail.bytes.copy(grown, 0, 0, tail.offsets.at(-1))
  tail.bytes = grown
}

function removeOldest(tail: EventTail, wanted: number): void {
  const count = Math.min(wanted, tail.positions.length)
  const start = tail.offsets[count] as number
  tail.bytes.copyWithin(0, start, tail.offsets.at(-1))
  tail.offsets.splice(0, count)
  for (let i = 0; i < tail.offsets.length; i++) tail.offsets[i] = (tail.offsets[i] as number) - start
  for (const list of [tail.positions, tail.moments, tail.actions, tail.targets, tail.target_types, tail.workspaces]) {
    list.splice(0, count)
  }
  tail.is_whole = false
}
