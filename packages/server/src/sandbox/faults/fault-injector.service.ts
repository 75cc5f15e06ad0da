/**
 * What faults do to requests. Each process keeps a list of those that are at work; while it is empty a request pays
 * nothing. The list is read again when this process changes it, when a fault is spent, and every second for what other
 * replicas changed. Hits are counted in the database, so that several replicas share them.
 */
import type { RateClass } from '@bourse/api/kit/endpoint.ts'
import { every, pause } from '../../core/base/clock.ts'
import type { RefusalData } from '../../core/base/refusal.ts'
import { unavailable } from '../../core/db/db.ts'
import type { InjectedFault } from '../../core/http/request-context.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { awaitWorld, hasWorldChanged, isWorldChanging } from '../world/world.service.ts'
import { listFaultsAtWork, takeHit } from './fault-injector.store.ts'
import { edgeKinds, type FaultRow } from './faults.rules.ts'

/** Where faults are injected: an operation, and the class of its rate. Operations without token are never affected. */
type Endpoint = { readonly name: string; readonly path: string; readonly rate: RateClass }

/** Injects faults into the requests of one process. */
export type FaultInjector = {
  /** While there is no world, nobody is known: sandbox control waits for one, everything else is refused. */
  waitForWorld(endpoint: Endpoint): Promise<RefusalData | undefined> | undefined
  /** Refuses in place of what a request that began at a moment has read: the world was changed meanwhile. */
  refuseIfOutdated(endpoint: Endpoint, began: number): RefusalData | undefined
  /** The fault of a request; undefined at once while no fault is active. */
  injectFault(endpoint: Endpoint): Promise<InjectedFault | undefined> | undefined
  /** Whether the database is said to be down. */
  isDatabaseDown(): boolean
  /** Ends what is delayed, and looks for faults no more. */
  stop(): void
}

/** The faults at work in the requests of one server, as last read. */
export type ActiveFaults = { faults: readonly FaultRow[]; reading: Promise<void>; readonly stopping: AbortController }

declare module '../../core/work/services.ts' {
  interface Services {
    readonly active_faults: ActiveFaults
  }
}

const pollMilliseconds = 1_000

/** Makes the active faults of a server, none at first. */
export function createActiveFaults(): ActiveFaults {
  return { faults: [], reading: Promise.resolve(), stopping: new AbortController() }
}

/** Makes the fault injector of one process. */
export function createFaultInjector(runtime: Runtime): FaultInjector {
  const active = runtime.services.active_faults
  const stopPolling = every(pollMilliseconds, () => void refresh(runtime, active))
  void refresh(runtime, active)
  return {
    waitForWorld: (endpoint) => (isWorldChanging(runtime) ? waitForWorld(runtime, endpoint) : undefined),
    refuseIfOutdated: ({ path }, began) =>
      hasWorldChanged(runtime, began) && !isControl(path) ? worldChanging : undefined,
    injectFault: (endpoint) => {
      if (active.faults.length === 0 && !isWorldChanging(runtime)) return undefined
      return injectFault(runtime, active, endpoint)
    },
    isDatabaseDown: () => active.faults.some(({ kind }) => kind === 'database_down'),
    stop: () => {
      stopPolling()
      active.stopping.abort()
    },
  }
}

/** Reads again which faults are at work; to be awaited by whoever changed them. */
export async function refreshFaults(runtime: Runtime): Promise<void> {
  await refresh(runtime, runtime.services.active_faults)
}

/** Whether a fault halts the market. */
export async function isMarketHalted({ db }: Ctx): Promise<boolean> {
  return (await listFaultsAtWork(db, ['market_halt'])).length > 0
}

/** One reading after the other, so that an older answer never replaces a younger one. */
function refresh(runtime: Runtime, active: ActiveFaults): Promise<void> {
  active.reading = active.reading.then(async () => {
    try {
      active.faults = await listFaultsAtWork(runtime.database.reader, edgeKinds)
    } catch (error) {
      runtime.log.debug({ err: error }, 'The faults at work could not be read.')
    }
  })
  return active.reading
}

async function waitForWorld(runtime: Runtime, { path }: Endpoint): Promise<RefusalData | undefined> {
  if (!isControl(path)) return worldChanging
  await awaitWorld(runtime)
  return undefined
}

/** Delays add up; of all else the oldest fault wins. */
async function injectFault(
  runtime: Runtime,
  active: ActiveFaults,
  endpoint: Endpoint,
): Promise<InjectedFault | undefined> {
  if (isControl(endpoint.path)) {
    await awaitWorld(runtime)
    return undefined
  }
  if (isWorldChanging(runtime)) return { refusal: worldChanging }
  let found: InjectedFault | undefined
  for (const fault of active.faults) {
    const { operation, probability_percent = 100 } = fault.fields
    if (operation !== undefined && operation !== endpoint.name) continue
    const isDelay = fault.kind === 'http_latency'
    const effect = isDelay ? undefined : faultEffect(fault, endpoint)
    if (isDelay ? false : found !== undefined || effect === undefined) continue
    if (runtime.random.integer(100) >= (probability_percent as number)) continue
    if (!(await takesHit(runtime, active, fault))) continue
    if (isDelay) await pause(fault.fields.milliseconds as number, active.stopping.signal)
    else found = effect
  }
  return found
}

async function takesHit(runtime: Runtime, active: ActiveFaults, fault: FaultRow): Promise<boolean> {
  const isHit = await takeHit(runtime.database.reader, fault.id)
  if (!isHit || (fault.times > 0 && fault.times <= fault.hits + 1)) await refresh(runtime, active)
  return isHit
}

function faultEffect({ kind, fields }: FaultRow, { rate }: Endpoint): InjectedFault | undefined {
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
