/** Seals the audit trail, and verifies its seals. */
import type { Database, Db } from '../../core/db/db.ts'
import type { Keys, SigningKeys } from '../../core/keys/keys.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { lockedElsewhere } from '../../core/work/reconciler.ts'
import { retentionSeconds } from './entries.service.ts'
import { checkEnd, checkParts, checkSeal, isSealDue, type Seal, type SealProblem, signSeal } from './seals.rules.ts'
import * as store from './seals.store.ts'

/** The most entries that one seal covers, so that making and checking one takes at most about a second. */
const sealedEntriesMax = 50_000
const pageLength = 500
/** Problems beyond this many are not listed. */
const problemsMax = 20

/** Whether a seal is due and has something to cover. */
export async function needsSeal(ctx: Ctx): Promise<boolean> {
  const last = await store.findLastSeal(ctx.db)
  if (!isSealDue(last, ctx.now)) return false
  return store.hasEntries(ctx.db, { from: store.endOf(last), until: await store.findEndOfWrites(ctx.db) })
}

/** Makes the next seal if one is due. Returns whether entries are left for another, or that another process seals. */
export async function sealEntries(ctx: Ctx, most = sealedEntriesMax): Promise<boolean | typeof lockedElsewhere> {
  if (!(await store.lockSeals(ctx.db))) return lockedElsewhere
  const last = await store.findLastSeal(ctx.db)
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
    },
    last?.digest,
    signingKeyOf(ctx.keys.signing),
  )
  await store.insertSeal(ctx.db, seal)
  // The log lies outside of the database. Whoever compares it with the chain notices that the end of the chain is cut.
  const { number, digest } = seal
  ctx.onFinish((isCommitted) => {
    if (isCommitted) ctx.log.info({ seal: `${number}:${digest}` }, 'The audit trail was sealed.')
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
  /** A seal that the chain must have: an earlier result, or a line of the log. */
  readonly expected?: { readonly number: number; readonly digest: string } | undefined
  /** Compares the entries of seals of so many last seconds. All seals themselves are checked. Default: of all. */
  readonly newest_seconds?: number
}

/** Verifies the chain from its first seal. Reads some seals at a time. */
export async function verifyTrail(
  { reader: db }: Pick<Database, 'reader'>,
  { signing }: Pick<Keys, 'signing'>,
  { expected, newest_seconds = Number.POSITIVE_INFINITY }: VerifyOptions = {},
): Promise<Verification> {
  const now = await store.readNow(db)
  const findKey = (kid: string) => signing.find(kid)?.public_key
  const problems: SealProblem[] = []
  let entries = 0
  let before: Seal | undefined
  for (;;) {
    const seals = await store.listSeals(db, before?.number ?? 0, pageLength)
    for (const seal of seals) {
      const problem = checkSeal(seal, before, findKey)
      if (problem) problems.push(problem)
      if (expected?.number === seal.number && expected.digest !== seal.digest) problems.push(notExpected(seal))
      if (seal.sealed_at >= now - newest_seconds) {
        const found = await store.digestEntries(db, { from: store.endOf(before), until: seal.until })
        const isOld = seal.sealed_at < now - retentionSeconds
        const wrong = checkParts(seal, found, isOld)
        if (wrong) problems.push(wrong)
        entries += found.reduce((sum, part) => sum + part.entries, 0)
      }
      before = seal
    }
    if (seals.length < pageLength || problems.length >= problemsMax) break
  }
  problems.push(...checkEnd(before, findKey, expected), ...(await findForged(db)))
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

function signingKeyOf({ current: { kid, private_key } }: SigningKeys) {
  if (!private_key) throw new Error('The current signing key has no private half.')
  return { kid, private_key }
}
