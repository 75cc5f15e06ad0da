/**
 * The history of the database: all commits that led to its present state. A failover to an asynchronous standby and a
 * restore lose the newest commits, which this process may have read, so nothing remembered outlives the history that
 * it was read from. Every connection learns the history of its server before its first use. Where it differs, all
 * remembered values are dropped, and whoever sees a new history first records it before anything else is written
 * (docs/decisions/025-database-histories.md, docs/concepts/events.md, "Lost commits").
 * Not this file's work: statements (history.store.ts), what the areas remember (they call `remember`), connections.
 */
import type { Log } from '../base/log.ts'
import {
  type FoundServer,
  findCommonPosition,
  findServer,
  insertHistory,
  type RecordHistory,
  recordSeenPositions,
  type SeenPosition,
} from './history.store.ts'
import type { Db } from './statement.ts'

/** What a process knows of the server that it uses. */
export type KnownServer = Pick<FoundServer, 'system_identifier' | 'timeline' | 'started_at' | 'flushed' | 'number'>

/**
 * `same`: go on. `restarted`: the server was started again. `changed`: another history. `behind`: commits are missing
 * although cluster and timeline are the same, as after the copy of an older data directory. `older`: a server that was
 * replaced by one with a higher timeline; its answers must not be used.
 */
type ServerComparison = 'same' | 'restarted' | 'changed' | 'behind' | 'older'

/** A value that was read from the database. It is replaced by an empty one when the history changes. */
export type RememberedValue<T> = {
  /** Take it once, before the read whose result is to be stored: a later read may belong to another history. */
  readonly current: T
}

/** The history of the database that one process uses. */
export type History = {
  /** Rises when everything that was read before becomes void: also when the server was only restarted. */
  epoch(): number
  /** The number of the recorded history; 0 before the first connection. */
  number(): number
  /** The server that is used; undefined before the first connection. */
  server(): KnownServer | undefined
  /**
   * Keeps a value until the history changes. `seen` returns the positions of events that the value shows: they are
   * recorded as lost if the new history lacks them.
   */
  remember<T>(make: () => T, seen?: (value: T) => readonly SeenPosition[]): RememberedValue<T>
  /** Compares what another read found along the way with what the process knows. */
  observe(found: { readonly history: number; readonly flushed?: number }): void
  /**
   * Learns the history of a connection before its first use. Throws if its server must not be used. `whenReplaced` is
   * called if the other connections belong to another server or an earlier timeline.
   */
  learn(db: Db, whenReplaced: () => void): Promise<void>
  /** Begins a new history, because commits are missing, and drops what is remembered. `evidence` proves it. */
  recordLoss(db: Db, evidence: string): Promise<void>
}

/** The codes that db.ts takes for an unavailable database: a standby refuses writes, an old server is shutting down. */
const standbyCode = '25006'
const replacedCode = '57P01'
const replacedName = 'ReplacedServer'

/** Compares a found server with the known one. */
export function compareServers(known: KnownServer | undefined, found: KnownServer): ServerComparison {
  if (!known) return 'same'
  if (found.system_identifier !== known.system_identifier) return 'changed'
  if (found.timeline < known.timeline) return 'older'
  if (found.timeline > known.timeline) return 'changed'
  if (found.started_at === known.started_at) return found.number > known.number ? 'changed' : 'same'
  const isBehind = found.flushed < known.flushed || found.number < known.number
  // An answer from before the restart may arrive late. It is no evidence.
  if (isBehind && found.started_at > known.started_at) return 'behind'
  return 'restarted'
}

type HistoryOptions = {
  readonly log?: Log | undefined
  readonly record?: RecordHistory | undefined
  /** Statements of no particular connection. */
  readonly reader: () => Db
}
/** Replaces a remembered value; returns the positions that it showed. */
type HistoryMember = () => readonly SeenPosition[]
type HistoryState = HistoryOptions & {
  readonly members: HistoryMember[]
  epoch: number
  known: KnownServer | undefined
}

/** The history of one process. Without `record` it neither learns nor records: for tools that remember nothing. */
export function createHistory(options: HistoryOptions): History {
  const state: HistoryState = { ...options, members: [], epoch: 0, known: undefined }
  return {
    epoch: () => state.epoch,
    number: () => state.known?.number ?? 0,
    server: () => state.known,
    remember: (make, seen) => remember(state, make, seen),
    observe: (found) => observe(state, found),
    learn: (db, whenReplaced) => (state.record ? learn(state, db, whenReplaced) : Promise.resolve()),
    recordLoss: (db, evidence) => recordLoss(state, db, evidence),
  }
}

