/**
 * Runs due work. A step is one command on one key. It gets no input about what changed and reads everything under
 * locks. A failed step is recorded with the time of its next attempt and does not stop other steps. Steps contain no
 * retry loops, sleeps or timers: a deadline is a row of `due`. Two processes may run steps at once, because steps
 * serialise on their own row.
 */

import { pause } from '@bourse/text/time/pause.ts'
import { after, every, monotonicMilliseconds } from '../base/clock.ts'
import { isRefusal } from '../base/refusal.ts'
import { statement } from '../db/db.ts'
import { problemOf } from '../trace/tracing.ts'
import { command, systemOrigin } from './command.ts'
import type { Ctx } from './ctx.ts'
import { type DueRow, readDue, readNextDue, removeDue } from './due.ts'
import { query } from './query.ts'
import type { Runtime } from './runtime.ts'
import { recordRefusedWrite } from './write-probe.ts'

/**
 * The result of a step when another transaction holds the lock on its key. The due row stays unchanged. If it were
 * postponed, nothing would seem due while that transaction runs, and under a frozen clock the new time would never
 * come.
 */
export const lockedElsewhere = 'locked_elsewhere'

/** The next time at which a key must be looked at again, if any. */
export type StepResult = number | undefined | typeof lockedElsewhere

/** Brings resources of one kind to their intended state. */
export type Reconciler = {
  readonly kind: string
  /** Reads the state of one key and corrects it. */
  step(ctx: Ctx, key: string): Promise<StepResult>
  /**
   * Returns those of the keys for which a step would find nothing to do. Their wake-ups are removed in one statement,
   * without a step. Reads only. A command that creates work for a key also wakes it.
   */
  idle?(ctx: Ctx, keys: readonly string[]): Promise<string[]>
  /** Topics of areas to the left that schedule a key of this kind (`ctx.publish`). */
  readonly topics?: readonly string[]
  /** Real seconds between two sweeps, for kinds whose work can arise without a wake-up. */
  readonly sweep_seconds?: number
  /** Finds the keys that need a step although nothing woke them. Reads only. */
  sweep?(ctx: Ctx): Promise<string[]>
}

/** The loop of one process. */
export type ReconcilerLoop = {
  /** Starts a round soon, because something may be due now. */
  kick(): void
  /** Runs in due order until nothing is due; returns the number of steps. For tests and for a world that is loaded. */
  drain(): Promise<number>
  /** Runs one batch; returns the number of steps. For the simulation. */
  tick(): Promise<number>
  /** Pauses the loop while some work runs. That work may run due work itself, with another runtime. */
  suspend<T>(work: (drain: (as: Runtime) => Promise<number>) => Promise<T>): Promise<T>
  start(): void
  stop(): Promise<void>
  status(): ReadonlyMap<string, ReconcilerStatus>
}

/** The clock and timers of the process that the loop uses. */
type LoopTime = {
  monotonic(): number
  pause(milliseconds: number): Promise<void>
  every(milliseconds: number, work: () => void): () => void
}

/** The statistics of a kind, for operators. */
export type ReconcilerStatus = {
  last_run_at: number
  /** The time of the last step, and of all steps together. */
  took_ms: number
  total_ms: number
  runs: number
  failures: number
  last_error: string | null
}

const pollMilliseconds = 500
/** The pause after a round. The next round handles everything that was woken meanwhile. */
const restMilliseconds = 20
/** After this time a key that another transaction had locked is tried again. */
const lockedMilliseconds = 50
const ownTime: LoopTime = { monotonic: monotonicMilliseconds, pause, every }
const batchMax = 64
const firstRetrySeconds = 1
const lastRetrySeconds = 600

const writeStatus = statement<never>(
  'core.write_reconciler_status',
  `insert into reconcilers (kind, last_run_at, took_ms, runs, failures, last_error)
   select r.kind, r.last_run_at, r.took_ms, r.runs, r.failures, r.last_error
   from jsonb_to_recordset($1::jsonb) as r(
     kind text, last_run_at bigint, took_ms integer, runs bigint, failures bigint, last_error text)
   order by r.kind
   on conflict (kind) do update set
     last_run_at = excluded.last_run_at,
     took_ms = excluded.took_ms,
     runs = reconcilers.runs + excluded.runs,
     failures = reconcilers.failures + excluded.failures,
     last_error = excluded.last_error`,
)

/** Which reconcilers each topic wakes. */
export function topicsOf(reconcilers: readonly Reconciler[]): ReadonlyMap<string, readonly string[]> {
  const topics = new Map<string, string[]>()
  for (const { kind, topics: subscribed = [] } of reconcilers) {
    for (const topic of subscribed) topics.set(topic, [...(topics.get(topic) ?? []), kind])
  }
  return topics
}

