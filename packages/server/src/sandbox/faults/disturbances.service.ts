/**
 * What faults do to requests. Each process keeps a list of those that are at work; while it is empty a request pays
 * nothing. The list is read again when this process changes it, when a fault is spent, and every second for what other
 * replicas changed. Hits are counted in the database, so that several replicas share them.
 */
import type { RateClass } from '@bourse/api/kit/endpoint.ts'
import { every, pause } from '../../core/base/clock.ts'
import type { RefusalData } from '../../core/base/refusal.ts'
import { unavailable } from '../../core/db/db.ts'
import type { Disturbance } from '../../core/http/request-context.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { awaitWorld, hasWorldChanged, isWorldChanging } from '../world/world.service.ts'
import { listFaultsAtWork, takeHit } from './disturbances.store.ts'
import { edgeKinds, type FaultRow } from './faults.rules.ts'

/** What is disturbed: an operation, and the class of its rate. Operations without token are never asked about. */
type Disturbed = { readonly name: string; readonly path: string; readonly rate: RateClass }

/** Disturbs the requests of one process. */
export type Disturber = {
  /** While there is no world, nobody is known: sandbox control waits for one, everything else is refused. */
  hold(endpoint: Disturbed): Promise<RefusalData | undefined> | undefined
  /** Refuses in place of what a request that began at a moment has read: the world was changed meanwhile. */
  outdate(endpoint: Disturbed, began: number): RefusalData | undefined
  /** What befalls a request; undefined at once while nothing is set. */
  disturb(endpoint: Disturbed): Promise<Disturbance | undefined> | undefined
  /** Whether the database is said to be down. */
  isDatabaseDown(): boolean
  /** Ends what is delayed, and looks for faults no more. */
  stop(): void
}

/** The faults at work in the requests of one server, as last read. */
export type Board = { faults: readonly FaultRow[]; reading: Promise<void>; readonly stopping: AbortController }

declare module '../../core/work/services.ts' {
  interface Services {
    readonly faults_at_work: Board
  }
}

const lookMilliseconds = 1_000

/** Makes the board of a server, without faults. */
export function createBoard(): Board {
  return { faults: [], reading: Promise.resolve(), stopping: new AbortController() }
}

/** Makes what disturbs the requests of one process. */
export function createDisturber(runtime: Runtime): Disturber {
  const board = runtime.services.faults_at_work
  const stopLooking = every(lookMilliseconds, () => void look(runtime, board))
  void look(runtime, board)
  return {
    hold: (endpoint) => (isWorldChanging(runtime) ? holdBack(runtime, endpoint) : undefined),
    outdate: ({ path }, began) => (hasWorldChanged(runtime, began) && !isControl(path) ? worldChanging : undefined),
    disturb: (endpoint) => {
      if (board.faults.length === 0 && !isWorldChanging(runtime)) return undefined
      return disturb(runtime, board, endpoint)
    },
    isDatabaseDown: () => board.faults.some(({ kind }) => kind === 'database_down'),
    stop: () => {
      stopLooking()
      board.stopping.abort()
    },
  }
}

/** Reads again which faults are at work; to be awaited by whoever changed them. */
export async function noticeFaults(runtime: Runtime): Promise<void> {
  await look(runtime, runtime.services.faults_at_work)
}

/** Whether a fault halts the market. */
export async function isMarketHalted({ db }: Ctx): Promise<boolean> {
  return (await listFaultsAtWork(db, ['market_halt'])).length > 0
}

/** One reading after the other, so that an older answer never replaces a younger one. */
function look(runtime: Runtime, board: Board): Promise<void> {
  board.reading = board.reading.then(async () => {
    try {
      board.faults = await listFaultsAtWork(runtime.database.reader, edgeKinds)
    } catch (error) {
      runtime.log.debug({ err: error }, 'The faults at work could not be read.')
    }
  })
  return board.reading
}

async function holdBack(runtime: Runtime, { path }: Disturbed): Promise<RefusalData | undefined> {
  if (!isControl(path)) return worldChanging
  await awaitWorld(runtime)
  return undefined
}

/** Delays add up; of all else the oldest fault wins. */
async function disturb(runtime: Runtime, board: Board, endpoint: Disturbed): Promise<Disturbance | undefined> {
  if (isControl(endpoint.path)) {
    await awaitWorld(runtime)
    return undefined
  }
  if (isWorldChanging(runtime)) return { refusal: worldChanging }
  let found: Disturbance | undefined
  for (const fault of board.faults) {
    const { operation, probability_percent = 100 } = fault.fields
    if (operation !== undefined && operation !== endpoint.name) continue
    const isDelay = fault.kind === 'http_latency'
    const disturbance = isDelay ? undefined : disturbanceBy(fault, endpoint)
    if (isDelay ? false : found !== undefined || disturbance === undefined) continue
    if (runtime.random.integer(100) >= (probability_percent as number)) continue
    if (!(await hits(runtime, board, fault))) continue
    if (isDelay) await pause(fault.fields.milliseconds as number, board.stopping.signal)
    else found = disturbance
  }
  return found
}

async function hits(runtime: Runtime, board: Board, fault: FaultRow): Promise<boolean> {
  const isHit = await takeHit(runtime.database.reader, fault.id)
  if (!isHit || (fault.times > 0 && fault.times <= fault.hits + 1)) await look(runtime, board)
  return isHit
}

function disturbanceBy({ kind, fields }: FaultRow, { rate }: Disturbed): Disturbance | undefined {
  if (kind === 'connection_cut') return { cut: fields.moment as 'before' | 'after' }
  if (kind === 'database_down') return { refusal: unavailable().data }
  // An operation that is promised to be never limited keeps that promise here too.
  if (fields.status === 429 && rate === 'none') return undefined
  return { refusal: refusals[fields.status as keyof typeof refusals] }
}

function isControl(path: string): boolean {
  return path.startsWith('/sandbox/')
}

const refusals = {
  429: { code: 'rate_limited', message: 'A fault of the sandbox limits this call.', retry_after_seconds: 1 },
  500: { code: 'api_error', message: 'A fault of the sandbox breaks this call.' },
  503: { code: 'unavailable', message: 'A fault of the sandbox refuses this call.', retry_after_seconds: 1 },
} as const satisfies Record<number, RefusalData>

const worldChanging: RefusalData = {
  code: 'unavailable',
  message: 'The sandbox is being wiped and filled. Try again shortly.',
  retry_after_seconds: 1,
}
