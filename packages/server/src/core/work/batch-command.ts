/**
 * Group commit: one transaction decides and writes several requests, so a contended lock waits for one durable commit
 * instead of many. One statement claims all keys. The same transaction deletes the claims of refused requests. A
 * request whose key was used before is answered from its row. Not this file's work: which requests share a
 * transaction (their area).
 */

import { isRefusal, type RefusalData } from '../base/refusal.ts'
import type { Session } from '../db/db.ts'
import { inSpans } from '../trace/tracing.ts'
import type { NewAuditEntry } from './audit-log.ts'
import { type CommandOutcome, keyInUse } from './command.ts'
import type { AskedRight, Ctx } from './ctx.ts'
import {
  type Claim,
  claimKeys,
  findStoredResponses,
  keyNameOf,
  type NewStoredResponse,
  removeClaims,
  type StoredResponse,
  storeResponses,
} from './idempotency.ts'
import type { Runtime } from './runtime.ts'
import {
  begin,
  commitUnitOfWork,
  databaseSpan,
  tokenEnded,
  withFinishCallbacks,
  withRetries,
  withSession,
} from './transaction.ts'
import { type BegunTransaction, type CommandOrigin, openUnitOfWork } from './writing.ts'

/** One request of a batch. A batch never holds two requests with the same key. */
export type BatchEntry<I> = {
  readonly origin: CommandOrigin
  readonly input: I
  readonly claim: Claim | undefined
  /** The permissions that were checked before the request joined the batch. They are stored under its key. */
  readonly asked: readonly AskedRight[]
  /** The entries of the audit trail for its result. */
  readonly audit?: (result: unknown) => readonly NewAuditEntry[]
}

/** The decision on one request; `asked` lists the permissions that the work checked itself. */
export type BatchVerdict<T> =
  | { readonly done: T; readonly asked?: readonly AskedRight[] }
  | { readonly refusal: RefusalData }

/** The outcome of one request. `cause`: the failure that refused the whole batch. */
export type BatchOutcome<T> = CommandOutcome<T> | { readonly refusal: RefusalData; readonly cause?: unknown }

/**
 * Decides all requests whose keys are fresh; returns one verdict for each, in their order. It refuses a request by its
 * verdict and never by throwing. `prefetched` is the result of the prefetch, which covers all requests.
 */
type BatchWork<I, T, A = undefined> = (
  ctx: Ctx,
  entries: readonly BatchEntry<I>[],
  prefetched: A,
) => Promise<readonly BatchVerdict<T>[]>

/** How a batch runs. */
type BatchOptions<I, T, A = undefined> = {
  readonly entries: readonly BatchEntry<I>[]
  readonly work: BatchWork<I, T, A>
  /** Waits until the batch may begin, once it has a connection; returns the function that admits the next batch. */
  readonly enter?: () => Promise<() => void>
  /** Sent in the first round trip, after the claims of the keys: locks and reads that need neither a clock nor ids. */
  readonly prefetch?: (ctx: Ctx, entries: readonly BatchEntry<I>[]) => Promise<A>
  /** Converts a result to the response that is stored under its key. */
  readonly response: (result: T) => { status: number; body: string }
  /**
   * Whether each request runs again in a transaction of its own after the batch waited too long for a lock. Leave it
   * unset where all requests need the same lock.
   */
  readonly splits_on_lock_timeout?: boolean
}

/** Makes the `response` of an operation: the status of its success, and its result as JSON. */
export function storedResponse<T>({ success }: { readonly success: number }): BatchOptions<never, T>['response'] {
  return (result) => ({ status: success, body: JSON.stringify(result) })
}

// Each request of a batch is checked by itself.
const batchOrigin: CommandOrigin = { actor: { type: 'system' }, request_id: 'batch', unrecorded: 'part' }
/** Thrown where a request of a batch reached the lock timeout. */
const lockTimeout = new Error('A request of a batch waited for a lock too long.')

