/**
 * Secrets that are worked out instead of kept: who has the master key and the facts can make one again, nobody else can
 * make one at all. The key's number is remembered with the facts, so that a rotation leaves them valid.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { MasterKeys } from './keys.ts'

/** What a secret is for, and what it is about. */
export type SecretFacts = { readonly purpose: string; readonly facts: readonly (string | number)[] }

const KEY_BYTES = 32

/**
 * The secret of some facts: 64 hexadecimal digits, HMAC-SHA-256 under a key derived from a master key for this purpose
 * (HKDF, RFC 5869). Throws where the master key of that number is not there.
 */
export function deriveSecret(keys: MasterKeys, { purpose, facts }: SecretFacts, key_id: number): string {
  const key = keys.find(key_id)
  if (key === undefined) throw new Error(`Master key ${key_id}, from which a secret was derived, is not there.`)
  const derived = Buffer.from(hkdfSync('sha256', key.secret.reveal(), '', `bourse ${purpose}`, KEY_BYTES))
  return createHmac('sha256', derived).update(JSON.stringify(facts)).digest('hex')
}

/** Whether two secrets are the same, in a time that tells nothing of where they differ. */
export function isSameSecret(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
