import {
  type EventCursorKey,
  type EventMark,
  eventCursorLength,
  writeEventCursors,
} from '../../core/keys/event-cursor.ts'
import type { ReadPage } from '../log/events.rules.ts'
import { type EventTail, markAt, type Selection } from '../log/tails.service.ts'

/** The page of a reader that has read all events. */
export const emptyPage = Buffer.from('{"object":"list","data":[],"has_more":false}')

const opening = Buffer.from('{"object":"list","data":[')
const moreToCome = Buffer.from('],"has_more":true,"cursor":"')
const allThereIs = Buffer.from('],"has_more":false,"cursor":"')
const ending = Buffer.from('"}')
const comma = 44

/** Renders a page from a tail. Without a key, the events keep the cursors of the list without filters. */
export function renderSelection(tail: EventTail, selection: Selection, key: EventCursorKey | undefined): Buffer {
  const { from, count, picks, has_more } = selection
  if (count === 0) return emptyPage
  const indexes = picks ?? (key ? run(from, count) : undefined)
  const bytes = allocatePage(lengthOf(tail, selection), has_more)
  if (picks) copyPicks(tail, picks, bytes)
  else tail.bytes.copy(bytes, opening.length, tail.offsets[from], (tail.offsets[from + count] as number) - 1)
  if (key && indexes) reseal(tail, indexes, bytes, key)
  copyLastCursor(bytes, has_more)
  return bytes
}

/** Renders a page of at most `limit` events from the database. A further event means that the list has more. */
export function renderRead({ marks, lengths, text }: ReadPage, limit: number, key: EventCursorKey): Buffer {
  if (marks.length === 0) return emptyPage
  const hasMore = marks.length > limit
  const shown = hasMore ? marks.slice(0, limit) : marks
  const places: number[] = []
  let at = opening.length
  for (let i = 0; i < shown.length; i++) {
    at += lengths[i] as number
    places.push(at - 1 - ending.length - eventCursorLength)
  }
  // Leaves out the comma after the last event, and the further event.
  const length = at - opening.length - 1
  const bytes = allocatePage(length, hasMore)
  bytes.write(text, opening.length, length)
  writeEventCursors(key, shown, bytes, places)
  copyLastCursor(bytes, hasMore)
  return bytes
}

function run(from: number, count: number): number[] {
  const indexes: number[] = []
  for (let i = from; i < from + count; i++) indexes.push(i)
  return indexes
}

/** The bytes of the events and the commas between them. */
function lengthOf({ offsets }: EventTail, { from, count, picks }: Selection): number {
  if (!picks) return (offsets[from + count] as number) - (offsets[from] as number) - 1
  let length = -1
  for (const i of picks) length += (offsets[i + 1] as number) - (offsets[i] as number)
  return length
}

/** Allocates a page and writes everything except its events and its cursor. */
function allocatePage(length: number, hasMore: boolean): Buffer {
  const middle = hasMore ? moreToCome : allThereIs
  const bytes = Buffer.allocUnsafe(opening.length + length + middle.length + eventCursorLength + ending.length)
  bytes.set(opening, 0)
  bytes.set(middle, opening.length + length)
  bytes.set(ending, bytes.length - ending.length)
  return bytes
}

function copyPicks(tail: EventTail, picks: readonly number[], bytes: Buffer): void {
  let at = opening.length
  for (const i of picks) {
    if (at > opening.length) bytes[at++] = comma
    at += tail.bytes.copy(bytes, at, tail.offsets[i], (tail.offsets[i + 1] as number) - 1)
  }
}

function reseal(tail: EventTail, indexes: readonly number[], bytes: Buffer, key: EventCursorKey): void {
  const marks: EventMark[] = []
  const places: number[] = []
  let at = opening.length
  for (const i of indexes) {
    at += (tail.offsets[i + 1] as number) - (tail.offsets[i] as number)
    places.push(at - 1 - ending.length - eventCursorLength)
    marks.push(markAt(tail, i))
  }
  writeEventCursors(key, marks, bytes, places)
}

/** Copies the cursor of the last event to the cursor of the page. */
function copyLastCursor(bytes: Buffer, hasMore: boolean): void {
  const to = bytes.length - ending.length - eventCursorLength
  const middle = hasMore ? moreToCome : allThereIs
  const from = to - middle.length - ending.length - eventCursorLength
  bytes.copyWithin(to, from, from + eventCursorLength)
}