/** The ctx of a batch for one of its requests: with the request's own caller, actor, id and permission checks. */
export function ctxOfEntry<I>(ctx: Ctx, { origin }: BatchEntry<I>): Ctx {
  const { caller, actor, request_id } = origin
  return { ...ctx, caller, actor, request_id, asked: [], emit: (event) => ctx.emit({ actor, ...event }) }
}

/** Runs a batch in one transaction; returns one outcome for each entry, in their order. */
export async function batchCommand<I, T, A = undefined>(
  runtime: Runtime,
  options: BatchOptions<I, T, A>,
): Promise<BatchOutcome<T>[]> {
  try {
    const parents = options.entries.map(({ origin }) => origin.span)
    const attributes = { ...databaseSpan, 'bourse.batch.requests': options.entries.length }
    return await withRetries(runtime, () =>
      inSpans(parents, { name: 'transaction', attributes }, () => runOnce(runtime, options)),
    )
  } catch (error) {
    if (error === lockTimeout) {
      const apart = options.entries.map((entry) => batchCommand(runtime, { ...options, entries: [entry] }))
      return (await Promise.all(apart)).flat()
    }
    // A transaction of another process holds one of the keys. Only the request with that key has to wait for it.
    if (!isRefusal(error, 'idempotency_key_in_use') || options.entries.length === 1) return refuseAll(error, options)
    const outcomes: BatchOutcome<T>[] = []
    for (const entry of options.entries) {
      outcomes.push(...(await batchCommand(runtime, { ...options, entries: [entry] })))
    }
    return outcomes
  }
}

function refuseAll<I, T, A>(error: unknown, { entries }: BatchOptions<I, T, A>): BatchOutcome<T>[] {
  if (!isRefusal(error)) throw error
  return entries.map(() => ({ refusal: error.data, cause: error.cause }))
}

function runOnce<I, T, A>(runtime: Runtime, options: BatchOptions<I, T, A>): Promise<BatchOutcome<T>[]> {
  const { entries, splits_on_lock_timeout = false } = options
  const done = runTransaction(runtime, options)
  if (!splits_on_lock_timeout || entries.length === 1) return done
  return done.catch((error) => {
    throw (error as { code?: string }).code === '55P03' ? lockTimeout : error
  })
}

function runTransaction<I, T, A>(runtime: Runtime, options: BatchOptions<I, T, A>): Promise<BatchOutcome<T>[]> {
  const origin = originOf(options.entries)
  return withSession(runtime, async (session) => {
    await runtime.failpoint?.('before_claim', origin.request_id)
    const leave = await options.enter?.()
    try {
      return await runInTurn(runtime, session, { ...options, origin })
    } finally {
      leave?.()
    }
  })
}

async function runInTurn<I, T, A>(
  runtime: Runtime,
  session: Session,
  options: BatchOptions<I, T, A> & { readonly origin: CommandOrigin },
): Promise<BatchOutcome<T>[]> {
  const { entries, work, response, prefetch, origin } = options
  const { request_id } = origin
  const wanted = entries.flatMap(({ claim, origin }) => (claim ? [{ claim, token_id: origin.caller?.token_id }] : []))
  let known: BegunTransaction | undefined
  const workUnit = openUnitOfWork(runtime, session, origin, () => known ?? notBegun())
  const {
    begun,
    claimed,
    prefetch: prefetched,
    ended,
  } = await begin(runtime, session, {
    callers: entries.map(({ origin }) => origin.caller),
    claim: () => claimKeys(session, wanted),
    prefetch: async () => prefetch?.(workUnit.ctx, entries),
  })
  if (ended.size > 0) return runWithout(ended, runtime, session, options)
  known = begun
  const isFresh = ({ claim }: BatchEntry<I>) => !claim || claimed.has(keyNameOf(claim))
  const stale = entries.filter((entry) => !isFresh(entry)).flatMap(({ claim }) => (claim ? [claim] : []))
  const stored = await findStoredResponses(session, stale)
  await runtime.failpoint?.('after_claim', request_id)
  const storedOf = ({ claim }: BatchEntry<I>) => claim && stored.get(keyNameOf(claim))
  const freshEntries = entries.filter(isFresh)
  if (freshEntries.length === 0) {
    await session.command('rollback')
    return entries.map((entry) => outcomeOf<T>(undefined, storedOf(entry)))
  }
  const verdicts = await withFinishCallbacks(workUnit, async () => {
    const decided = await work(workUnit.ctx, freshEntries, prefetched as A)
    recordDone(workUnit.ctx, freshEntries, decided)
    await runtime.failpoint?.('after_work', request_id)
    const responses = responsesOf(session, freshEntries, { verdicts: decided, response, now: workUnit.ctx.now })
    await commitUnitOfWork(runtime, session, workUnit, { responses, begun })
    return decided
  })
  await runtime.failpoint?.('after_commit', request_id)
  const byEntry = new Map(freshEntries.map((entry, index) => [entry, verdicts[index] as BatchVerdict<T>]))
  return entries.map((entry) => outcomeOf(byEntry.get(entry), storedOf(entry)))
}

