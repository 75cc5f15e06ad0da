/**
 * Transactions of commands. BEGIN also reads the clock and the transaction's id; all deferred writes go with the COMMIT
 * in one round trip. A transaction runs again after a serialization failure. Where the connection breaks after COMMIT
 * was sent, this file asks the database for the outcome. Not this file's work: idempotency keys and commands
 * (command.ts, batch-command.ts).
 */

import { pause } from '@bourse/text/time/pause.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import { monotonicMilliseconds } from '../base/clock.ts'
import { isRefusal, Refusal, type RefusalData } from '../base/refusal.ts'
import { isStartProblem } from '../base/start-problem.ts'
import { isUnavailable, type Session, statement, unavailable } from '../db/db.ts'
import { unconfirmed } from '../db/failure-causes.ts'
import { type InterruptedCommit, readOutcome } from '../db/outcome.ts'
import { isTornRead } from '../db/torn-read.ts'
import { appendAuditEntries } from './audit-log.ts'
import type { Caller } from './ctx.ts'
import { type DueChanges, type StepEnd, sendDueChanges, sendStepEnd } from './due.ts'
import { appendEvents } from './event-log.ts'
import type { Runtime } from './runtime.ts'
import type { EndedTokensAt } from './services.ts'
import type { BegunTransaction, UnitOfWork } from './writing.ts'

/** What the spans of transactions and reads say of the database. */
export const databaseSpan = { 'db.system.name': 'postgresql' } as const

const tries = 5
/** The time after sending a COMMIT at which its outcome is queried, so that the caller has a response within 3 s. */
const outcomeMilliseconds = 2_700
const outcomePauseMilliseconds = 50
/** A day, which takes more than a second even under the fastest sandbox clock. */
const farSeconds = daySeconds
const beginLazily = 'begin; set local synchronous_commit = off'
const beginWork = statement<BegunTransaction>(
  'core.begin_work',
  `select
     bourse_now_ms() as now_ms,
     pg_current_xact_id()::text as xid,
     (select coalesce(max(number), 0) from histories)::bigint as history`,
)
/** The database ended the transaction because this process paused for longer than the limit (idle in transaction). */
const pausedTooLong = '25P03'
/** Thrown where the connection broke and the database reports that nothing was committed. */
const nothingCommitted = new Error('The connection broke before anything was committed.')

/** Runs a transaction, and repeats it after a conflict, up to five times in all. */
export async function withRetries<T>(runtime: Runtime, run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (isRefusal(error)) throw error
      const again = isConflict(error) || error === nothingCommitted || isTornRead(error)
      if (again && attempt < tries) {
        await pause(runtime.random.integer(5 * 2 ** attempt) + 1)
        continue
      }
      if (isTornRead(error)) throw error
      if (isStartProblem(error, 'unsafe_database')) {
        // The settings were safe at the start of the program. No write is accepted until they are safe again.
        runtime.log.error({ err: error }, 'The settings of the database are no longer safe.')
        throw unavailable(error)
      }
      if (again || isUnavailable(error)) throw unavailable(error)
      throw error
    }
  }
}

/** Runs the work of a transaction, then the functions that were registered for its end, whether it commits or not. */
export async function withFinishCallbacks<T>({ finish_callbacks }: UnitOfWork, work: () => Promise<T>): Promise<T> {
  let isCommitted = false
  try {
    const result = await work()
    isCommitted = true
    return result
  } finally {
    for (const run of finish_callbacks.splice(0)) run(isCommitted)
  }
}

/** Takes a connection for a transaction and releases it. Any error rolls the transaction back. */
export async function withSession<T>(runtime: Runtime, run: (session: Session) => Promise<T>): Promise<T> {
  const session = await runtime.database.session()
  let broken: Error | undefined
  try {
    return await run(session)
  } catch (error) {
    if (session.unfinished) {
      // The COMMIT may wait for a standby. Closing its connection would not end it in the database.
    } else if (isRefusal(error) || isStatementError(error)) {
      await session.command('rollback').catch((failed: Error) => {
        broken = failed
      })
    } else broken = error as Error
    throw error
  } finally {
    const release = () => session.release(broken)
    if (session.unfinished) session.unfinished.then(release, (error) => session.release(error))
    else release()
  }
}

/** What the first round trip of a transaction sends besides BEGIN. */
type FirstStatements<A, B> = {
  /** The callers of the transaction. */
  readonly callers: readonly (Caller | undefined)[]
  readonly claim: () => Promise<A>
  readonly prefetch?: () => Promise<B | undefined>
}

/** What the first round trip of a transaction returns. */
type First<A, B> = {
  readonly begun: BegunTransaction
  readonly claimed: A
  readonly prefetch: B | undefined
  /**
   * The ids of the callers' tokens that had ended when this round trip read them: requests of theirs are refused. One
   * that ends afterwards, before the COMMIT, stops nothing.
   */
  readonly ended: ReadonlySet<string>
}

const noneEnded: EndedTokensAt = () => new Set()

/** Begins a transaction, reads the clock and its id, and sends other statements in the same round trip. */
export async function begin<A, B = undefined>(
  { commits_lazily = false, database, services }: Runtime,
  session: Session,
  { callers, claim, prefetch = async () => undefined }: FirstStatements<A, B>,
): Promise<First<A, B>> {
  const tokenIds = [...new Set(callers.flatMap((caller) => caller?.token_id ?? []))]
  const statements = [
    session.command(commits_lazily ? beginLazily : 'begin'),
    session.row(beginWork),
    claim(),
    prefetch(),
    // Last, so that it sees what was committed while the statements before it waited for locks.
    tokenIds.length === 0 ? noneEnded : services.readEndedTokens(session, tokenIds),
  ]
  const [, begun, claimed, prefetched, endedAt] = await settleAll(statements)
  database.history.observe(begun as BegunTransaction)
  const now = Math.floor((begun as BegunTransaction).now_ms / 1000)
  const ended = (endedAt as EndedTokensAt)(now)
  return { begun: begun as BegunTransaction, claimed: claimed as A, prefetch: prefetched as B | undefined, ended }
}

