/**
 * The keys of an installation in memory: they sign tokens, encrypt secrets, authenticate cursors and fingerprint
 * requests. Not this file's work: reading and creating the key files (key-files.ts).
 */
import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto'
import { wallMilliseconds } from '../base/clock.ts'
import { hide, type Secret } from '../base/secret.ts'

/** Who created a key file. */
export type KeyOrigin = 'sandbox' | 'operator'

/** An Ed25519 pair as in RFC 8037: `x` is the public half, `d` the private one. 32 bytes each, base64url. */
export type JwkKey = {
  readonly kid: string
  readonly x: string
  readonly d?: string
  /** The Unix second in which another key began to sign in its place. */
  readonly replaced_at?: number
}

/** `next` is published before it signs, so that replicas with the older file can verify its first tokens. */
export type SigningKeyFile = {
  readonly origin: KeyOrigin
  readonly current: string
  readonly next: string
  readonly keys: readonly JwkKey[]
  /** The Unix second of the last rotation. */
  readonly rotated_at?: number
}

/**
 * `from`: the Unix second from which a key encrypts. All replicas have read it by then. Without it, `current` encrypts.
 */
export type MasterKeyFile = {
  readonly origin: KeyOrigin
  readonly current: number
  readonly keys: readonly { readonly key_id: number; readonly secret: string; readonly from?: number }[]
  readonly fingerprint_key: string
}
/** `from`: the Unix second from which a root is used. */
export type CursorKeyFile = {
  readonly origin: KeyOrigin
  readonly roots: readonly { readonly first_key_id: number; readonly secret: string; readonly from?: number }[]
}

/** The contents of the three key files. */
export type KeyFiles = {
  readonly signing: SigningKeyFile
  readonly master: MasterKeyFile
  readonly cursor: CursorKeyFile
}
/** A key that verifies tokens and, if it has its private half, signs them. */
export type SigningKey = {
  readonly kid: string
  readonly public_key: KeyObject
  readonly private_key: KeyObject | undefined
}

/** The signing keys: the one that signs new tokens, all known keys, and each by its exact `kid`. */
export type SigningKeys = {
  readonly current: SigningKey
  readonly all: readonly SigningKey[]
  find(kid: string): SigningKey | undefined
}

/** A 32-byte key for AES-256-GCM. Its number is stored with the ciphertext. */
export type MasterKey = { readonly key_id: number; readonly secret: Secret }
/** The master keys: the one that encrypts now, all that can decrypt, and those that are to encrypt later. */
export type MasterKeys = {
  readonly current: MasterKey
  readonly all: readonly MasterKey[]
  readonly coming: readonly MasterKey[]
  find(key_id: number): MasterKey | undefined
}

/** The secret from which cursor keys are derived, from this key id up to the next root. */
export type CursorRoot = { readonly first_key_id: number; readonly secret: Secret; readonly from?: number }
/**
 * The row of a cursor key. `ended`: a sandbox reset has ended its generation. `history`: the history of the database in
 * which it seals cursors. Cursors of earlier histories are good up to the position at which the next one began.
 */
export type CursorKeyRow = { readonly key_id: number; readonly ended: boolean; readonly history: number }
/** A key that authenticates cursors. Ended keys still recognise their cursors, which get 410 instead of 400. */
export type CursorKey = CursorKeyRow & { readonly secret: Secret }
/** The cursor keys: the one for new cursors, and all that were ever used. */
export type CursorKeys = {
  readonly current: CursorKey
  /** The highest number of all, also of those that have ended. */
  readonly newest_key_id: number
  find(key_id: number): CursorKey | undefined
}

/** All keys of an installation except the cursor keys, whose numbers come from the database (`createCursorKeys`). */
export type Keys = {
  readonly signing: SigningKeys
  readonly master: MasterKeys
  readonly cursor_roots: readonly CursorRoot[]
  /** 32 bytes for HMAC-SHA-256 over requests that carry an Idempotency-Key. */
  readonly fingerprint_key: Secret
}

const keyBytes = 32
const wallSeconds = () => Math.floor(wallMilliseconds() / 1000)
const keyIds = 2 ** 16

/**
 * Converts the contents of the key files to keys. Throws where they are inconsistent. Master keys begin to encrypt by
 * `now`, the Unix second.
 */
export function loadKeys(files: KeyFiles, now = wallSeconds): Keys {
  return {
    signing: loadSigningKeys(files.signing),
    master: loadMasterKeys(files.master, now),
    cursor_roots: loadCursorRoots(files.cursor),
    fingerprint_key: hide(decodeKey(files.master.fingerprint_key)),
  }
}

/**
 * Creates the cursor keys for the rows of the database. The highest key id that has not ended is current. A new
 * generation is a new row, with the older rows marked as ended. It needs no new file, because each key is derived from
 * a root by its number. Call this again whenever the rows change, and keep the result: it carries the cache of derived
 * keys.
 */
