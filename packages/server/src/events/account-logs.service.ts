import type { Db } from '../core/db/db.ts'
import { type EventCursorKey, eventCursorKey } from '../core/keys/event-cursor.ts'
import type { CursorKeys } from '../core/keys/keys.ts'
import type { Runtime } from '../core/work/runtime.ts'
import { listClosedDays, listEventsBehind, listNewestEvents, type SummaryRow } from './account-logs.store.ts'
import { cursorKeysAt } from './cursor-keys.service.ts'
import { type AccountDays, noDaysKnown } from './event-days.rules.ts'
import { emptyTail, extendTail, lastPlace, sizeOfTail, type Tail } from './tails.service.ts'

/** What one process keeps of an account's log. */
export type AccountLog = {
  readonly account_id: string
  /** Of the list without filters, which the cursors in the tail belong to. */
  readonly key: EventCursorKey
  tail: Tail
  days: AccountDays
  /** When that was read, by the business clock. */
  days_read_at: number | undefined
  size: number
  advancing: Promise<void> | undefined
}

/** What one process keeps of all logs since the cursor keys last changed. A new generation starts from nothing. */
export type Generation = {
  readonly version: number
  readonly keys: CursorKeys
  /** Least recently used first. */
  readonly logs: Map<string, AccountLog>
  bytes: number
}

/** Scope of the list without filters. Compared by identity. */
export const noFilters = {}

/** What a tail begins with; further back the database is asked. */
export const tailLength = 128
const advanceMax = 1000
/** Logs of all accounts together. */
const bytesMax = 64 * 1024 * 1024
/** A log without events: its key, most of it. */
const emptySize = 1500
const daySize = 200
const kindSize = 150
/** A day is closed once a day; until it is looked for again, it is read as one that is not. */
const daysKeptSeconds = 1800

/** The logs that one server keeps; undefined until the first is read. */
export type AccountLogCache = { current: Generation | undefined }

declare module '../core/work/services.ts' {
  interface Services {
    readonly account_logs: AccountLogCache
  }
}

/** What is kept under the cursor keys of a version; undefined where it must be renewed first. */
export function findGeneration({ services }: Runtime, version: number): Generation | undefined {
  const generation = services.account_logs.current
  return generation?.version === version ? generation : undefined
}

/** Takes the cursor keys as they stand now; whoever asked by older ones has to read the snapshot again. */
export async function beginGeneration({ services }: Runtime, wanted: number): Promise<void> {
  const { version, keys } = await cursorKeysAt(services.cursor_keys, wanted)
  const { account_logs } = services
  if ((account_logs.current?.version ?? -1) >= version) return
  account_logs.current = { version, keys, logs: new Map(), bytes: 0 }
}

/** The log of an account, used last from now on. */
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

/** Reads what was appended since the tail was last looked at; all who wait for it share one reading. */
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
  // What was counted and is not there has been purged.
  log.tail.end = Math.max(log.tail.end, counter)
  weigh(generation, log)
}

/** What an account has in the days that are closed. What is known of them holds for good. */
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
  // An evicted log still serves those who hold it, and is weighed no more.
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
