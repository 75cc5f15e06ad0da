/**
 * Cursors of the event log. 32 bytes: version 1, key id 2, position 8, recorded second 5, MAC 16, all big-endian; in
 * base64url behind `evtc_`. The first 16 bytes are one AES block and the MAC is its encryption under a key derived
 * from cursor key, list, account and filters: a cursor fits only the list that it was made for, and the MACs of a page
 * are one cipher call (50 HMACs took 117 to 600 µs). Not this file's work: the age of a cursor, which needs the clock.
 */
import { type Cipheriv, createCipheriv, createHash, hkdfSync, timingSafeEqual } from 'node:crypto'
import { createRecentCache, type RecentCache } from '../base/recent-cache.ts'
import type { CursorKey, CursorKeys } from './keys.ts'

/** The filters of the event list as the caller sent them: text before any reading; absent is not the same as empty. */
export type EventFilters = {
  readonly action?: string | undefined
  readonly target?: string | undefined
  readonly target_type?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** The list that a cursor belongs to: one account's events under these filters. */
export type EventListScope = { readonly account_id: string; readonly filters: EventFilters }

/** What a cursor says: just behind this position, recorded in this Unix second. */
export type EventMark = { readonly position: number; readonly recorded_at: number }

/** What a genuine cursor says; `ended` means that its generation is over (410). */
export type OpenedEventCursor = EventMark & { readonly ended: boolean }

/** A key for the cursors of one list. Made by `eventCursorKey`. */
export type EventCursorKey = { readonly key_id: number; readonly ended: boolean; readonly cipher: Cipheriv }

/** Length of every event cursor in characters, all of them ASCII. */
export const EVENT_CURSOR_LENGTH = 48

const PREFIX = 'evtc_'
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const VERSION = 1
const BLOCK = 16
const FRAME = 2 * BLOCK + 1
const ENCODED_FRAME = 44
const PATTERN = /^evtc_[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/
const WORD = 2 ** 32
// Where the position begins in a cursor's characters, at a whole one, and the character that holds its last four bits.
const POSITION_AT = 9
const POSITION_END = 19
const sextets = Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, BASE64URL.indexOf(String.fromCharCode(code))))
// About 1 KiB each, most of it OpenSSL's; deriving one again costs 28 µs.
const CACHED_LISTS = 8192

const prefixBytes = Buffer.from(PREFIX, 'latin1')
// By identity of the key object, so servers that share a process never meet each other's keys of the same number.
const derivedKeys = new WeakMap<CursorKey, RecentCache<string, EventCursorKey>>()
// Filled and read within one synchronous call, never across an await. They grow to the largest page.
const scratch = { blocks: Buffer.alloc(0), frames: Buffer.alloc(0), encoded: Buffer.alloc(0) }

/** The key for the cursors of one list, derived once and then cached while lists under it are read. */
export function eventCursorKey(key: CursorKey, scope: EventListScope): EventCursorKey {
  // Keys of an ended generation only see off old cursors: caching them would let anyone fill memory with them.
  if (key.ended) return deriveKey(key, scope.account_id, encodeFilters(scope.filters))
  let cache = derivedKeys.get(key)
  if (cache === undefined) {
    cache = createRecentCache(CACHED_LISTS)
    derivedKeys.set(key, cache)
  }
  const filters = encodeFilters(scope.filters)
  const name = `${scope.account_id} ${filters}`
  const cached = cache.get(name)
  if (cached !== undefined) return cached
  const derived = deriveKey(key, scope.account_id, filters)
  cache.set(name, derived)
  return derived
}

/** The cursors of a page, in the order of its events. */
export function sealEventCursors(key: EventCursorKey, marks: readonly EventMark[]): string[] {
  const page = sealPage(key, marks)
  return marks.map((_, i) => PREFIX + page.slice(i * ENCODED_FRAME, (i + 1) * ENCODED_FRAME - 1))
}

/**
 * Writes the cursors of a page into a Buffer, the i-th one as EVENT_CURSOR_LENGTH bytes from `places[i]` on. For
 * answers that are joined from ready Buffers.
 */
export function writeEventCursors(
  key: EventCursorKey,
  marks: readonly EventMark[],
  target: Buffer,
  places: ArrayLike<number>,
): void {
  const page = sealPage(key, marks)
  if (page.length > scratch.encoded.length) scratch.encoded = Buffer.alloc(page.length)
  scratch.encoded.write(page, 'latin1')
  for (let i = 0; i < marks.length; i++) {
    const place = places[i] as number
    if (!(place >= 0 && place + EVENT_CURSOR_LENGTH <= target.length)) throw new RangeError('A cursor does not fit in.')
    for (let k = 0; k < PREFIX.length; k++) target[place + k] = prefixBytes[k] as number
    const to = place + PREFIX.length
    const from = i * ENCODED_FRAME
    // Byte by byte: a native copy of so few costs more to call.
    for (let k = 0; k < ENCODED_FRAME - 1; k++) target[to + k] = scratch.encoded[from + k] as number
  }
}

/**
 * The position that a text would name if it were a genuine cursor, which is not proved by that. Something else than a
 * position for any other text.
 */
export function claimedPosition(cursor: string): number {
  let position = 0
  for (let k = POSITION_AT; k < POSITION_END; k++) position = position * 64 + sextet(cursor, k)
  return position * 16 + (sextet(cursor, POSITION_END) >>> 2)
}