function remember<T>(
  { members }: HistoryState,
  make: () => T,
  seen: (value: T) => readonly SeenPosition[] = () => [],
): RememberedValue<T> {
  let current = make()
  members.push(() => {
    const old = current
    current = make()
    return seen(old)
  })
  return {
    get current() {
      return current
    },
  }
}

function observe(state: HistoryState, { history, flushed = 0 }: { history: number; flushed?: number }): void {
  const { known } = state
  if (!known || (history <= known.number && flushed <= known.flushed)) return
  state.known = { ...known, number: Math.max(history, known.number), flushed: Math.max(flushed, known.flushed) }
  if (history > known.number) forget(state, known.number)
}

async function learn(state: HistoryState, db: Db, whenReplaced: () => void): Promise<void> {
  let found = await find(db)
  // Not earlier: another connection may have learned meanwhile, and what was read since then is no evidence of a loss.
  const before = state.known
  const comparison = compareServers(before, found)
  if (comparison === 'older') throw replacedError('The database server has been replaced.')
  state.known = comparison === 'same' && before ? latest(before, found) : found
  // At once: another connection may be ready while this one still records the history.
  if (before && comparison !== 'same') forget(state, Math.min(before.number, found.number))
  if (before && !isSameServer(before, found)) whenReplaced()
  if (before && comparison === 'behind' && !isRecordedSince(found)) {
    const evidence = `The log of the server ended at byte ${before.flushed}, and ends at byte ${found.flushed} now.`
    await record(state, db, { found, evidence })
    found = await find(db)
  }
  while (!found.is_recorded) {
    await record(state, db, { found, evidence: null })
    found = await find(db)
  }
  state.known = latest(state.known, found)
}

/** Whether another process has recorded a history since the server was started: one restore is one history. */
function isRecordedSince({ recorded_at, started_at }: FoundServer): boolean {
  return recorded_at * 1_000_000 >= started_at
}

function isSameServer(one: KnownServer, other: KnownServer): boolean {
  return one.system_identifier === other.system_identifier && one.timeline === other.timeline
}

/** Several connections learn at once, so an older answer may arrive later. */
function latest(known: KnownServer, found: KnownServer): KnownServer {
  const flushed = Math.max(known.flushed, found.flushed)
  return { ...known, flushed, number: Math.max(known.number, found.number) }
}

async function recordLoss(state: HistoryState, db: Db, evidence: string): Promise<void> {
  const { known } = state
  if (!known) return
  const found = await find(db)
  // Otherwise another process has recorded the loss since.
  if (found.number === known.number) await record(state, db, { found, evidence })
  observe(state, { history: (await find(db)).number })
}

async function find(db: Db): Promise<FoundServer> {
  const found = await findServer(db)
  if (found.in_recovery) throw standbyError()
  return found
}

/** The error of a connection to a standby, which can decide no write. */
export function standbyError(message = 'The database server is a standby.'): Error {
  return Object.assign(new Error(message), { code: standbyCode })
}

type HistoryFinding = { readonly found: FoundServer; readonly evidence: string | null }

async function record(state: HistoryState, db: Db, { found, evidence }: HistoryFinding): Promise<void> {
  const begun = await insertHistory(db, { found, evidence }, state.record)
  if (begun === undefined || begun.reason === 'first') return
  state.log?.warn(
    { history: begun.number, reason: begun.reason, ...(evidence === null ? {} : { evidence }) },
    'A new history of the database began. `bourse doctor` shows whether events were lost.',
  )
}

/** Drops everything that was read in histories up to a number, and records which events are missing now. */
function forget(state: HistoryState, number: number): void {
  state.epoch += 1
  const seen = state.members.flatMap((replace) => replace())
  if (seen.length === 0) return
  recordSeenPositions(state.reader(), seen, number).catch((err) => {
    state.log?.warn({ err }, 'The positions of events that were read before the failover could not be recorded.')
  })
}

/** The error of a connection to a server that must not be used, because it was replaced. */
export function replacedError(message: string): Error {
  return Object.assign(new Error(message), { name: replacedName, code: replacedCode })
}

/** Whether an error is one of replacedError. */
export function isReplacedError(error: unknown): boolean {
  return error instanceof Error && error.name === replacedName
}

/**
 * The last position of an account's log that an earlier history shares with the present one; undefined if no history
 * has begun since.
 */
export function readCommonPosition(db: Db, accountId: string, history: number): Promise<number | undefined> {
  return findCommonPosition(db, accountId, history)
}
