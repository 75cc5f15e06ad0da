/**
 * Secrets that are worked out instead of kept: who has the master key and the facts can make one again, nobody else can
 * make one at all. The key's number is remembered with the facts, so that a rotation leaves them valid.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { MasterKey, MasterKeys } from './keys.ts'

/** What a secret is for, and what it is about. */
export type SecretFacts = { readonly purpose: string; readonly facts: readonly (string | number)[] }

const KEY_BYTES = 32
const derivedKeys = new WeakMap<MasterKey, Map<string, Buffer>>()

/**
 * The secret of some facts: 64 hexadecimal digits, HMAC-SHA-256 under a key derived from a master key for this purpose
 * (HKDF, RFC 5869). Throws where the master key of that number is not there.
 */
export function deriveSecret(keys: MasterKeys, facts: SecretFacts, key_id: number): string {
  const key = keys.find(key_id)
  if (key === undefined) throw new Error(`Master key ${key_id}, from which a secret was derived, is not there.`)
  return secretOf(key, facts)
}

/**
 * Whether this is the secret of some facts under the master key of that number; false where that key is not there.
 * Takes a time that tells nothing of where two secrets differ.
 */
export function isSecretOf(
  keys: MasterKeys,
  facts: SecretFacts,
  { key_id, secret }: { readonly key_id: number; readonly secret: string },
): boolean {
  const key = keys.find(key_id)
  if (key === undefined) return false
  const [own, theirs] = [Buffer.from(secretOf(key, facts)), Buffer.from(secret)]
  return own.length === theirs.length && timingSafeEqual(own, theirs)
}

function secretOf(key: MasterKey, { purpose, facts }: SecretFacts): string {
  return createHmac('sha256', keyFor(key, purpose)).update(JSON.stringify(facts)).digest('hex')
}

function keyFor(key: MasterKey, purpose: string): Buffer {
  const known = derivedKeys.get(key) ?? new Map<string, Buffer>()
  const derived =
    known.get(purpose) ?? Buffer.from(hkdfSync('sha256', key.secret.reveal(), '', `bourse ${purpose}`, KEY_BYTES))
  known.set(purpose, derived)
  derivedKeys.set(key, known)
  return derived
}
