/**
 * The ctx of one writing transaction. It collects events, schedule changes and deferred writes until the commit.
 * Not this file's work: opening and ending the transaction (transaction.ts).
 */
import { type Id, type Kind, kinds } from '@bourse/api/kit/ids.ts'
import { mintId } from '../base/ids.ts'
import { isRefusal } from '../base/refusal.ts'
import { type Session, statement } from '../db/db.ts'
import type { Actor, AskedRight, Caller, Ctx, NewEvent } from './ctx.ts'
import { type DueWishes, dueWishes, wishClear, wishDue } from './due.ts'
import { type LockOrder, lockOrder, type RowLock } from './locks.ts'
import type { Runtime } from './runtime.ts'

/** What the first round trip of a transaction returns. */
export type Begun = { readonly now_ms: number; readonly xid: string }

/** The origin of a command. */
export type Origin = {
  readonly caller?: Caller
  readonly actor: Actor
  readonly request_id: string
}

/** A ctx, and everything that was collected through it. */
export type Writing = {
  readonly ctx: Ctx
  readonly events: (NewEvent & { id: Id<'event'> })[]
  readonly wishes: DueWishes
  readonly asked: AskedRight[]
  readonly ends: ((isCommitted: boolean) => void)[]
  /** Writes that are sent with COMMIT. */
  readonly lasts: (() => Promise<unknown>)[]
}

/**
 * Creates the ctx of a transaction. Its clock, and so its ids, are available once the transaction has begun. Locks may
 * be requested before.
 */
export function writingCtx(runtime: Runtime, session: Session, origin: Origin, begun: () => Begun): Writing {
  const events: Writing['events'] = []
  const wishes = dueWishes()
  const asked: AskedRight[] = []
  const ends: Writing['ends'] = []
  const lasts: Writing['lasts'] = []
  const order = lockOrder()
  const mint = runtime.mint ?? ((prefix: string) => mintId(prefix, begun().now_ms, runtime.random))
  const newId = <K extends Kind>(kind: K) => mint(kinds[kind].prefix) as Id<K>
  const now = () => Math.floor(begun().now_ms / 1000)
  const lockRows = async <R>(lock: RowLock<R>, ids: readonly string[]): Promise<R[]> => {
    order.watch(lock)
    if (ids.length === 0) return []
    return session.rows(statement<R>(`lock.${lock.name}`, lock.text), [[...new Set(ids)].sort()])
  }
  const ctx: Ctx = {
    db: session,
    get now() {
      return now()
    },
    caller: origin.caller,
    actor: origin.actor,
    request_id: origin.request_id,
    log: runtime.log,
    random: runtime.random,
    keys: runtime.keys,
    public_url: runtime.public_url,
    services: runtime.services,
    blobs: runtime.blobs,
    asked,
    newId,
    emit: (event) => void events.push({ ...event, id: newId('event') }),
    due: (kind, key, at = now()) => wishDue(wishes, kind, key, at),
    wake: (topic, key) => {
      for (const kind of runtime.topics.get(topic) ?? []) wishDue(wishes, kind, key, now())
    },
    clearDue: (kind, key) => wishClear(wishes, kind, key),
    attempt: (work) => attempt(session, { events, wishes, asked, ends, lasts, order }, work),
    onEnd: (run) => void ends.push(run),
    last: (write) => void lasts.push(write),
    lock: async (lock, ids) => (await lockRows<{ id: string }>(lock, ids)).map((row) => row.id),
    lockRows,
    referrers: (question, id, limit) => runtime.referrers(ctx, question, id, limit),
  }
  return { ctx, events, wishes, asked, ends, lasts }
}

const markAttempt = statement<never>(null, 'savepoint attempt')
const undoAttempt = statement<never>(null, 'rollback to savepoint attempt')

type Gathered = Omit<Writing, 'ctx'> & { order: LockOrder }

async function attempt<T>(session: Session, gathered: Gathered, work: () => Promise<T>) {
  const { events, wishes, asked, ends, lasts, order } = gathered
  const before = { events: events.length, set: new Map(wishes.set), clear: new Map(wishes.clear), asked: asked.length }
  const endsBefore = ends.length
  const lastsBefore = lasts.length
  const forgetLocks = order.mark()
  await session.run(markAttempt)
  try {
    return { done: await work() }
  } catch (error) {
    if (!isRefusal(error)) throw error
    await session.run(undoAttempt)
    forgetLocks()
    for (const run of ends.splice(endsBefore)) run(false)
    lasts.length = lastsBefore
    events.length = before.events
    asked.length = before.asked
    restore(wishes.set, before.set)
    restore(wishes.clear, before.clear)
    return { refusal: error.data }
  }
}

function restore<Value>(map: Map<string, Value>, before: ReadonlyMap<string, Value>): void {
  map.clear()
  for (const [key, value] of before) map.set(key, value)
}
