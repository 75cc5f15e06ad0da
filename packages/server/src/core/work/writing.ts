/**
 * The ctx of one writing transaction. It collects events, audit entries, schedule changes and deferred writes until the
 * commit.
 * Not this file's work: opening and ending the transaction (transaction.ts).
 */

import { type Id, type IdKind, kinds } from '@bourse/api/kit/ids.ts'
import { mintId } from '../base/ids.ts'
import { isRefusal } from '../base/refusal.ts'
import { type Session, statement } from '../db/db.ts'
import type { TraceSpan } from '../trace/spans.ts'
import type { NewAuditEntry, Unrecorded } from './audit-log.ts'
import type { Actor, AskedRight, Caller, Ctx, NewEvent } from './ctx.ts'
import { type DueChanges, emptyDueChanges, scheduleDue, unscheduleDue } from './due.ts'
import { type LockOrder, lockOrder, type RowLock } from './locks.ts'
import type { Runtime } from './runtime.ts'

/** What the first round trip of a transaction returns. */
export type BegunTransaction = { readonly now_ms: number; readonly xid: string; readonly history: number }

/** The origin of a command. */
export type CommandOrigin = {
  readonly caller?: Caller
  readonly actor: Actor
  readonly request_id: string
  /** The span of the request or step, within which its transactions are. */
  readonly span?: TraceSpan | undefined
  /** Why nothing of it has an entry in the audit trail. Absent: what commits has one, or gives a reason itself. */
  readonly unrecorded?: Unrecorded
}

/** A ctx, and everything that was collected through it. */
export type UnitOfWork = {
  readonly ctx: Ctx
  readonly events: (NewEvent & { id: Id<'event'> })[]
  readonly audit_entries: (NewAuditEntry & { id: Id<'audit_entry'> })[]
  /** Why it needs no entry of the audit trail. */
  readonly unrecorded: Unrecorded[]
  readonly due_changes: DueChanges
  readonly asked: AskedRight[]
  readonly finish_callbacks: ((isCommitted: boolean) => void)[]
  /** Writes that are sent with COMMIT. */
  readonly deferred_writes: (() => Promise<unknown>)[]
}

/**
 * Creates the ctx of a transaction. Its clock, and so its ids, are available once the transaction has begun. Locks may
 * be requested before.
 */
export function openUnitOfWork(
  runtime: Runtime,
  session: Session,
  origin: CommandOrigin,
  begun: () => BegunTransaction,
): UnitOfWork {
  const events: UnitOfWork['events'] = []
  const audit_entries: UnitOfWork['audit_entries'] = []
  const unrecorded: Unrecorded[] = origin.unrecorded ? [origin.unrecorded] : []
  const due_changes = emptyDueChanges()
  const asked: AskedRight[] = []
  const finish_callbacks: UnitOfWork['finish_callbacks'] = []
  const deferred_writes: UnitOfWork['deferred_writes'] = []
  const collected = { events, audit_entries, unrecorded, due_changes, asked, finish_callbacks, deferred_writes }
  const order = lockOrder()
  const mint = runtime.mint ?? ((prefix: string) => mintId(prefix, begun().now_ms, runtime.random))
  const newId = <K extends IdKind>(kind: K) => mint(kinds[kind].prefix) as Id<K>
  const now = () => Math.floor(begun().now_ms / 1000)
  const lockRows = async <R>(lock: RowLock<R>, ids: readonly string[]): Promise<R[]> => {
    order.check(lock)
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
    leaveUnrecorded: (reason) => void unrecorded.push(reason),
    record: (entry) => void audit_entries.push({ ...entry, id: newId('audit_entry') }),
    schedule: (kind, key, at = now()) => scheduleDue(due_changes, kind, key, at),
    publish: (topic, key) => {
      for (const kind of runtime.topics.get(topic) ?? []) scheduleDue(due_changes, kind, key, now())
    },
    unschedule: (kind, key) => unscheduleDue(due_changes, kind, key),
    attempt: (work) => attempt(session, { ...collected, order }, work),
    onFinish: (run) => void finish_callbacks.push(run),
    deferWrite: (write) => void deferred_writes.push(write),
    lock: async (lock, ids) => (await lockRows<{ id: string }>(lock, ids)).map((row) => row.id),
    lockRows,
    referrers: (question, id, limit) => runtime.referrers(ctx, question, id, limit),
  }
  return { ctx, ...collected }
}

const markAttempt = statement<never>(null, 'savepoint attempt')
const undoAttempt = statement<never>(null, 'rollback to savepoint attempt')

type Pending = Omit<UnitOfWork, 'ctx'> & { order: LockOrder }

async function attempt<T>(session: Session, pending: Pending, work: () => Promise<T>) {
  const { events, audit_entries, unrecorded, due_changes, asked, finish_callbacks, deferred_writes, order } = pending
  const before = {
    events: events.length,
    audit_entries: audit_entries.length,
    unrecorded: unrecorded.length,
    set: new Map(due_changes.set),
    clear: new Map(due_changes.clear),
    asked: asked.length,
  }
  const callbacksBefore = finish_callbacks.length
  const writesBefore = deferred_writes.length
  const forgetLocks = order.mark()
  await session.run(markAttempt)
  try {
    return { done: await work() }
  } catch (error) {
    if (!isRefusal(error)) throw error
    await session.run(undoAttempt)
    forgetLocks()
    for (const run of finish_callbacks.splice(callbacksBefore)) run(false)
    deferred_writes.length = writesBefore
    events.length = before.events
    audit_entries.length = before.audit_entries
    unrecorded.length = before.unrecorded
    asked.length = before.asked
    restore(due_changes.set, before.set)
    restore(due_changes.clear, before.clear)
    return { refusal: error.data }
  }
}

function restore<Value>(map: Map<string, Value>, before: ReadonlyMap<string, Value>): void {
  map.clear()
  for (const [key, value] of before) map.set(key, value)
}
