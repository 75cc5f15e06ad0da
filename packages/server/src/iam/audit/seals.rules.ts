/**
 * The chain of seals. Each seal holds the digests of the entries since the one before, and the digest of that one, and
 * is signed with the key of tokens. Pure.
 */
import { createHash, type KeyObject, sign, verify } from 'node:crypto'

/** The entries of one month that a seal covers. A month is dropped as a whole when it is old. */
export type SealPart = { readonly month: string; readonly entries: number; readonly digest: string }

/** What a seal says. */
export type SealContent = {
  readonly number: number
  /** Random for each chain. */
  readonly chain: string
  readonly sealed_at: number
  /** The first write order that it does not cover. */
  readonly until: string
  readonly parts: readonly SealPart[]
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

// The first line keeps the signature from being one of a token.
const heading = 'bourse audit seal 1'
const hourSeconds = 3_600

/** Whether the next seal is due: an hour has ended since the last one. The caller knows that there are entries. */
export function isSealDue(last: Pick<SealEnd, 'sealed_at'> | undefined, now: number): boolean {
  return last === undefined || Math.floor(last.sealed_at / hourSeconds) < Math.floor(now / hourSeconds)
}

/** The digest of a seal, as hexadecimal text. */
export function sealDigest(seal: SealContent, previous: string | undefined): string {
  const { number, chain, sealed_at, until, parts } = seal
  const lines = parts.map(({ month, entries, digest }) => `${month} ${entries} ${digest}`)
  const text = [heading, chain, number, sealed_at, until, previous ?? '', ...lines].join('\n')
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
  if (key && !verify(null, signedText(digest), key, signature)) {
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

/**
 * What is wrong with the end of the chain. A key that was rotated away cannot verify its seals, but the seals of the
 * next key hold their digests, so only the last seal needs a known key.
 */
export function checkEnd(
  last: (SealEnd & Pick<Seal, 'key_id'>) | undefined,
  findKey: FindKey,
  expected: { readonly number: number; readonly digest: string } | undefined,
): SealProblem[] {
  const problems: SealProblem[] = []
  if (last && !findKey(last.key_id)) {
    const message = `seal ${last.number} is the last one, and no key file has its key ${last.key_id}`
    problems.push({ number: last.number, kind: 'unknown_key', message })
  }
  if (expected && (last?.number ?? 0) < expected.number) {
    const message = `the chain ends with seal ${last?.number ?? 0}, and seal ${expected.number} was made`
    problems.push({ number: last?.number ?? null, kind: 'missing_end', message })
  }
  return problems
}

function signedText(digest: string): Buffer {
  return Buffer.from(`${heading}\n${digest}`)
}
