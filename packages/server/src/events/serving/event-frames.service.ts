/** Renders events for a stream: each with its cursor as `id:` and its body, with the same cursor, as `data:`. */
import {
  type EventCursorKey,
  type EventMark,
  eventCursorLength,
  sealEventCursors,
  writeEventCursors,
} from '../../core/keys/event-cursor.ts'
import type { FoundEvents } from '../log/event-reading.service.ts'
import type { Gap, ReadPage } from '../log/events.rules.ts'
import { type EventTail, markAt, type Selection } from '../log/tails.service.ts'

/** The bytes of some events, as one piece for all readers of a list. */
type Frames = {
  readonly bytes: Buffer
  /** The last of the events. */
  readonly last: EventMark
  /** There are more events than the limit. */
  readonly has_more: boolean
}

const idField = Buffer.from('id: ')
const dataField = Buffer.from('\ndata: ')
const endOfEvent = Buffer.from('\n\n')
const bytesBeside = idField.length + eventCursorLength + dataField.length + endOfEvent.length
/** The bytes of a body after its cursor: quote and brace. */
const behindCursor = 2

/** A body in other bytes, including its cursor. */
type BodyPiece = { readonly from: Buffer; readonly start: number; readonly end: number }

/**
 * Renders events that were found. `key` seals their cursors; events of a tail keep those of the list without filters if
 * it is undefined.
 */
export function renderFrames(
  found: FoundEvents,
  limit: number,
  { key, isSealed }: { key: EventCursorKey; isSealed: boolean },
): Frames {
  if ('page' in found) return framesOfPage(found.page, limit, key)
  return framesOfTail(found.tail, found.selection, isSealed ? undefined : key)
}

/** The event that tells a reader that events before a place are missing. */
export function renderGap(key: EventCursorKey, mark: EventMark, reason: Gap): string {
  return `event: gap\nid: ${sealEventCursors(key, [mark])[0]}\ndata: {"object":"gap","reason":"${reason}"}\n\n`
}

function framesOfTail(
  tail: EventTail,
  { from, count, picks, has_more }: Selection,
  key: EventCursorKey | undefined,
): Frames {
  const pieces: BodyPiece[] = []
  const marks: EventMark[] = []
  for (let n = 0; n < count; n++) {
    const i = picks ? (picks[n] as number) : from + n
    // Without the comma after the event.
    pieces.push({ from: tail.bytes, start: tail.offsets[i] as number, end: (tail.offsets[i + 1] as number) - 1 })
    marks.push(markAt(tail, i))
  }
  return join(pieces, marks, has_more, key)
}

function framesOfPage({ marks, lengths, text }: ReadPage, limit: number, key: EventCursorKey): Frames {
  const from = Buffer.from(text)
  const shown = marks.slice(0, limit)
  const pieces: BodyPiece[] = []
  let start = 0
  for (let i = 0; i < shown.length; i++) {
    const end = start + (lengths[i] as number)
    pieces.push({ from, start, end: end - 1 })
    start = end
  }
  return join(pieces, shown, marks.length > limit, key)
}

function join(
  pieces: readonly BodyPiece[],
  marks: readonly EventMark[],
  has_more: boolean,
  key: EventCursorKey | undefined,
): Frames {
  const length = pieces.reduce((sum, { start, end }) => sum + end - start + bytesBeside, 0)
  const bytes = Buffer.allocUnsafe(length)
  const places: number[] = []
  let at = 0
  for (const { from, start, end } of pieces) {
    at += idField.copy(bytes, at) + eventCursorLength
    at += dataField.copy(bytes, at)
    at += from.copy(bytes, at, start, end)
    places.push(at - behindCursor - eventCursorLength)
    at += endOfEvent.copy(bytes, at)
  }
  if (key) writeEventCursors(key, marks, bytes, places)
  copyCursors(bytes, pieces, places)
  return { bytes, last: marks.at(-1) as EventMark, has_more }
}

/** Copies the cursor of each body to its `id:`. */
function copyCursors(bytes: Buffer, pieces: readonly BodyPiece[], places: readonly number[]): void {
  let at = 0
  for (const [i, place] of places.entries()) {
    const { start, end } = pieces[i] as BodyPiece
    bytes.copyWithin(at + idField.length, place, place + eventCursorLength)
    at += end - start + bytesBeside
  }
}
