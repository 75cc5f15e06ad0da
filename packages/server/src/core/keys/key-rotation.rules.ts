/** What a rotation makes of a key file, and whether a running server may take the file that it finds. */
import { daySeconds } from '@bourse/text/time/units.ts'
import type { Random } from '../base/random.ts'
import { storedResponseSeconds } from '../base/stored-responses.ts'
import { type CursorKeyFile, encryptingKey, type KeyFiles, type MasterKeyFile, type SigningKeyFile } from './keys.ts'
import { makeSigningKey } from './signing-key.ts'

/**
 * For how long a replaced key can sign, in seconds. A replay signs a token again with the key that has signed it. The
 * day is for servers that read the rotated file late, and for responses that are deleted late.
 */
const signingSeconds = storedResponseSeconds + daySeconds
/** A failover or a reset takes the next number of a cursor key: so many may come before a new root is used. */
const reservedCursorKeys = 16
const keyIdMax = 2 ** 16 - 1

/** When a rotation happens, in Unix seconds, and the chance of its keys. */
type Rotation = { readonly now: number; readonly random: Random }

/** What a rotation of a key that is used later needs to know. */
type LaterRotation = { readonly from: number; readonly random: Random }

/**
 * Rotates the signing key file: the key that was published as `next` becomes current, and a new `next` is published.
 * Replaced keys keep their private halves for as long as replays need them, and only verify afterwards. A key may be
 * removed from the file when all tokens that it signed have expired.
 */
export function rotateSigningKeys(file: SigningKeyFile, { now, random }: Rotation): SigningKeyFile {
  if (!file.keys.some(({ kid, d }) => kid === file.next && d !== undefined))
    throw new Error('The next signing key of the file is not among its keys, or has no private half.')
  const next = makeSigningKey(random)
  const keys = file.keys.map(({ kid, x, d, replaced_at }) => {
    if (d === undefined) return { kid, x }
    if (kid === file.next) return { kid, x, d }
    // A file of an older program does not say when.
    const since = replaced_at ?? now
    return now - since <= signingSeconds ? { kid, x, d, replaced_at: since } : { kid, x }
  })
  return { origin: file.origin, current: file.next, next: next.kid, keys: [...keys, next], rotated_at: now }
}

/** Adds a master key that encrypts from a moment on. The others go on to decrypt. */
export function rotateMasterKeys(file: MasterKeyFile, { from, random }: LaterRotation): MasterKeyFile {
  const key_id = Math.max(...file.keys.map((key) => key.key_id)) + 1
  if (key_id > keyIdMax) throw new Error(`There is no number left above master key ${keyIdMax}.`)
  return { ...file, keys: [...file.keys, { key_id, secret: makeSecret(random), from }] }
}

/** Adds a cursor root that is used from a moment on, for keys above those that the database has. */
export function rotateCursorRoots(
  file: CursorKeyFile,
  { from, random, newest_key_id }: LaterRotation & { readonly newest_key_id: number },
): CursorKeyFile {
  const last = Math.max(...file.roots.map((root) => root.first_key_id))
  const first_key_id = Math.max(last, newest_key_id) + reservedCursorKeys
  if (first_key_id > keyIdMax) throw new Error(`There is no number left above cursor key ${keyIdMax}.`)
  return { ...file, roots: [...file.roots, { first_key_id, secret: makeSecret(random), from }] }
}

/** When the newest key of a file is used everywhere, in Unix seconds; undefined where all are. */
export function pendingUntil(keys: readonly { readonly from?: number }[], now: number): number | undefined {
  const latest = Math.max(...keys.map(({ from = 0 }) => from))
  return latest > now ? latest : undefined
}

/**
 * Why a running server must not go on with other key files; undefined where it may. What it and the other replicas have
 * signed and encrypted has to stay readable.
 */
export function changeProblem(
  present: KeyFiles,
  next: KeyFiles,
  now: number,
): { readonly name: keyof KeyFiles; readonly message: string } | undefined {
  const published = new Map(next.signing.keys.map(({ kid, x }) => [kid, x]))
  for (const { kid, x } of present.signing.keys) {
    const other = published.get(kid)
    if (other !== undefined && other !== x) return problem('signing', `The signing key ${kid} is another key there.`)
  }
  const signer = present.signing.current
  if (!published.has(signer)) return problem('signing', `It lacks the signing key ${signer}, which signs now.`)
  if (next.master.fingerprint_key !== present.master.fingerprint_key)
    return problem('master', 'Its fingerprint_key is another one.')
  const secrets = new Map(next.master.keys.map(({ key_id, secret }) => [key_id, secret]))
  for (const { key_id, secret } of present.master.keys) {
    const other = secrets.get(key_id)
    if (other !== undefined && other !== secret) return problem('master', `Master key ${key_id} is another key there.`)
  }
  const encrypting = encryptingKey(present.master, now)
  if (!secrets.has(encrypting)) return problem('master', `It lacks master key ${encrypting}, which encrypts now.`)
  const roots = new Map(next.cursor.roots.map(({ first_key_id, secret }) => [first_key_id, secret]))
  for (const { first_key_id, secret } of present.cursor.roots) {
    if (roots.get(first_key_id) !== secret)
      return problem('cursor', `It lacks the root from cursor key ${first_key_id} on, or has another one.`)
  }
  return undefined
}

function problem(name: keyof KeyFiles, message: string) {
  return { name, message }
}

function makeSecret(random: Random): string {
  return random.bytes(32).toString('base64url')
}