/** Refuses the requests whose tokens have ended, and runs the others in another transaction. */
async function runWithout<I, T, A>(
  ended: ReadonlySet<string>,
  runtime: Runtime,
  session: Session,
  options: BatchOptions<I, T, A> & { readonly origin: CommandOrigin },
): Promise<BatchOutcome<T>[]> {
  await session.command('rollback')
  const hasEnded = ({ origin }: BatchEntry<I>) => origin.caller !== undefined && ended.has(origin.caller.token_id)
  const live = options.entries.filter((entry) => !hasEnded(entry))
  const outcomes = live.length === 0 ? [] : await runInTurn(runtime, session, { ...options, entries: live })
  const byEntry = new Map(live.map((entry, index) => [entry, outcomes[index] as BatchOutcome<T>]))
  return options.entries.map((entry) => byEntry.get(entry) ?? { refusal: tokenEnded() })
}

function recordDone<I, T>(ctx: Ctx, entries: readonly BatchEntry<I>[], verdicts: readonly BatchVerdict<T>[]): void {
  for (const [index, { audit, origin }] of entries.entries()) {
    const verdict = verdicts[index] as BatchVerdict<T>
    if ('refusal' in verdict) continue
    if (!audit && !origin.unrecorded) throw new Error(`${origin.request_id} has no entry of the audit trail.`)
    for (const entry of audit?.(verdict.done) ?? []) ctx.record(entry)
  }
}

function notBegun(): never {
  throw new Error('A transaction has neither a clock nor ids before it begins.')
}

/** A batch of one request keeps that request's id, as a command does. */
function originOf<I>(entries: readonly BatchEntry<I>[]): CommandOrigin {
  const [first] = entries
  return first && entries.length === 1 ? { ...batchOrigin, request_id: first.origin.request_id } : batchOrigin
}

type DecidedBatch<T> = {
  readonly verdicts: readonly BatchVerdict<T>[]
  readonly response: (result: T) => { status: number; body: string }
  readonly now: number
}

/** The statements that store the answers under their keys and delete the claims of refused requests. */
function responsesOf<I, T>(
  session: Session,
  entries: readonly BatchEntry<I>[],
  { verdicts, response, now }: DecidedBatch<T>,
) {
  const refused: Claim[] = []
  const kept: NewStoredResponse[] = []
  for (const [index, { claim, asked }] of entries.entries()) {
    const verdict = verdicts[index] as BatchVerdict<T>
    if (!claim) continue
    if ('refusal' in verdict) refused.push(claim)
    else kept.push({ claim, response: response(verdict.done), asked: [...asked, ...(verdict.asked ?? [])] })
  }
  const sends: (() => Promise<unknown>)[] = []
  if (kept.length > 0) sends.push(() => storeResponses(session, kept, now))
  if (refused.length > 0) sends.push(() => removeClaims(session, refused))
  return sends
}

function outcomeOf<T>(verdict: BatchVerdict<T> | undefined, stored: StoredResponse | undefined): BatchOutcome<T> {
  if (verdict) return 'refusal' in verdict ? verdict : { replayed: false, result: verdict.done }
  if (stored) return { replayed: true, stored }
  return { refusal: keyInUse('The first request with this key has just ended. Try again.').data }
}