/** The state of the loop of one process. */
type Loop = {
  readonly runtime: Runtime
  readonly byKind: ReadonlyMap<string, Reconciler>
  readonly status: Map<string, ReconcilerStatus>
  readonly unwritten: Map<string, ReconcilerStatus>
  readonly stops: (() => void)[]
  readonly isPaused: () => boolean
  readonly time: LoopTime
  isRunning: boolean
  isSuspended: boolean
  isWanted: boolean
  /** Whether the last batch left out keys that other transactions had locked. */
  isLockedOut: boolean
  rests_until: number
  round: Promise<unknown>
  cancelTimer: () => void
}

/** Creates the loop over all reconcilers of the program. No step runs while `is_paused` returns true. */
export function createReconcilerLoop(
  runtime: Runtime,
  reconcilers: readonly Reconciler[],
  { is_paused = () => false, time = ownTime }: { is_paused?: () => boolean; time?: LoopTime } = {},
): ReconcilerLoop {
  const loop: Loop = {
    time,
    runtime,
    byKind: new Map(reconcilers.map((reconciler) => [reconciler.kind, reconciler])),
    status: new Map(),
    unwritten: new Map(),
    stops: [],
    isPaused: is_paused,
    isRunning: false,
    isSuspended: false,
    isWanted: false,
    isLockedOut: false,
    rests_until: 0,
    round: Promise.resolve(),
    cancelTimer: () => {},
  }
  return {
    kick: () => kick(loop),
    tick: () => tick(loop),
    drain: () => drain(loop),
    suspend: (work) => suspend(loop, work),
    status: () => loop.status,
    start: () => {
      loop.isRunning = true
      loop.stops.push(time.every(pollMilliseconds, () => kick(loop)))
      for (const reconciler of reconcilers) {
        const { sweep_seconds } = reconciler
        if (sweep_seconds) loop.stops.push(time.every(sweep_seconds * 1000, () => void sweep(loop, reconciler)))
      }
      kick(loop)
    },
    stop: async () => {
      loop.isRunning = false
      loop.cancelTimer()
      for (const stop of loop.stops.splice(0)) stop()
      await loop.round
    },
  }
}

/** Sets one flag. A running round checks it before it ends, so no kick is lost. */
function kick(loop: Loop): void {
  if (!loop.isRunning) return
  const isIdle = !loop.isWanted
  loop.isWanted = true
  if (isIdle) loop.round = loop.round.then(() => runRounds(loop))
}

async function runRounds(loop: Loop): Promise<void> {
  while (loop.isWanted && loop.isRunning && !loop.isSuspended) {
    const rest = loop.rests_until - loop.time.monotonic()
    if (rest > 0) await loop.time.pause(rest)
    loop.isWanted = false
    try {
      await drain(loop)
      await flushStatus(loop)
      await planTimer(loop)
    } catch (error) {
      loop.runtime.log.warn({ err: error }, 'The reconcilers could not read what is due.')
    }
    loop.rests_until = loop.time.monotonic() + restMilliseconds
  }
}

async function suspend<T>(loop: Loop, work: Parameters<ReconcilerLoop['suspend']>[0]): Promise<T> {
  loop.isSuspended = true
  await loop.round
  try {
    return (await work((as) => drain({ ...loop, runtime: as, isSuspended: false }))) as T
  } finally {
    loop.isSuspended = false
    loop.isWanted = false
    kick(loop)
  }
}

async function drain(loop: Loop): Promise<number> {
  let steps = 0
  for (let n = await tick(loop); n > 0; n = await tick(loop)) steps += n
  return steps
}

async function tick(loop: Loop): Promise<number> {
  loop.isLockedOut = false
  if (loop.isSuspended || loop.isPaused()) return 0
  const rows = await readDue(loop.runtime.database.reader, batchMax, [...loop.byKind.keys()])
  // A batch holds rows of one due time only: the effects of a step may be due before the next time. The next batch runs
  // at once only if all rows of this one are locked elsewhere, so that one long transaction stops no other reconciler.
  for (const together of Map.groupBy(rows, ({ due_at }) => due_at).values()) {
    const { steps, locked } = await runTogether(loop, together)
    if (locked > 0) loop.isLockedOut = true
    if (locked < together.length) return steps
  }
  return 0
}

async function runTogether(loop: Loop, rows: readonly DueRow[]): Promise<{ steps: number; locked: number }> {
  const idle = await dismissIdle(loop, rows)
  let steps = idle.size
  let locked = 0
  for (const row of rows) {
    if (idle.has(row)) continue
    const outcome = await runStep(loop, row)
    if (outcome === 'done') steps++
    if (outcome === lockedElsewhere) locked++
  }
  return { steps, locked }
}

/** Removes the wake-ups of idle keys. A key that is woken again meanwhile keeps its row. */
async function dismissIdle({ runtime, byKind }: Loop, rows: readonly DueRow[]): Promise<Set<DueRow>> {
  const dismissed = new Set<DueRow>()
  for (const [kind, own] of Map.groupBy(rows, (row) => row.kind)) {
    const reconciler = byKind.get(kind)
    if (!reconciler?.idle) continue
    const keys = own.map(({ key }) => key)
    const idle = new Set(await query(runtime, systemOrigin, async (ctx) => reconciler.idle?.(ctx, keys)))
    for (const row of own) if (idle.has(row.key)) dismissed.add(row)
  }
  if (dismissed.size > 0) await removeDue(runtime.database.reader, [...dismissed])
  return dismissed
}