export function createCursorKeys(
  roots: readonly CursorRoot[],
  rows: readonly CursorKeyRow[],
  now = wallSeconds,
): CursorKeys {
  const keys = new Map<number, CursorKey>()
  const active: { readonly key: CursorKey; readonly from: number }[] = []
  for (const { key_id, ended, history } of rows) {
    const root = rootOf(roots, key_id)
    const key = { key_id, ended, history, secret: deriveCursorSecret(root, key_id) }
    keys.set(key_id, key)
    if (!ended) active.push({ key, from: root.from ?? 0 })
  }
  const newestFirst = active.sort((a, b) => b.key.key_id - a.key.key_id)
  const oldest = newestFirst.at(-1)
  if (oldest === undefined) throw new Error('Every cursor key has ended.')
  return {
    // Others have to know a key before it seals.
    get current() {
      const at = now()
      return (newestFirst.find(({ from }) => from <= at) ?? oldest).key
    },
    newest_key_id: Math.max(...keys.keys()),
    find: (key_id) => keys.get(key_id),
  }
}

function rootOf(roots: readonly CursorRoot[], key_id: number): CursorRoot {
  const root = roots.findLast(({ first_key_id }) => first_key_id <= key_id)
  if (root === undefined || !isKeyId(key_id)) throw new Error(`There is no root for cursor key ${key_id}.`)
  return root
}

function deriveCursorSecret(root: CursorRoot, key_id: number): Secret {
  const derived = hkdfSync('sha256', root.secret.reveal(), '', `bourse cursor key ${key_id}`, keyBytes)
  return hide(Buffer.from(derived))
}

function loadSigningKeys(file: KeyFiles['signing']): SigningKeys {
  const keys = new Map<string, SigningKey>()
  for (const entry of file.keys) {
    if (keys.has(entry.kid)) throw new Error(`signing key ${entry.kid} is listed twice`)
    keys.set(entry.kid, loadSigningKey(entry))
  }
  const current = keys.get(file.current)
  if (current?.private_key === undefined) throw new Error('the current signing key has no private half')
  return { current, all: [...keys.values()], find: (kid) => keys.get(kid) }
}

function loadSigningKey({ kid, x, d }: JwkKey): SigningKey {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: decodeKey(x).toString('base64url') }
  const public_key = createPublicKey({ key: jwk, format: 'jwk' })
  if (d === undefined) return { kid, public_key, private_key: undefined }
  const private_key = createPrivateKey({
    key: { ...jwk, d: decodeKey(d).toString('base64url') },
    format: 'jwk',
  })
  // Tokens signed with the private half of another pair could not be verified.
  if (createPublicKey(private_key).export({ format: 'jwk' }).x !== jwk.x) {
    throw new Error(`the halves of signing key ${kid} do not belong together`)
  }
  return { kid, public_key, private_key }
}

function loadMasterKeys(file: MasterKeyFile, now: () => number): MasterKeys {
  const keys = new Map<number, MasterKey>()
  for (const { key_id, secret } of file.keys) {
    if (keys.has(key_id) || !isKeyId(key_id)) throw new Error(`master key ${key_id} is listed twice or is no key id`)
    keys.set(key_id, { key_id, secret: hide(decodeKey(secret)) })
  }
  if (!keys.has(file.current)) throw new Error('the current master key is not among the keys')
  const all = [...keys.values()]
  return {
    get current() {
      return keys.get(encryptingKey(file, now())) as MasterKey
    },
    get coming() {
      const at = now()
      const coming = new Set(file.keys.filter(({ from = 0 }) => from > at).map(({ key_id }) => key_id))
      return all.filter(({ key_id }) => coming.has(key_id))
    },
    all,
    find: (key_id) => keys.get(key_id),
  }
}

/** The number of the key that encrypts at a Unix second. */
export function encryptingKey({ keys, current }: MasterKeyFile, now: number): number {
  const begun = keys.filter(({ from }) => from !== undefined && from <= now)
  return begun.reduce((newest, { key_id }) => Math.max(newest, key_id), current)
}

function loadCursorRoots(file: KeyFiles['cursor']): CursorRoot[] {
  let last = -1
  return file.roots.map(({ first_key_id, secret, from }) => {
    if (first_key_id <= last || !isKeyId(first_key_id)) throw new Error('the cursor roots are not in ascending order')
    last = first_key_id
    return { first_key_id, secret: hide(decodeKey(secret)), ...(from === undefined ? {} : { from }) }
  })
}

function isKeyId(key_id: number): boolean {
  return Number.isInteger(key_id) && key_id >= 0 && key_id < keyIds
}

function decodeKey(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== keyBytes || bytes.toString('base64url') !== text)
    throw new Error('a key is not 32 bytes in base64url')
  return bytes
}
