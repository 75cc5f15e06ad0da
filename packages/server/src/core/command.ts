/**
 * Every write is one function run by one wrapper: claim the idempotency key, run, store the answer, write due rows and
 * events, commit. The last four travel in one flight. Safe to run again after a serialization failure, because ctx is
 * the only way out. Not this file's work: HTTP (http.ts), what is due (reconciler.ts), reading (query.ts).
 */
import type { Id, Kind } from '@bourse/api/kit/ids.ts'
import { kinds } from '@bourse/api/kit/ids.ts'
import { pause } from './clock.ts'
import type { Actor, AskedRight, Caller, Ctx, NewEvent } from './ctx.ts'
import { isUnavailable, type Session, statement, unavailable } from './db.ts'
import { type DueWishes, dueWishes, type StepEnd, sendDue, sendStepEnd, wishClear, wishDue } from './due.ts'
import { appendEvents } from './event-log.ts'
import { type Claim, claimKey, findStoredAnswer, type StoredAnswer, storeAnswer } from './idempotency.ts'
import { mintId } from './ids.ts'
import { type LockOrder, lockOrder } from './locks.ts'
import { isRefusal, Refusal, refuse } from './refusal.ts'
import type { Runtime } from './runtime.ts'

/** Where a command comes from. */
export type Origin = {
  readonly caller?: Caller
  readonly actor: Actor
  readonly request_id: string
}

/** What goes with the work of a command. */
export type CommandOptions<T> = {
  /** The idempotency key, if the caller sent one. */
  readonly claim?: Claim
  /** Turns the result into what is kept under the key, without secrets. */
  readonly answer?: (result: T) => { status: number; body: string }
  /** What a reconciler's step leaves in its own row. */
  readonly end_step?: (result: T) => StepEnd
}

/** What came of it: fresh work, or the stored answer of an earlier call with the same key. */
export type Outcome<T> =
  | { readonly replayed: false; readonly result: T }
  | { readonly replayed: true; readonly stored: StoredAnswer }

/** The system itself: reconcilers, start-up, operators' and sandbox calls where they act for nobody. */
export const systemOrigin: Origin = { actor: { type: 'system' }, request_id: 'system' }

const tries = 5
const beginWork = statement<{ now_ms: number; xid: string }>(
  'core.begin_work',
  'select bourse_now_ms() as now_ms, pg_current_xact_id()::text as xid',
)
const readOutcome = statement<{ status: string | null }>(
  'core.read_outcome',
  'select pg_xact_status($1::xid8) as status',
)

/** Runs one write. Throws a Refusal where it is refused; then nothing of it stays. */
export async function command<T>(
  runtime: Runtime,
  origin: Origin,
  work: (ctx: Ctx) => Promise<T>,
  options: CommandOptions<T> = {},
): Promise<Outcome<T>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(runtime, origin, work, options)
    } catch (error) {
      if (isRefusal(error)) throw error
      const again = isSerializationFailure(error) || error === nothingCommitted
      if (again && attempt < tries) {
        await pause(runtime.random.integer(5 * 2 ** attempt) + 1)
        continue
      }
      if (again || isUnavailable(error)) throw unavailable()
      throw error
    }
  }
}

/** A write of the system itself, which has no key and so always does its work. */
export async function systemCommand<T>(runtime: Runtime, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const outcome = await command(runtime, systemOrigin, work)
  if (outcome.replayed) throw new Error('System work has no key that could be replayed.')
  return outcome.result
}

/** Thrown where the connection broke and the database says that nothing was committed. */
const nothingCommitted = new Error('The connection broke before anything was committed.')

function isSerializationFailure(error: unknown): boolean {
  return ['40001', '40P01'].includes((error as { code?: string } | undefined)?.code ?? '')
}

async function runOnce<T>(
  runtime: Runtime,
  origin: Origin,
  work: (ctx: Ctx) => Promise<T>,
  options: CommandOptions<T>,
): Promise<Outcome<T>> {
  const session = await runtime.database.session()
  let broken: Error | undefined
  try {
    await runtime.failpoint?.('before_claim', origin.request_id)
    const opened = await open(session, origin, options.claim)
    if (opened.stored) {
      await session.command('rollback')
      return { replayed: true, stored: opened.stored }
    }
    await runtime.failpoint?.('after_claim', origin.request_id)
    const writing = writingCtx(runtime, session, origin, opened.now_ms)
    const result = await work(writing.ctx)
    await runtime.failpoint?.('after_work', origin.request_id)
    await commit(runtime, session, writing, result, options, opened.xid)
    await runtime.failpoint?.('after_commit', origin.request_id)
    return { replayed: false, result }
  } catch (error) {
    if (isRefusal(error) || isAnswered(error))
      await session.command('rollback').catch((failed: Error) => (broken = failed))
    else broken = error as Error
    throw error
  } finally {
    session.release(broken)
  }
}

/** PostgreSQL itself refused the statement, so the connection is whole. */
function isAnswered(error: unknown): boolean {
  const { code, severity } = error as { code?: string; severity?: string }
  return code !== undefined && severity === 'ERROR'
}

