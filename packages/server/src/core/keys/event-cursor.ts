/**
 * Cursors of the event log. 32 bytes: version 1, key id 2, position 8, recorded second 5, MAC 16, all big-endian; in
 * base64url after `evtc_`. The first 16 bytes are one AES block. The MAC is its encryption under a key derived from
 * cursor key, list, account and filters, so a cursor fits only the list that it was made for. One cipher call computes
 * the MACs of a page (50 HMACs took 117 to 600 µs). Not this file's work: the age of a cursor, which needs the clock.
 */
import { type Cipheriv, createCipheriv, createHash, hkdfSync, timingSafeEqual } from 'node:crypto'
import { createRecentCache, type RecentCache } from '../base/recent-cache.ts'
import type { CursorKey, CursorKeys } from './keys.ts'

/** The filters of the event list as the caller sent them, unparsed. An absent filter differs from an empty one. */
export type EventFilters = {
  readonly action?: string | undefined
  readonly target?: string | undefined
  readonly target_type?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** The list that a cursor belongs to: one account's events under these filters. */
export type EventListScope = { readonly account_id: string; readonly filters: EventFilters }

/** The contents of a cursor: it marks the place directly after this position, recorded in this Unix second. */
export type EventMark = { readonly position: number; readonly recorded_at: number }

/**
 * The contents of a genuine cursor. `ended` means that its generation is over (410). `history` is the history of the
 * database in which it was sealed.
 */
export type OpenedEventCursor = EventMark & { readonly ended: boolean; readonly history: number }

/** A key for the cursors of one list, from `eventCursorKey`. */
export type EventCursorKey = Pick<CursorKey, 'key_id' | 'ended' | 'history'> & { readonly cipher: Cipheriv }

/** The length of every event cursor in characters, which are ASCII. */
export const eventCursorLength = 48

const prefix = 'evtc_'
const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const version = 1
const block = 16
const frame = 2 * block + 1
const encodedFrame = 44
const pattern = /^evtc_[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/
const word = 2 ** 32
// The first character of the position in a cursor, and the character with its last four bits.
const positionAt = 9
const positionEnd = 19
const sextets = Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, base64url.indexOf(String.fromCharCode(code))))
// Each takes about 1 KiB, most of it OpenSSL's. Deriving one again costs 28 µs.
const cachedLists = 8192

const prefixBytes = Buffer.from(prefix, 'latin1')
// Keyed by the key object: servers that share a process have different keys of the same number.
const derivedKeys = new WeakMap<CursorKey, RecentCache<string, EventCursorKey>>()
// Filled and read within one synchronous call, never across an await. The buffers grow to the largest page.
const scratch = { blocks: Buffer.alloc(0), frames: Buffer.alloc(0), encoded: Buffer.alloc(0) }

