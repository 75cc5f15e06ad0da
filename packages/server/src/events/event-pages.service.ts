import {
  EVENT_CURSOR_LENGTH,
  type EventCursorKey,
  type EventMark,
  sealEventCursors,
  writeEventCursors,
} from '../core/event-cursor.ts'
import type { BodyRow } from './events.store.ts'
import { markAt, type Selection, type Tail } from './tails.service.ts'

/** The page of a reader that has seen everything. */
export const emptyPage = Buffer.from('{"object":"list","data":[],"has_more":false}')

const opening = Buffer.from('{"object":"list","data":[')
const moreToCome = Buffer.from('],"has_more":true,"cursor":"')
const allThereIs = Buffer.from('],"has_more":false,"cursor":"')
const ending = Buffer.from('"}')
const comma = 44

/** A page of a tail. Without a key its events keep the cursors that they have there. */
export function renderSelection(tail: Tail, selection: Selection, key: EventCursorKey | undefined): Buffer {
  const { from, count, picks } = selection
  if (count === 0) return emptyPage
  const page = picks ? copyPicks(tail, picks, selection) : copyRun(tail, from, count, selection)
  if (key) resealPage(page.bytes, page.ends, page.marks(), key)
  const lastCursor = (page.ends.at(-1) as number) - ending.length - EVENT_CURSOR_LENGTH
  page.bytes.copyWithin(
    page.bytes.length - ending.length - EVENT_CURSOR_LENGTH,
    lastCursor,
    lastCursor + EVENT_CURSOR_LENGTH,
  )
  return page.bytes
}

/** A page of rows as they were read. */
export function renderRows(rows: readonly BodyRow[], has_more: boolean, key: EventCursorKey): Buffer {
  if (rows.length === 0) return emptyPage
  const cursors = sealEventCursors(
    key,
    rows.map(({ position, occurred_at }) => ({ position, recorded_at: occurred_at })),
  )
  let text = '{"object":"list","data":['
  for (let i = 0; i < rows.length; i++) text += `${i === 0 ? '' : ','}${(rows[i] as BodyRow).body}${cursors[i]}"}`
  return Buffer.from(`${text}],"has_more":${has_more},"cursor":"${cursors.at(-1)}"}`)
}

/** Copied bytes, where each event ends in them, and what its cursor says. */
type Copied = { readonly bytes: Buffer; readonly ends: readonly number[]; marks(): EventMark[] }

function copyRun(tail: Tail, from: number, count: number, { has_more }: Selection): Copied {
  const start = tail.offsets[from] as number
  const length = (tail.offsets[from + count] as number) - start - 1
  const bytes = allocatePage(length, has_more)
  tail.bytes.copy(bytes, opening.length, start, start + length)
  const shift = opening.length - start - 1
  const indexes = Array.from({ length: count }, (_, i) => from + i)
  return {
    bytes,
    ends: indexes.map((i) => (tail.offsets[i + 1] as number) + shift),
    marks: () => indexes.map((i) => markAt(tail, i)),
  }
}

function copyPicks(tail: Tail, picks: readonly number[], { has_more }: Selection): Copied {
  let length = -1
  for (const i of picks) length += (tail.offsets[i + 1] as number) - (tail.offsets[i] as number)
  const bytes = allocatePage(length, has_more)
  const ends: number[] = []
  let at = opening.length
  for (const i of picks) {
    if (at > opening.length) bytes[at++] = comma
    at += tail.bytes.copy(bytes, at, tail.offsets[i], (tail.offsets[i + 1] as number) - 1)
    ends.push(at)
  }
  return { bytes, ends, marks: () => picks.map((i) => markAt(tail, i)) }
}

/** A page with everything but its events and its cursor. */
function allocatePage(length: number, has_more: boolean): Buffer {
  const middle = has_more ? moreToCome : allThereIs
  const bytes = Buffer.allocUnsafe(opening.length + length + middle.length + EVENT_CURSOR_LENGTH + ending.length)
  opening.copy(bytes)
  middle.copy(bytes, opening.length + length)
  ending.copy(bytes, bytes.length - ending.length)
  return bytes
}

function resealPage(bytes: Buffer, ends: readonly number[], marks: EventMark[], key: EventCursorKey): void {
  const places = ends.map((end) => end - ending.length - EVENT_CURSOR_LENGTH)
  writeEventCursors(key, marks, bytes, places)
}
