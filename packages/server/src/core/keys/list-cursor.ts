/**
 * Cursors of all lists but the event log: prefix and base64url of version 1, key id 2, filter hash 16, MAC 16, then
 * the sort keys and ids of both ends of the page as JSON. The MAC (HMAC-SHA-256, cut to 128 bits) covers these, the
 * list and the account. Whatever is wrong with a cursor gives one and the same `undefined`. The rights of its reader
 * are no part of it: they are applied to each page as they stand.
 */
import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { CursorKey, CursorKeys } from './keys.ts'

/** The values that a list is sorted by, the id last, of one row. */
export type SortKeys = readonly (string | number)[]

/** The first and the last row of a page: backward goes on before the first, forward behind the last. */
export type PageEnds = { readonly first: SortKeys; readonly last: SortKeys }

/** The list that a cursor belongs to. */
export type ListScope = {
  /** Cursor prefix without underscore, such as `skuc`. */
  readonly prefix: string
  /** What tells lists of one prefix apart, such as `order_fills:ordr_…`. */
  readonly list: string
  readonly account_id: string
  /** Every query parameter as sent but `limit` and the cursors, and the sort order where there is a choice. */
  readonly filters: { readonly [name: string]: string | readonly string[] | undefined }
}

const VERSION = 1
const HASH_AT = 3
const MAC_AT = 19
const ENDS_AT = 35
// Two ends with names of 255 characters, each up to 6 bytes in JSON, fit in.
const LENGTH_MAX = 8192

// As key objects: an HMAC with a Buffer for its key takes 14 µs, with a key object 2.
const macKeys = new WeakMap<CursorKey, KeyObject>()

/** The cursor of a page that is not empty. */
export function sealListCursor(keys: CursorKeys, scope: ListScope, { first, last }: PageEnds): string {
  const ends = Buffer.from(JSON.stringify([first, last]))
  const bytes = Buffer.alloc(ENDS_AT + ends.length)
  bytes[0] = VERSION
  bytes.writeUInt16BE(keys.current.key_id, 1)
  hashFilters(scope.filters).copy(bytes, HASH_AT)
  ends.copy(bytes, ENDS_AT)
  authenticate(keys.current, scope, bytes).copy(bytes, MAC_AT)
  return `${scope.prefix}_${bytes.toString('base64url')}`
}

/** Reads a cursor that came from outside, for the list that is asked for; `undefined` for every defect. */
export function openListCursor(keys: CursorKeys, scope: ListScope, cursor: string): PageEnds | undefined {
  const start = scope.prefix.length + 1
  if (cursor.length > LENGTH_MAX || !cursor.startsWith(`${scope.prefix}_`)) return undefined
  const body = cursor.slice(start)
  const bytes = Buffer.from(body, 'base64url')
  // The decoder forgives padding, other alphabets and spare bits: only what it would write itself is a cursor.
  if (bytes.length <= ENDS_AT || bytes.toString('base64url') !== body || bytes[0] !== VERSION) return undefined
  const key = keys.find(bytes.readUInt16BE(1))
  if (key === undefined) return undefined
  if (!timingSafeEqual(authenticate(key, scope, bytes), bytes.subarray(MAC_AT, ENDS_AT))) return undefined
  if (!timingSafeEqual(hashFilters(scope.filters), bytes.subarray(HASH_AT, MAC_AT))) return undefined
  // Only now: what is behind a good MAC was written by sealListCursor.
  const [first, last] = JSON.parse(bytes.toString('utf8', ENDS_AT)) as [SortKeys, SortKeys]
  return { first, last }
}

function authenticate(key: CursorKey, { prefix, list, account_id }: ListScope, bytes: Buffer): Buffer {
  const mac = createHmac('sha256', macKey(key))
  // The JSON ends where its outer bracket closes, so the parts cannot run into one another.
  mac.update(JSON.stringify([prefix, list, account_id]))
  mac.update(bytes.subarray(0, MAC_AT))
  mac.update(bytes.subarray(ENDS_AT))
  return mac.digest().subarray(0, ENDS_AT - MAC_AT)
}

function macKey(key: CursorKey): KeyObject {
  const cached = macKeys.get(key)
  if (cached !== undefined) return cached
  const derived = createSecretKey(Buffer.from(hkdfSync('sha256', key.secret.reveal(), '', 'bourse list cursors', 32)))
  macKeys.set(key, derived)
  return derived
}

// Sorted, because neither the order of parameters nor that of repeated values changes what is listed.
function hashFilters(filters: ListScope['filters']): Buffer {
  const entries: [string, readonly string[] | string][] = []
  for (const name of Object.keys(filters).sort()) {
    const value = filters[name]
    if (value !== undefined) entries.push([name, typeof value === 'string' ? value : [...value].sort()])
  }
  return hash('sha256', JSON.stringify(entries), 'buffer').subarray(0, MAC_AT - HASH_AT)
}
