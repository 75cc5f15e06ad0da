/**
 * Secrets that are derived instead of stored: the master key and the facts determine a secret. The number of the master
 * key is stored with the facts, so secrets stay valid after a rotation.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { MasterKey, MasterKeys } from './keys.ts'

/** The purpose of a secret, and the values that it depends on. */
type SecretFacts = { readonly purpose: string; readonly facts: readonly (string | number)[] }

const keyBytes = 32
const derivedKeys = new WeakMap<MasterKey, Map<string, Buffer>>()

/**
 * Derives the secret of some facts: 64 hexadecimal digits, the HMAC-SHA-256 under a key that HKDF (RFC 5869) derives
 * from a master key for this purpose. Throws where there is no master key of that number.
 */
export function deriveSecret(keys: MasterKeys, facts: SecretFacts, keyId: number): string {
  const key = keys.find(keyId)
  if (key === undefined) throw new Error(`Master key ${keyId}, from which a secret was derived, is missing.`)
  return secretOf(key, facts)
}

/**
 * Whether this is the secret of some facts under the master key of that number; false where there is no such key.
 * Compares in constant time.
 */
export function isSecretOf(
  keys: MasterKeys,
  facts: SecretFacts,
  { key_id, secret }: { readonly key_id: number; readonly secret: string },
): boolean {
  const key = keys.find(key_id)
  return key !== undefined && isSecretUnder(key, facts, secret)
}

/** Whether this is the secret of some facts under any of the master keys, where the number of the key is not known. */
export function isSecretUnderAnyKey(keys: MasterKeys, facts: SecretFacts, secret: string): boolean {
  return keys.all.some((key) => isSecretUnder(key, facts, secret))
}

function isSecretUnder(key: MasterKey, facts: SecretFacts, secret: string): boolean {
  const [own, theirs] = [Buffer.from(secretOf(key, facts)), Buffer.from(secret)]
  return own.length === theirs.length && timingSafeEqual(own, theirs)
}

function secretOf(key: MasterKey, { purpose, facts }: SecretFacts): string {
  return createHmac('sha256', keyFor(key, purpose)).update(JSON.stringify(facts)).digest('hex')
}

function keyFor(key: MasterKey, purpose: string): Buffer {
  const known = derivedKeys.get(key) ?? new Map<string, Buffer>()
  const derived =
    known.get(purpose) ?? Buffer.from(hkdfSync('sha256', key.secret.reveal(), '', `bourse ${purpose}`, keyBytes))
  known.set(purpose, derived)
  derivedKeys.set(key, known)
  return derived
}
