/** Seals the audit trail, and verifies its seals. */
import type { Database, Db } from '../../core/db/db.ts'
import type { RememberedValue } from '../../core/db/history.ts'
import type { Keys, SigningKeys } from '../../core/keys/keys.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { lockedElsewhere } from '../../core/work/reconciler.ts'
import { retentionSeconds } from './entries.service.ts'
import {
  checkEnd,
  checkParts,
  checkRemembered,
  checkSeal,
  type ExpectedSeal,
  type FindKey,
  isSealDue,
  type Seal,
  type SealEnd,
  type SealKey,
  type SealProblem,
  signSeal,
  withVouchedKeys,
} from './seals.rules.ts'
import * as store from './seals.store.ts'

declare module '../../core/work/services.ts' {
  interface Services {
    /** The newest seal that this server has seen in the present history of the database. */
    readonly newest_seal: RememberedValue<{ seal: SealEnd | undefined }>
    /** Whether a chain of seals may end and another one begin: where a sandbox can be reset. */
    readonly seals_may_begin_again: boolean
  }
}

/** The most entries that one seal covers, so that making and checking one takes at most about a second. */
const sealedEntriesMax = 50_000
const pageLength = 500
/** Problems beyond this many are not listed. */
const problemsMax = 20

/** Whether a seal is due and has something to cover. */
export async function needsSeal(ctx: Ctx): Promise<boolean> {
  const [last] = await store.listNewestSeals(ctx.db, 1)
  if (!isSealDue(last, ctx.now)) return false
  return store.hasEntries(ctx.db, { from: store.endOf(last), until: await store.findEndOfWrites(ctx.db) })
}

/**
 * Makes the next seal if one is due. Returns whether entries are left for another, or that another process seals.
 * Throws where the newest seal is not one that a server of these keys has made, or older than one that this server has
 * seen: a signature on top of it would vouch for what somebody has written with SQL.
 */
export async function sealEntries(ctx: Ctx, most = sealedEntriesMax): Promise<boolean | typeof lockedElsewhere> {
  if (!(await store.lockSeals(ctx.db))) return lockedElsewhere
  const { newest_seal } = ctx.services
  const memory = newest_seal.current
  const [last, before] = await store.listNewestSeals(ctx.db, 2)
  const findKey = findKeyOf(ctx.keys.signing)
  const wrong =
    (last && checkSeal(last, before, withVouchedKeys(findKey, [last]))) ??
    checkRemembered(last, memory.seal, ctx.services.seals_may_begin_again)
  if (wrong) throw new Error(`No seal is made, because the audit trail was changed: ${wrong.message}.`)
  memory.seal = last
  const from = store.endOf(last)
  const end = await store.findEndOfWrites(ctx.db)
  if (!(await store.hasEntries(ctx.db, { from, until: end }))) return false
  const cut = await store.findCut(ctx.db, { from, until: end }, most)
  const until = cut === undefined || cut === from ? end : cut
  const seal = signSeal(
    {
      number: (last?.number ?? 0) + 1,
      chain: last?.chain ?? ctx.random.bytes(12).toString('base64url'),
      sealed_at: ctx.now,
      until,
      parts: await store.digestEntries(ctx.db, { from, until }),
      known_keys: knownKeysOf(ctx.keys.signing),
    },
    last?.digest,
    signingKeyOf(ctx.keys.signing),
  )
  await store.insertSeal(ctx.db, seal)
  // The log lies outside of the database. Whoever compares it with the chain notices that the end of the chain is cut.
  const { number, digest } = seal
  ctx.onFinish((isCommitted) => {
    if (!isCommitted) return
    memory.seal = seal
    ctx.log.info({ seal: `${number}:${digest}` }, 'The audit trail was sealed.')
  })
  return until !== end
}

/** What a verification found. */
export type Verification = {
  readonly problems: readonly SealProblem[]
  readonly seals: number
  readonly entries: number
  /** The last seal, as `--expect` takes it: number and digest. */
  readonly end: string | undefined
}

/** What to verify. */
export type VerifyOptions = {
  /** Seals that the chain must have. */
  readonly expected?: readonly ExpectedSeal[]
  /** Compares the entries of seals of so many last seconds. All seals themselves are checked. Default: of all. */
  readonly newest_seconds?: number
}

/** All seals, oldest first. Reads some at a time. */
export async function* sealsOf({ reader: db }: Pick<Database, 'reader'>): AsyncIterable<Seal> {
  for (let behind = 0; ; ) {
    const seals = await store.listSeals(db, behind, pageLength)
    yield* seals
    behind = seals.at(-1)?.number ?? 0
    if (seals.length < pageLength) return
  }
}

/** Verifies the chain from its first seal. */
export async function verifyTrail(
  { reader: db }: Pick<Database, 'reader'>,
  { signing }: Pick<Keys, 'signing'>,
  { expected = [], newest_seconds = Number.POSITIVE_INFINITY }: VerifyOptions = {},
): Promise<Verification> {
  const now = await store.readNow(db)
  const findKey = withVouchedKeys(findKeyOf(signing), await store.listNewestSealsByKey(db))
  const digests = new Map(expected.map(({ number, digest }) => [number, digest]))
  const problems: SealProblem[] = []
  let entries = 0
  let before: Seal | undefined
  for await (const seal of sealsOf({ reader: db })) {
    const problem = checkSeal(seal, before, findKey)
    if (problem) problems.push(problem)
    if ((digests.get(seal.number) ?? seal.digest) !== seal.digest) problems.push(notExpected(seal))
    if (seal.sealed_at >= now - newest_seconds) {
      const found = await store.digestEntries(db, { from: store.endOf(before), until: seal.until })
      const isOld = seal.sealed_at < now - retentionSeconds
      const wrong = checkParts(seal, found, isOld)
      if (wrong) problems.push(wrong)
      entries += found.reduce((sum, part) => sum + part.entries, 0)
    }
    before = seal
    if (problems.length >= problemsMax) break
  }
  const cut = problems.length < problemsMax ? checkEnd(before, expected) : undefined
  if (cut) problems.push(cut)
  problems.push(...(await findForged(db)))
  const end = before && `${before.number}:${before.digest}`
  return { problems: problems.slice(0, problemsMax), seals: before?.number ?? 0, entries, end }
}

/** Entries that claim to be written by a transaction that has not begun, or never was: no seal covers them in time. */
async function findForged(db: Db): Promise<SealProblem[]> {
  const entries = await store.countEntriesFrom(db, await store.findNewestWrite(db))
  if (entries === 0) return []
  return [
    { number: null, kind: 'added_entries', message: `${entries} entries were put in behind or before all writes` },
  ]
}

function notExpected({ number }: Seal): SealProblem {
  return { number, kind: 'changed_seal', message: `seal ${number} has another digest than was expected` }
}

function findKeyOf(signing: SigningKeys): FindKey {
  return (kid) => signing.find(kid)?.public_key
}

function knownKeysOf({ all }: SigningKeys): SealKey[] {
  return all.map(({ kid, public_key }) => ({ kid, x: public_key.export({ format: 'jwk' }).x as string }))
}

function signingKeyOf({ current: { kid, private_key } }: SigningKeys) {
  if (!private_key) throw new Error('The current signing key has no private half.')
  return { kid, private_key }
}