async function runStep(loop: Loop, row: DueRow): Promise<'done' | 'unavailable' | typeof lockedElsewhere> {
  const { runtime } = loop
  // Only rows of these kinds are read.
  const reconciler = loop.byKind.get(row.kind) as Reconciler
  const started = monotonicMilliseconds()
  const attributes = { 'bourse.reconciler.kind': row.kind, 'bourse.reconciler.key': row.key }
  const span = runtime.tracing?.begin(`step ${row.kind}`, { kind: 'internal', attributes })
  let now = row.due_at
  try {
    const work = async (ctx: Ctx) => {
      now = ctx.now
      return reconciler.step(ctx, row.key)
    }
    let isLocked = false
    const end_step = (requestedAt: StepResult) => {
      isLocked = requestedAt === lockedElsewhere
      if (requestedAt === lockedElsewhere) return undefined
      // A step that is due again at its own time would repeat for ever, and the sandbox clock could not advance.
      const next_at = requestedAt === undefined ? undefined : Math.max(requestedAt, now + 1)
      return { due_row: row, next_at, attempt: 0, last_error: null }
    }
    await command(runtime, { ...systemOrigin, request_id: `step:${row.kind}:${row.key}`, span }, work, { end_step })
    span?.end(isLocked ? 'locked' : undefined)
    if (isLocked) return lockedElsewhere
    recordRun(loop, row.kind, { now, took_ms: monotonicMilliseconds() - started, error: null })
    return 'done'
  } catch (error) {
    span?.end(problemOf(error) ?? 'refused')
    if (isRefusal(error, 'unavailable')) {
      if (error.cause) {
        runtime.services.failures.record(error.cause)
        recordRefusedWrite(runtime, error.cause)
      }
      return 'unavailable'
    }
    const last_error = error instanceof Error ? error.message : String(error)
    runtime.log.error({ kind: row.kind, key: row.key, attempt: row.attempt, err: error }, 'A reconciler step failed.')
    recordRun(loop, row.kind, { now, took_ms: monotonicMilliseconds() - started, error: last_error })
    await recordFailure(runtime, row, last_error)
    return 'done'
  }
}

function recordRun(loop: Loop, kind: string, run: { now: number; took_ms: number; error: string | null }): void {
  for (const table of [loop.status, loop.unwritten]) {
    const before = table.get(kind)
    table.set(kind, {
      last_run_at: run.now,
      took_ms: Math.round(run.took_ms),
      total_ms: (before?.total_ms ?? 0) + run.took_ms,
      runs: (before?.runs ?? 0) + 1,
      failures: (before?.failures ?? 0) + (run.error === null ? 0 : 1),
      last_error: run.error,
    })
  }
}

async function flushStatus({ runtime, unwritten }: Loop): Promise<void> {
  if (unwritten.size === 0) return
  const rows = [...unwritten].map(([kind, entry]) => ({ kind, ...entry }))
  unwritten.clear()
  await runtime.database.reader.run(writeStatus, [JSON.stringify(rows)])
}

/** Sets a timer for a row that is due before the next poll. The poll alone finds every row, but later. */
async function planTimer(loop: Loop): Promise<void> {
  const milliseconds = await readNextDue(loop.runtime.database.reader, [...loop.byKind.keys()])
  loop.cancelTimer()
  if (milliseconds === undefined || loop.isWanted || loop.isPaused() || milliseconds >= pollMilliseconds) return
  const soonest = loop.isLockedOut ? lockedMilliseconds : 1
  loop.cancelTimer = after(Math.max(soonest, milliseconds), () => kick(loop))
}

async function sweep({ runtime, ...loop }: Loop, reconciler: Reconciler): Promise<void> {
  if (loop.isSuspended || loop.isPaused()) return
  try {
    const keys = (await query(runtime, systemOrigin, async (ctx) => reconciler.sweep?.(ctx))) ?? []
    if (keys.length === 0) return
    await command(runtime, systemOrigin, async (ctx) => {
      for (const key of keys) ctx.schedule(reconciler.kind, key)
    })
  } catch (error) {
    runtime.log.warn({ kind: reconciler.kind, err: error }, 'A sweep failed. The next sweep tries again.')
  }
}

/** Postpones a failed step: by 1 s at first, then twice as long each time up to ten minutes of the business clock. */
async function recordFailure(runtime: Runtime, row: DueRow, last_error: string): Promise<void> {
  const seconds = Math.min(firstRetrySeconds * 2 ** row.attempt, lastRetrySeconds)
  const work = async (ctx: Ctx) => ctx.now + seconds
  const end_step = (next_at: number) => ({ due_row: row, next_at, attempt: Math.min(row.attempt + 1, 20), last_error })
  await command(runtime, systemOrigin, work, { end_step }).catch((error) => {
    runtime.log.warn({ kind: row.kind, key: row.key, err: error }, 'A failed step could not be postponed.')
  })
}