/** The refusal of a write whose token has ended since it was accepted. */
export function tokenEnded(): RefusalData {
  return { code: 'authentication_error', message: 'This token has ended. Send a valid API token.' }
}

/**
 * Sends everything that a transaction deferred in one round trip that ends in COMMIT. Throws where it has neither an
 * entry of the audit trail nor a reason, so that nobody can do something that leaves no trace.
 */
export async function commitUnitOfWork(
  runtime: Runtime,
  session: Session,
  { ctx, events, audit_entries, unrecorded, due_changes: requests, deferred_writes }: UnitOfWork,
  {
    responses = [],
    end_step,
    begun,
  }: { responses?: readonly (() => Promise<unknown>)[]; end_step?: StepEnd | undefined; begun: BegunTransaction },
): Promise<void> {
  if (audit_entries.length === 0 && unrecorded.length === 0) {
    throw new Error(`${ctx.request_id} would commit without an entry of the audit trail, and without a reason.`)
  }
  const statements = [...deferred_writes, ...responses].map((send) => send())
  if (audit_entries.length > 0) {
    statements.push(appendAuditEntries(session, audit_entries, { now: ctx.now, transaction: begun }))
  }
  statements.push(...sendDueChanges(session, requests))
  if (end_step) statements.push(sendStepEnd(session, end_step))
  if (runtime.failpoint) {
    // The statements end before the simulation may kill the process. The code below handles their failures.
    await Promise.allSettled(statements)
    await runtime.failpoint('before_commit', ctx.request_id)
  }
  if (events.length > 0) statements.push(appendEvents(session, ctx.now, ctx.actor, events))
  const sentAt = monotonicMilliseconds()
  const history = runtime.database.history.number()
  const commit = session.command('commit')
  try {
    const all = settleAll([...statements, commit])
    const outcomes = await withinLimit(all, outcomeMilliseconds)
    if (outcomes === undefined) {
      session.unfinished = all
      refuseUnknown()
    }
    // A pipelined COMMIT after a failed statement resolves with ROLLBACK. The error of that statement was thrown first.
    if (outcomes.at(-1) !== 'COMMIT') throw new Error(`COMMIT was answered with ${String(outcomes.at(-1))}.`)
  } catch (error) {
    if (isRefusal(error) || isStatementError(error) || !isUnavailable(error)) throw error
    const [mark] = events
    const interrupted = { xid: begun.xid, mark, history }
    if (!(await wasCommitted(runtime, interrupted, sentAt + outcomeMilliseconds))) throw nothingCommitted
  }
  if (end_step || isDueSoon(requests, ctx.now)) runtime.kick()
}

/** Whether a deadline is too close for the loop's own poll, which runs twice a second. */
function isDueSoon({ set }: DueChanges, now: number): boolean {
  for (const { due_at } of set.values()) if (due_at < now + farSeconds) return true
  return false
}

/** Whether PostgreSQL itself refused the statement, so that the connection is still usable. */
function isStatementError(error: unknown): boolean {
  const { code, severity } = error as { code?: string; severity?: string }
  return code !== undefined && severity === 'ERROR'
}

function isConflict(error: unknown): boolean {
  return ['40001', '40P01', pausedTooLong].includes((error as { code?: string } | undefined)?.code ?? '')
}

/** Waits for all, then throws the first failure in the order of sending, since it causes the later ones. */
async function settleAll(promises: readonly unknown[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(promises)
  for (const outcome of settled) if (outcome.status === 'rejected') throw outcome.reason
  return settled.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value)
}

/** Asks for the outcome of a transaction whose COMMIT got no answer, until a given moment; then refuses with 503. */
async function wasCommitted(
  { database }: Runtime,
  { history, ...interrupted }: InterruptedCommit & { readonly history: number },
  until: number,
): Promise<boolean> {
  for (let left = until - monotonicMilliseconds(); left > 0; left = until - monotonicMilliseconds()) {
    const waiting = new AbortController()
    const reading = readOutcome(database.reader, interrupted).catch(() => 'open' as const)
    const outcome = await Promise.race([reading, pause(left, waiting.signal).then(() => 'open' as const)])
    waiting.abort()
    // In another history the id may be that of another transaction, so only an event proves the outcome.
    if (!interrupted.mark && database.history.number() !== history) break
    if (outcome === 'committed' || outcome === 'aborted') return outcome === 'committed'
    if (outcome === 'unknown') break
    await pause(Math.min(left, outcomePauseMilliseconds))
  }
  refuseUnknown()
}

function refuseUnknown(): never {
  const message = 'The database did not confirm this write in time. Check whether it took effect before you try again.'
  throw new Refusal({ code: 'unavailable', message }, unconfirmed)
}

/** The result of a promise, or undefined after a time. */
async function withinLimit<T>(result: Promise<T>, milliseconds: number): Promise<T | undefined> {
  const waiting = new AbortController()
  try {
    return await Promise.race([result, pause(milliseconds, waiting.signal).then(() => undefined)])
  } finally {
    waiting.abort()
  }
}