/** Returns the key for the cursors of one list. The derived keys of recently read lists are cached. */
export function eventCursorKey(key: CursorKey, scope: EventListScope): EventCursorKey {
  // Keys of an ended generation only recognise old cursors. Caching them would let any caller fill the memory.
  if (key.ended) return deriveKey(key, scope.account_id, encodeFilters(scope.filters))
  let cache = derivedKeys.get(key)
  if (cache === undefined) {
    cache = createRecentCache(cachedLists)
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

/** Creates the cursors of a page, in the order of its events. */
export function sealEventCursors(key: EventCursorKey, marks: readonly EventMark[]): string[] {
  const page = sealPage(key, marks)
  return marks.map((_, i) => prefix + page.slice(i * encodedFrame, (i + 1) * encodedFrame - 1))
}

/**
 * Writes the cursors of a page into a Buffer, the i-th one as eventCursorLength bytes from `places[i]` on. For
 * responses that are joined from rendered Buffers.
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
    if (!(place >= 0 && place + eventCursorLength <= target.length)) throw new RangeError('A cursor does not fit.')
    for (let k = 0; k < prefix.length; k++) target[place + k] = prefixBytes[k] as number
    const to = place + prefix.length
    const from = i * encodedFrame
    // Byte by byte: for so few bytes the call of a native copy costs more.
    for (let k = 0; k < encodedFrame - 1; k++) target[to + k] = scratch.encoded[from + k] as number
  }
}

/**
 * The position in a cursor that has not been verified. For any other text the result is meaningless.
 */
export function claimedPosition(cursor: string): number {
  let position = 0
  for (let k = positionAt; k < positionEnd; k++) position = position * 64 + sextet(cursor, k)
  return position * 16 + (sextet(cursor, positionEnd) >>> 2)
}

/**
 * Whether a text equals the cursor in these bytes. Compares in constant time, as for a MAC.
 */
export function isCursorAt(cursor: string, bytes: Uint8Array, place: number): boolean {
  if (cursor.length !== eventCursorLength) return false
  let difference = 0
  for (let k = 0; k < eventCursorLength; k++) difference |= cursor.charCodeAt(k) ^ (bytes[place + k] as number)
  return difference === 0
}

/**
 * Verifies and parses a cursor for the requested list. Returns undefined for every defect: length, alphabet, version,
 * key, MAC, other account, list or filters. `current` is the list's current key, if the caller has it.
 */
export function openEventCursor(
  keys: CursorKeys,
  scope: EventListScope,
  cursor: string,
  current?: EventCursorKey,
): OpenedEventCursor | undefined {
  if (!pattern.test(cursor)) return undefined
  const bytes = Buffer.from(cursor.slice(prefix.length), 'base64url')
  if (bytes[0] !== version) return undefined
  const key_id = bytes.readUInt16BE(1)
  const key = key_id === current?.key_id ? current : findKey(keys, scope, key_id)
  if (key === undefined) return undefined
  const mac = key.cipher.update(bytes.subarray(0, block))
  if (!timingSafeEqual(mac, bytes.subarray(block))) return undefined
  return {
    position: bytes.readUInt32BE(3) * word + bytes.readUInt32BE(7),
    recorded_at: bytes.readUIntBE(11, 5),
    ended: key.ended,
    history: key.history,
  }
}

function findKey(keys: CursorKeys, scope: EventListScope, key_id: number): EventCursorKey | undefined {
  const key = keys.find(key_id)
  return key && eventCursorKey(key, scope)
}

function deriveKey(key: CursorKey, accountId: string, filters: string): EventCursorKey {
  // UTF-16, because UTF-8 encodes every lone surrogate alike.
  const filterHash = createHash('sha256').update(filters, 'utf16le').digest('hex')
  const purpose = `bourse events ${accountId} ${filterHash}`
  const derived = Buffer.from(hkdfSync('sha256', key.secret.reveal(), '', purpose, 32))
  // Never finished: ECB encrypts each block independently, so one cipher serves every page (1 µs instead of 14 µs).
  const cipher = createCipheriv('aes-256-ecb', derived, null).setAutoPadding(false)
  return { key_id: key.key_id, ended: key.ended, history: key.history, cipher }
}

// Each value is prefixed with its length, so that different filters have different encodings.
function encodeFilters({ action, target, target_type, since, until }: EventFilters): string {
  return part(action) + part(target) + part(target_type) + part(since) + part(until)
}

function part(value: string | undefined): string {
  return value === undefined ? '-' : `${value.length}:${value}`
}

// The cursors of a page without their prefix, 44 characters each: base64url of 33 bytes, of which the last is zero. So
// one call encodes the whole page, and each cursor begins at a whole character. The 44th character is not part of it.
function sealPage(key: EventCursorKey, marks: readonly EventMark[]): string {
  if (key.ended) throw new Error('The generation of this cursor key has ended.')
  const size = marks.length * block
  if (size > scratch.blocks.length) {
    scratch.blocks = Buffer.alloc(size)
    scratch.frames = Buffer.alloc(marks.length * frame)
  }
  for (let i = 0; i < marks.length; i++) writeBlock(i * block, key.key_id, marks[i] as EventMark)
  const macs = key.cipher.update(scratch.blocks.subarray(0, size))
  for (let from = 0, to = 0; from < size; to += frame - block) {
    for (const end = from + block; from < end; from++, to++) {
      scratch.frames[to] = scratch.blocks[from] as number
      scratch.frames[to + block] = macs[from] as number
    }
  }
  return scratch.frames.toString('base64url', 0, marks.length * frame)
}

function sextet(cursor: string, at: number): number {
  return sextets[cursor.charCodeAt(at)] ?? 0
}

function writeBlock(at: number, key_id: number, { position, recorded_at }: EventMark): void {
  if (!Number.isSafeInteger(position) || position < 0) throw new RangeError('A position is a whole number from 0 on.')
  if (!Number.isInteger(recorded_at) || recorded_at < 0 || recorded_at >= 2 ** 40) {
    throw new RangeError('A recorded second must be a whole number below 2^40.')
  }
  scratch.blocks[at] = version
  scratch.blocks[at + 1] = key_id >>> 8
  scratch.blocks[at + 2] = key_id
  writeWord(at + 3, Math.floor(position / word))
  writeWord(at + 7, position % word)
  scratch.blocks[at + 11] = Math.floor(recorded_at / word)
  writeWord(at + 12, recorded_at % word)
}

function writeWord(at: number, word: number): void {
  scratch.blocks[at] = word >>> 24
  scratch.blocks[at + 1] = word >>> 16
  scratch.blocks[at + 2] = word >>> 8
  scratch.blocks[at + 3] = word
}
