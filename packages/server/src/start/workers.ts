/**
 * A replica with several processes: this one starts workers, which serve, and starts those again that end. It accepts
 * connections and hands them out in turn, and joins the metrics. It has no connection to the database.
 */
import cluster, { type Worker } from 'node:cluster'
import { pause } from '@bourse/text/time/pause.ts'
import type { Config } from '../config.ts'
import { after, monotonicMilliseconds } from '../core/base/clock.ts'
import { type Family, printFamilies, type Sample } from '../core/base/exposition.ts'
import { createJoinedPages, workerFamilies } from '../core/base/joined-pages.ts'
import { type Log, openLog } from '../core/base/log.ts'
import { startProblem } from '../core/base/start-problem.ts'
import type { Draw } from '../core/http/rate-exchange.ts'
import { originOf } from './launch.ts'
import { numberVariable, workerName } from './worker.ts'
import type { ParentMessage, WorkerMessage } from './worker-messages.ts'
import { afterEnd, noEnds, type WorkerEnds } from './worker-restarts.rules.ts'

/** Running workers. */
type Workers = {
  readonly log: Log
  readonly url: string
  readonly metrics_url: string | undefined
  /** Rejects where a worker could not be started several times in a row. */
  readonly failed: Promise<never>
  /** Tells all workers to drain, and resolves when they have ended. */
  stop(signal: string): Promise<void>
}

type WorkerSlot = {
  readonly number: number
  worker: Worker | undefined
  ends: WorkerEnds
  servingSince: number | undefined
  failure: { readonly code: string; readonly message: string } | undefined
  /** Draws of the others that it has not been told yet. */
  draws: Draw[]
  isTold: boolean
}

const collectMilliseconds = 2_000
/** The shortest time between two messages to one worker about draws of others. */
const drawsMilliseconds = 10
// A worker that takes no messages is told no more, so that they do not fill the memory of this process.
const drawsMax = 10_000

/**
 * Starts the workers of a replica: the first one alone, since it migrates the database, and then all others. Does not
 * wait for these once it is `stopped`.
 */
export async function startWorkers(config: Config, stopped: Promise<string>): Promise<Workers> {
  const log = openLog(config.log_level, undefined, originOf(config))
  cluster.schedulingPolicy = cluster.SCHED_RR
  const slots = Array.from({ length: config.workers }, (_, index): WorkerSlot => {
    return {
      number: index + 1,
      worker: undefined,
      ends: noEnds,
      servingSince: undefined,
      failure: undefined,
      draws: [],
      isTold: false,
    }
  })
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  // Nobody may be waiting for it yet.
  failed.catch(() => {})
  const pool: WorkerPool = { config, log, slots, metrics: openMetrics(slots), stopping: new AbortController(), fail }
  const start = (slot: WorkerSlot) => startWorker(pool, slot)
  // A second signal ends this process at once, and with it all others.
  process.on('exit', () => {
    for (const { worker } of slots) worker?.process.kill('SIGKILL')
  })
  passOnHangup(slots)
  const [first] = slots as [WorkerSlot, ...WorkerSlot[]]
  const { url, metrics_url } = await start(first)
  try {
    await Promise.race([Promise.all(slots.slice(1).map(start)), failed, stopped])
  } catch (error) {
    await stopWorkers(pool, 'The start has failed')
    throw error
  }
  return { log, url, metrics_url, failed, stop: (signal) => stopWorkers(pool, signal) }
}

/** Before a worker serves, the signal would end it. */
function passOnHangup(slots: readonly WorkerSlot[]): void {
  process.on('SIGHUP', () => {
    for (const { worker, servingSince } of slots) if (servingSince !== undefined) worker?.process.kill('SIGHUP')
  })
}

type Serving = Extract<WorkerMessage, { kind: 'serving' }>

/** The workers, and what is known of them. */
type WorkerPool = {
  readonly config: Config
  readonly log: Log
  readonly slots: readonly WorkerSlot[]
  readonly metrics: ReturnType<typeof openMetrics>
  /** Aborted when the replica stops: nothing is started any more. */
  readonly stopping: AbortController
  readonly fail: (error: Error) => void
}

/** Starts a worker, and again each time that it has ended. Resolves when it first serves. */
function startWorker(pool: WorkerPool, slot: WorkerSlot): Promise<Serving> {
  const { promise, resolve, reject } = Promise.withResolvers<Serving>()
  const { signal: stopping } = pool.stopping
  const launch = () => {
    const worker = cluster.fork({ [numberVariable]: slot.number })
    Object.assign(slot, { worker, servingSince: undefined, failure: undefined, draws: [], isTold: false })
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'failed') slot.failure = message
      if (message.kind === 'serving') {
        slot.servingSince = monotonicMilliseconds()
        resolve(message)
      }
      if (message.kind === 'draws') passOn(pool.slots, slot, message.draws)
      pool.metrics.hear(slot, message)
    })
    worker.once('exit', (code, signal) => {
      const { servingSince, failure, ends } = slot
      Object.assign(slot, { worker: undefined, servingSince: undefined })
      pool.metrics.end(slot, { is_death: !stopping.aborted })
      if (stopping.aborted) return
      // What keeps a replica from its first start keeps it from the next one too. The worker has logged it.
      const isFirstStart = slot === pool.slots[0] && ends === noEnds && servingSince === undefined
      if (isFirstStart && failure) return reject(notStartable(failure))
      const next = noteEnd(pool, slot, { code, signal, servingSince })
      if (next === 'give_up') {
        const error = notStartable(failure ?? { code: 'worker_ended', message: 'A worker ends at each start.' })
        reject(error)
        pool.fail(error)
        return
      }
      // Nothing else may keep this process alive meanwhile.
      void pause(next, stopping).then(() => {
        if (!stopping.aborted) launch()
      })
    })
  }
  launch()
  return promise
}

