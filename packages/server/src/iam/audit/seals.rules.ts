/**
 * The chain of seals. Each seal holds the digests of the entries since the one before, the digest of that one and the
 * public keys that its signer knew, and is signed with the key of tokens. Pure.
 */

import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { hourSeconds } from '@bourse/text/time/units.ts'

/** The entries of one month that a seal covers. A month is dropped as a whole when it is old. */
export type SealPart = { readonly month: string; readonly entries: number; readonly digest: string }

/** A public key by its id: 32 bytes of Ed25519, as base64url. */
export type SealKey = { readonly kid: string; readonly x: string }

/** What a seal says. */
export type SealContent = {
  readonly number: number
  /** Random for each chain. */
  readonly chain: string
  readonly sealed_at: number
  /** The first write order that it does not cover. */
  readonly until: string
  readonly parts: readonly SealPart[]
  /** The keys that the signer knew, its own included. Null in seals of before schema 69. */
  readonly known_keys: readonly SealKey[] | null
}

/** A seal with its proof. */
export type Seal = SealContent & {
  readonly digest: string
  readonly key_id: string
  readonly signature: Buffer
}

/** The part of a seal that the next one needs. */
export type SealEnd = Pick<Seal, 'number' | 'chain' | 'sealed_at' | 'until' | 'digest'>

/** What is wrong with the trail: where, and a sentence. */
export type SealProblem = {
  readonly number: number | null
  readonly kind:
    | 'missing_seal'
    | 'changed_seal'
    | 'bad_signature'
    | 'unknown_key'
    | 'changed_entries'
    | 'added_entries'
    | 'missing_end'
  readonly message: string
}

/** Finds the public key of an id. */
export type FindKey = (key_id: string) => KeyObject | undefined

// The first line keeps the signature from being one of a token. Seals of the second form name keys.
const heading = 'bourse audit seal 1'
const headingWithKeys = 'bourse audit seal 2'

/** Whether the next seal is due: an hour has ended since the last one. The caller knows that there are entries. */
export function isSealDue(last: Pick<SealEnd, 'sealed_at'> | undefined, now: number): boolean {
  return last === undefined || Math.floor(last.sealed_at / hourSeconds) < Math.floor(now / hourSeconds)
}

/** The digest of a seal, as hexadecimal text. */
function sealDigest(seal: SealContent, previous: string | undefined): string {
  const { number, chain, sealed_at, until, parts, known_keys } = seal
  const keys = known_keys?.map(({ kid, x }) => `key ${kid} ${x}`) ?? []
  const lines = parts.map(({ month, entries, digest }) => `${month} ${entries} ${digest}`)
  const first = known_keys === null ? heading : headingWithKeys
  const text = [first, chain, number, sealed_at, until, previous ?? '', ...keys, ...lines].join('\n')
  return createHash('sha256').update(text).digest('hex')
}

/** Signs a seal. */
export function signSeal(
  content: SealContent,
  previous: string | undefined,
  key: { readonly kid: string; readonly private_key: KeyObject },
): Seal {
  const digest = sealDigest(content, previous)
  return { ...content, digest, key_id: key.kid, signature: sign(null, signedText(digest), key.private_key) }
}

/** What is wrong with a seal as such: its place in the chain, its digest, its signature. */
export function checkSeal(seal: Seal, before: SealEnd | undefined, findKey: FindKey): SealProblem | undefined {
  const { number, chain, until, digest, key_id, signature } = seal
  const problem = (kind: SealProblem['kind'], message: string) => ({ number, kind, message })
  const expected = (before?.number ?? 0) + 1
  if (number !== expected) return problem('missing_seal', `seal ${expected} is missing`)
  if (before && (chain !== before.chain || BigInt(until) <= BigInt(before.until))) {
    return problem('changed_seal', `seal ${number} does not follow seal ${before.number}`)
  }
  if (sealDigest(seal, before?.digest) !== digest) {
    return problem('changed_seal', `seal ${number} or the one before it was changed`)
  }
  const key = findKey(key_id)
  if (!key) {
    const known = 'which is neither in the key file nor named by a seal of a known key'
    return problem('unknown_key', `seal ${number} is signed with the key ${key_id}, ${known}`)
  }
  if (!verify(null, signedText(digest), key, signature)) {
    return problem('bad_signature', `the signature of seal ${number} is not that of its key`)
  }
  return undefined
}