async function open(session: Session, origin: Origin, claim: Claim | undefined) {
  const begun = session.command('begin')
  const opened = session.row(beginWork)
  const claimed = claim ? claimKey(session, claim, origin) : Promise.resolve(true)
  const [, now, fresh] = await settleAll([begun, opened, claimed])
  const { now_ms, xid } = now as { now_ms: number; xid: string }
  if (fresh || !claim) return { now_ms, xid, stored: undefined }
  const stored = await findStoredAnswer(session, claim)
  if (!stored)
    throw new Refusal({
      code: 'idempotency_key_in_use',
      message: 'The first request with this key has just ended. Try again.',
      retry_after_seconds: 1,
    })
  return { now_ms, xid, stored }
}

type Writing = { ctx: Ctx; events: (NewEvent & { id: Id<'event'> })[]; wishes: DueWishes; asked: AskedRight[] }

function writingCtx(runtime: Runtime, session: Session, origin: Origin, now_ms: number): Writing {
  const events: Writing['events'] = []
  const wishes = dueWishes()
  const asked: AskedRight[] = []
  const order = lockOrder()
  const mint = runtime.mint ?? ((prefix: string) => mintId(prefix, now_ms, runtime.random))
  const newId = <K extends Kind>(kind: K) => mint(kinds[kind].prefix) as Id<K>
  const now = Math.floor(now_ms / 1000)
  const ctx: Ctx = {
    db: session,
    now,
    caller: origin.caller,
    actor: origin.actor,
    request_id: origin.request_id,
    log: runtime.log,
    random: runtime.random,
    keys: runtime.keys,
    asked,
    newId,
    emit: (event) => void events.push({ ...event, id: newId('event') }),
    due: (kind, key, at = now) => wishDue(wishes, kind, key, at),
    wake: (topic, key) => {
      for (const kind of runtime.topics.get(topic) ?? []) wishDue(wishes, kind, key, now)
    },
    clearDue: (kind, key) => wishClear(wishes, kind, key),
    attempt: (work) => attempt(session, { events, wishes, asked, order }, work),
    lock: async (lock, ids) => {
      order.watch(lock)
      if (ids.length === 0) return []
      const rows = await session.rows(statement<{ id: string }>(`lock.${lock.name}`, lock.text), [
        [...new Set(ids)].sort(),
      ])
      return rows.map((row) => row.id)
    },
    referrers: (question, id, limit) => runtime.referrers(ctx, question, id, limit),
  }
  return { ctx, events, wishes, asked }
}

const markAttempt = statement<never>(null, 'savepoint attempt')
const undoAttempt = statement<never>(null, 'rollback to savepoint attempt')

type Gathered = Omit<Writing, 'ctx'> & { order: LockOrder }

async function attempt<T>(session: Session, { events, wishes, asked, order }: Gathered, work: () => Promise<T>) {
  const before = { events: events.length, set: new Map(wishes.set), clear: new Map(wishes.clear), asked: asked.length }
  const forgetLocks = order.mark()
  await session.run(markAttempt)
  try {
    return { done: await work() }
  } catch (error) {
    if (!isRefusal(error)) throw error
    await session.run(undoAttempt)
    forgetLocks()
    events.length = before.events
    asked.length = before.asked
    for (const [now, then] of [
      [wishes.set, before.set],
      [wishes.clear, before.clear],
    ] as const) {
      now.clear()
      for (const [name, wish] of then) now.set(name, wish as never)
    }
    return { refusal: error.data }
  }
}

async function commit<T>(
  runtime: Runtime,
  session: Session,
  { ctx, events, wishes, asked }: Writing,
  result: T,
  options: CommandOptions<T>,
  xid: string,
): Promise<void> {
  const flight: Promise<unknown>[] = []
  if (options.claim && options.answer)
    flight.push(storeAnswer(session, options.claim, options.answer(result), asked, ctx.now))
  flight.push(...sendDue(session, wishes))
  if (options.end_step) flight.push(sendStepEnd(session, options.end_step(result)))
  await runtime.failpoint?.('before_commit', ctx.request_id)
  if (events.length > 0) flight.push(appendEvents(session, ctx.now, ctx.actor, events))
  const ending = session.command('commit')
  try {
    const outcomes = await settleAll([...flight, ending])
    // A pipelined COMMIT behind a failed statement resolves with ROLLBACK; the statement's own error came first.
    if (outcomes.at(-1) !== 'COMMIT') throw new Error(`COMMIT was answered with ${String(outcomes.at(-1))}.`)
  } catch (error) {
    if (isAnswered(error) || !isUnavailable(error)) throw error
    if (!(await wasCommitted(runtime, xid))) throw nothingCommitted
  }
  if (wishes.set.size > 0 || options.end_step) runtime.kick()
}

/** Waits for all, then throws the first failure in the order of sending: later ones only follow from it. */
async function settleAll(promises: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(promises)
  for (const outcome of settled) if (outcome.status === 'rejected') throw outcome.reason
  return settled.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value)
}

/** Asks what became of a transaction whose COMMIT was cut off; at most 3 s, then 503. */
async function wasCommitted(runtime: Runtime, xid: string): Promise<boolean> {
  for (let attempt = 0; attempt < 30; attempt++) {
    const row = await runtime.database.reader.row(readOutcome, [xid]).catch(() => undefined)
    if (row?.status === 'committed') return true
    if (row?.status === 'aborted') return false
    await pause(100)
  }
  refuse(
    'unavailable',
    'The database went away while this was written. Look whether it took effect before trying again.',
  )
}