/**
 * Whether a text is the very cursor that stands in these bytes. Takes equally long wherever they differ, as no more
 * may be learnt from it than from a MAC.
 */
export function isCursorAt(cursor: string, bytes: Uint8Array, place: number): boolean {
  if (cursor.length !== EVENT_CURSOR_LENGTH) return false
  let difference = 0
  for (let k = 0; k < EVENT_CURSOR_LENGTH; k++) difference |= cursor.charCodeAt(k) ^ (bytes[place + k] as number)
  return difference === 0
}

/**
 * Reads a cursor that came from outside, for the list that is asked for. Every defect (length, alphabet, version, key,
 * MAC, other account, list or filters) gives one and the same `undefined`. `current` is the list's own current key,
 * where the caller has it at hand.
 */
export function openEventCursor(
  keys: CursorKeys,
  scope: EventListScope,
  cursor: string,
  current?: EventCursorKey,
): OpenedEventCursor | undefined {
  if (!PATTERN.test(cursor)) return undefined
  const bytes = Buffer.from(cursor.slice(PREFIX.length), 'base64url')
  if (bytes[0] !== VERSION) return undefined
  const key_id = bytes.readUInt16BE(1)
  const key = key_id === current?.key_id ? current : findKey(keys, scope, key_id)
  if (key === undefined) return undefined
  const mac = key.cipher.update(bytes.subarray(0, BLOCK))
  if (!timingSafeEqual(mac, bytes.subarray(BLOCK))) return undefined
  return {
    position: bytes.readUInt32BE(3) * WORD + bytes.readUInt32BE(7),
    recorded_at: bytes.readUIntBE(11, 5),
    ended: key.ended,
  }
}

function findKey(keys: CursorKeys, scope: EventListScope, key_id: number): EventCursorKey | undefined {
  const key = keys.find(key_id)
  return key && eventCursorKey(key, scope)
}

function deriveKey(key: CursorKey, account_id: string, filters: string): EventCursorKey {
  // UTF-16, because UTF-8 would write every lone surrogate alike.
  const filterHash = createHash('sha256').update(filters, 'utf16le').digest('hex')
  const purpose = `bourse events ${account_id} ${filterHash}`
  const derived = Buffer.from(hkdfSync('sha256', key.secret.reveal(), '', purpose, 32))
  // Never finished: each block of ECB stands for itself, so one cipher serves every page (1 µs instead of 14).
  const cipher = createCipheriv('aes-256-ecb', derived, null).setAutoPadding(false)
  return { key_id: key.key_id, ended: key.ended, cipher }
}

// Each value with its length in front, so that no two filter sets are written alike.
function encodeFilters({ action, target, target_type, since, until }: EventFilters): string {
  return part(action) + part(target) + part(target_type) + part(since) + part(until)
}

function part(value: string | undefined): string {
  return value === undefined ? '-' : `${value.length}:${value}`
}

// The cursors of a page without their prefix, 44 bytes each: base64url of 33 bytes, the last of them zero, so that
// the whole page is encoded in one call and each cursor begins at a whole character. The 44th is not part of it.
function sealPage(key: EventCursorKey, marks: readonly EventMark[]): string {
  if (key.ended) throw new Error('No cursors are made under a generation that has ended.')
  const size = marks.length * BLOCK
  if (size > scratch.blocks.length) {
    scratch.blocks = Buffer.alloc(size)
    scratch.frames = Buffer.alloc(marks.length * FRAME)
  }
  for (let i = 0; i < marks.length; i++) writeBlock(i * BLOCK, key.key_id, marks[i] as EventMark)
  const macs = key.cipher.update(scratch.blocks.subarray(0, size))
  for (let from = 0, to = 0; from < size; to += FRAME - BLOCK) {
    for (const end = from + BLOCK; from < end; from++, to++) {
      scratch.frames[to] = scratch.blocks[from] as number
      scratch.frames[to + BLOCK] = macs[from] as number
    }
  }
  return scratch.frames.toString('base64url', 0, marks.length * FRAME)
}

function sextet(cursor: string, at: number): number {
  return sextets[cursor.charCodeAt(at)] ?? 0
}

function writeBlock(at: number, key_id: number, { position, recorded_at }: EventMark): void {
  if (!Number.isSafeInteger(position) || position < 0) throw new RangeError('A position is a whole number from 0 on.')
  if (!Number.isInteger(recorded_at) || recorded_at < 0 || recorded_at >= 2 ** 40) {
    throw new RangeError('A recorded second is a whole number below 2^40.')
  }
  scratch.blocks[at] = VERSION
  scratch.blocks[at + 1] = key_id >>> 8
  scratch.blocks[at + 2] = key_id
  writeWord(at + 3, Math.floor(position / WORD))
  writeWord(at + 7, position % WORD)
  scratch.blocks[at + 11] = Math.floor(recorded_at / WORD)
  writeWord(at + 12, recorded_at % WORD)
}

function writeWord(at: number, word: number): void {
  scratch.blocks[at] = word >>> 24
  scratch.blocks[at + 1] = word >>> 16
  scratch.blocks[at + 2] = word >>> 8
  scratch.blocks[at + 3] = word
}