type EndedWorker = Pick<WorkerSlot, 'servingSince'> & { readonly code: number | null; readonly signal: string | null }

/** Decides what follows an end, and logs it. */
function noteEnd({ config, log, slots }: WorkerPool, slot: WorkerSlot, { code, signal, servingSince }: EndedWorker) {
  const served_milliseconds = servingSince === undefined ? undefined : monotonicMilliseconds() - servingSince
  const waits_for_database = slot.failure?.code === 'database_unreachable'
  const others_serve = slots.some((other) => other !== slot && other.servingSince !== undefined)
  const { ends, pause_milliseconds } = afterEnd(slot.ends, { served_milliseconds, waits_for_database, others_serve })
  slot.ends = ends
  const next =
    pause_milliseconds === 'give_up'
      ? `A worker has ended at ${ends.at_start} starts in a row, and no other one serves. The replica stops.`
      : `A worker has ended. Another one starts in ${pause_milliseconds / 1000} s.`
  log.error({ worker: workerName(config, slot.number), code, signal, reason: slot.failure?.message }, next)
  return pause_milliseconds
}

/** Passes the draws of one worker on to all others that serve. */
function passOn(slots: readonly WorkerSlot[], from: WorkerSlot, draws: readonly Draw[]): void {
  for (const slot of slots) {
    if (slot === from || slot.servingSince === undefined || slot.draws.length >= drawsMax) continue
    slot.draws.push(...draws)
    tellDraws(slot)
  }
}

/** Each worker gets one message at a time, with what all others have told meanwhile. */
function tellDraws(slot: WorkerSlot): void {
  const { worker, isTold, draws } = slot
  if (isTold || draws.length === 0) return
  Object.assign(slot, { isTold: true, draws: [] })
  send(worker, { kind: 'draws', draws }, () => {
    after(drawsMilliseconds, () => {
      // Another worker may be in its place.
      if (slot.worker !== worker) return
      slot.isTold = false
      tellDraws(slot)
    })
  })
}

async function stopWorkers({ slots, stopping }: WorkerPool, signal: string): Promise<void> {
  stopping.abort()
  const running = slots.flatMap(({ worker }) => (worker ? [worker] : []))
  await Promise.all(
    running.map((worker) => {
      const ended = new Promise((resolve) => void worker.once('exit', resolve))
      send(worker, { kind: 'stop', signal })
      return ended
    }),
  )
}

/** Joins the metrics of all workers for the one that was asked. */
function openMetrics(slots: readonly WorkerSlot[]) {
  let deaths = 0
  const pages = createJoinedPages()
  let asked = 0
  const collections = new Map<number, { readonly left: Set<WorkerSlot>; readonly done: () => void }>()

  async function collect(asker: WorkerSlot, id: number): Promise<void> {
    const others = slots.filter((slot) => slot !== asker && slot.servingSince !== undefined)
    const left = new Set(others)
    const mine = asked++
    await new Promise<void>((resolve) => {
      const done = () => {
        cancel()
        collections.delete(mine)
        resolve()
      }
      const cancel = after(collectMilliseconds, done)
      collections.set(mine, { left, done })
      for (const { worker } of others) send(worker, { kind: 'collect', id: mine })
      if (left.size === 0) done()
    })
    const present = new Set(slots.filter((slot) => slot.servingSince !== undefined && !left.has(slot)).map(nameOf))
    send(asker.worker, { kind: 'joined', id, page: pages.print(present) + ownFamilies(slots, deaths) })
  }

  return {
    hear: (slot: WorkerSlot, message: WorkerMessage) => {
      if (message.kind !== 'page' && message.kind !== 'scraped') return
      pages.take(nameOf(slot), message.page)
      if (message.kind === 'scraped') return void collect(slot, message.id)
      const collection = collections.get(message.id)
      collection?.left.delete(slot)
      if (collection?.left.size === 0) collection.done()
    },
    end: (slot: WorkerSlot, { is_death }: { is_death: boolean }) => {
      if (is_death) deaths++
      pages.end(nameOf(slot))
    },
  }
}

function nameOf({ number }: WorkerSlot): string {
  return `${number}`
}

function ownFamilies(slots: readonly WorkerSlot[], deaths: number): string {
  const serving = slots.filter(({ servingSince }) => servingSince !== undefined).length
  const samples: Record<keyof typeof workerFamilies, Sample[]> = {
    workers: [
      { label: 'serving', value: serving },
      { label: 'absent', value: slots.length - serving },
    ],
    deaths: [{ value: deaths }],
    memory: [{ value: process.memoryUsage().rss }],
  }
  return printFamilies(
    Object.entries(workerFamilies).map(([name, family]): [Family, Sample[]] => {
      return [family, samples[name as keyof typeof workerFamilies]]
    }),
  )
}

/** A worker that has just ended hears nothing, which its end says by itself. */
function send(worker: Worker | undefined, message: ParentMessage, sent = () => {}): void {
  if (worker?.isConnected()) worker.send(message, sent)
}

function notStartable({ code, message }: { readonly code: string; readonly message: string }): Error {
  return startProblem('worker_not_started', `${code}: ${message}`)
}