/**
 * What is wrong with the entries that a seal covers. Months that are gone are accepted of a seal that is older than the
 * entries are kept.
 */
export function checkParts(
  { number, parts }: Pick<Seal, 'number' | 'parts'>,
  found: readonly SealPart[],
  isOld: boolean,
): SealProblem | undefined {
  const foundByMonth = new Map(found.map((part) => [part.month, part]))
  for (const { month, entries, digest } of parts) {
    const now = foundByMonth.get(month)
    foundByMonth.delete(month)
    if (now?.digest === digest || (now === undefined && isOld)) continue
    const count = now?.entries ?? 0
    const what = count === entries ? 'one was changed' : `it covers ${entries} and there are ${count}`
    return { number, kind: 'changed_entries', message: `the entries of ${month} under seal ${number}: ${what}` }
  }
  const [added] = foundByMonth.values()
  if (!added) return undefined
  const message = `${added.entries} entries of ${added.month} were put in under seal ${number}`
  return { number, kind: 'added_entries', message }
}

/** A seal that the chain must have: that of an earlier result, of the log, or of an export. */
export type ExpectedSeal = Pick<Seal, 'number' | 'digest'>

/** What is wrong with the end of the chain: seals that were made are missing. */
export function checkEnd(
  last: Pick<SealEnd, 'number'> | undefined,
  expected: readonly Pick<ExpectedSeal, 'number'>[],
): SealProblem | undefined {
  const end = last?.number ?? 0
  const made = expected.reduce((most, { number }) => Math.max(most, number), 0)
  if (end >= made) return undefined
  const message = `the chain ends with seal ${end}, and seal ${made} was made`
  return { number: last?.number ?? null, kind: 'missing_end', message }
}

/**
 * What is wrong with the newest seal compared with what a server remembers of it: it would sign on top of a chain that
 * somebody has cut or written again. A sandbox begins a new chain when it is reset.
 */
export function checkRemembered(
  last: SealEnd | undefined,
  remembered: SealEnd | undefined,
  mayBeginAgain: boolean,
): SealProblem | undefined {
  if (!remembered) return undefined
  const isOther = last?.chain !== remembered.chain
  if (isOther && mayBeginAgain) return undefined
  if (!isOther && last.number > remembered.number) return undefined
  const cut = checkEnd(last, [remembered])
  if (cut) return cut
  if (!isOther && last.digest === remembered.digest) return undefined
  const message = `seal ${remembered.number} is not the one that was made`
  return { number: remembered.number, kind: 'changed_seal', message }
}

/**
 * Finds the keys of a key file and those that are vouched for: named by a seal whose key is known, or vouched for
 * itself. `seals` has one of each key. Whether these seals are as they were written is not checked here: a changed one
 * is found with the others.
 */
export function withVouchedKeys(findKey: FindKey, seals: readonly Seal[]): FindKey {
  const vouched = new Map<string, KeyObject>()
  const find: FindKey = (kid) => findKey(kid) ?? vouched.get(kid)
  let left = seals
  for (;;) {
    const [usable, others] = [left.filter(({ key_id }) => find(key_id)), left.filter(({ key_id }) => !find(key_id))]
    for (const { key_id, digest, signature, known_keys } of usable) {
      if (!verify(null, signedText(digest), find(key_id) as KeyObject, signature)) continue
      for (const { kid, x } of known_keys ?? []) {
        const key = find(kid) ? undefined : publicKeyOf(x)
        if (key) vouched.set(kid, key)
      }
    }
    if (usable.length === 0) return find
    left = others
  }
}

/** Undefined where a text is no key: then somebody has changed the seal that has it. */
function publicKeyOf(x: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  } catch {
    return undefined
  }
}

function signedText(digest: string): Buffer {
  return Buffer.from(`${heading}\n${digest}`)
}
