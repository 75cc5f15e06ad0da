import type { Db } from '../../core/db/db.ts'
import type { History, RememberedValue } from '../../core/db/history.ts'
import { type EventCursorKey, eventCursorKey } from '../../core/keys/event-cursor.ts'
import type { CursorKeys } from '../../core/keys/keys.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { listClosedDays, listEventsBehind, listNewestEvents, type SummaryRow } from './account-logs.store.ts'
import { cursorKeysAt } from './cursor-keys.service.ts'
import { type AccountDays, noDaysKnown } from './event-days.rules.ts'
import { type EventTail, emptyTail, extendTail, lastPlace, sizeOfTail } from './tails.service.ts'

/** The cached part of an account's log. */
export type AccountLog = {
  readonly account_id: string
  /** The key of the list without filters, which seals the cursors in the tail. */
  readonly key: EventCursorKey
  tail: EventTail
  days: AccountDays
  /** When `days` was read, by the business clock. */
  days_read_at: number | undefined
  size: number
  advancing: Promise<void> | undefined
}

/** The cached logs of one process under one version of the cursor keys. A new generation starts empty. */
export type Generation = {
  readonly version: number
  /** The epoch of the database's history. */
  readonly epoch: number
  readonly keys: CursorKeys
  /** Least recently used first. */
  readonly logs: Map<string, AccountLog>
  bytes: number
}

/** The filters of the list without filters. Compared by identity. */
export const noFilters = {}

/** The events that a new tail loads. Older events are read from the database. */
export const tailLength = 128
const advanceMax = 1000
/** The limit of all logs together. */
const bytesMax = 64 * 1024 * 1024
/** The size of a log without events; most of it is its key. */
const emptySize = 1500
const daySize = 200
const kindSize = 150
/** How long `days` is reused. A day that was closed meanwhile is read like an open one. */
const daysKeptSeconds = 1800

/** The cached logs of a server; undefined until the first is read. */
type AccountLogCache = RememberedValue<{ generation: Generation | undefined }>

declare module '../../core/work/services.ts' {
  interface Services {
    readonly account_logs: AccountLogCache
  }
}

/** Keeps the logs of a server until the history of the database changes. */
export function rememberAccountLogs(history: History): AccountLogCache {
  const make = (): { generation: Generation | undefined } => ({ generation: undefined })
  return history.remember(make, ({ generation }) =>
    [...(generation?.logs.values() ?? [])].map(({ account_id, tail }) => ({ account_id, position: tail.end })),
  )
}

/** The generation of a version of the cursor keys; undefined if {@link beginGeneration} must run first. */
export function findGeneration({ services }: Runtime, version: number): Generation | undefined {
  const { generation } = services.account_logs.current
  return generation?.version === version ? generation : undefined
}

/** Begins a generation with cursor keys of at least a version. The caller then has to read its snapshot again. */
export async function beginGeneration({ services, database }: Runtime, wanted: number): Promise<void> {
  const cache = services.account_logs.current
  const epoch = database.history.epoch()
  const { version, keys } = await cursorKeysAt(services.cursor_keys, wanted)
  if ((cache.generation?.version ?? -1) >= version) return
  cache.generation = { version, epoch, keys, logs: new Map(), bytes: 0 }
}

/** The log of an account, which becomes the most recently used. */
export function useLog(generation: Generation, account_id: string): AccountLog {
  const { logs, keys } = generation
  const known = logs.get(account_id)
  if (known) {
    logs.delete(account_id)
    logs.set(account_id, known)
    return known
  }
  const key = eventCursorKey(keys.current, { account_id, filters: noFilters })
  const log: AccountLog = {
    account_id,
    key,
    tail: emptyTail(),
    days: noDaysKnown,
    days_read_at: undefined,
    size: emptySize,
    advancing: undefined,
  }
  logs.set(account_id, log)
  generation.bytes += emptySize
  evict(generation)
  return log
}

/** Reads the events up to `counter` into the tail. Concurrent callers share one read. */
export async function advanceLog(generation: Generation, log: AccountLog, db: Db, counter: number): Promise<void> {
  while (log.tail.end < counter) {
    log.advancing ??= advance(generation, log, db, counter).finally(() => {
      log.advancing = undefined
    })
    await log.advancing
  }
}

async function advance(generation: Generation, log: AccountLog, db: Db, counter: number): Promise<void> {
  const { account_id, key } = log
  const from = lastPlace(log.tail)
  if (from && counter - log.tail.end <= advanceMax) {
    extendTail(log.tail, await listEventsBehind(db, account_id, from, advanceMax), key)
  } else {
    const rows = await listNewestEvents(db, account_id, tailLength)
    const tail = emptyTail()
    extendTail(tail, rows, key)
    tail.is_whole = rows.length < tailLength || rows[0]?.position === 1
    log.tail = tail
  }
  // Events up to the counter that were not read have been purged.
  log.tail.end = Math.max(log.tail.end, counter)
  weigh(generation, log)
}

/** The first events of an account after a place, oldest first, from the database. */
export const readBehind = listEventsBehind

/** The closed days of an account. `now` is the business time in seconds. */
export async function useDays(generation: Generation, log: AccountLog, db: Db, now: number): Promise<AccountDays> {
  if (log.days_read_at !== undefined && Math.abs(now - log.days_read_at) < daysKeptSeconds) return log.days
  log.days = accountDays(await listClosedDays(db, log.account_id))
  log.days_read_at = now
  weigh(generation, log)
  return log.days
}

function accountDays({ summaries, open_from }: { summaries: readonly SummaryRow[]; open_from: string }): AccountDays {
  const mixed = summaries.findIndex(({ is_before_later_days }) => !is_before_later_days)
  const ordered = mixed < 0 ? summaries : summaries.slice(0, mixed)
  const closed = ordered.map(({ stored_on, kinds, ...row }) => ({
    day: stored_on,
    first: { position: row.first_position, occurred_at: row.first_at },
    last: { position: row.last_position, occurred_at: row.last_at },
    kinds: kinds?.map(([workspace_id, action, target_type, events]) => ({ workspace_id, action, target_type, events })),
  }))
  return { closed, open_from: summaries[mixed]?.stored_on ?? open_from }
}

function weigh(generation: Generation, log: AccountLog): void {
  // An evicted log still serves its present readers, but no longer counts.
  if (generation.logs.get(log.account_id) !== log) return
  const days = log.days.closed.reduce((sum, { kinds }) => sum + daySize + (kinds?.length ?? 0) * kindSize, 0)
  const size = emptySize + sizeOfTail(log.tail) + days
  generation.bytes += size - log.size
  log.size = size
  evict(generation)
}

function evict(generation: Generation): void {
  for (const [account_id, { size, advancing }] of generation.logs) {
    if (generation.bytes <= bytesMax) return
    if (advancing) continue
    generation.logs.delete(account_id)
    generation.bytes -= size
  }
}
