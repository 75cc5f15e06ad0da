/**
 * Injects faults into requests. Each process caches the list of active faults; while it is empty, a request has no
 * extra cost. The process reads the list again when it changes a fault, when a fault has used up its hits, and every
 * second for the changes of other replicas. Hits are counted in the database, so that all replicas share them.
 */

import type { RateClass } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { pause } from '@bourse/text/time/pause.ts'
import { every } from '../../core/base/clock.ts'
import type { RefusalData } from '../../core/base/refusal.ts'
import { unavailable } from '../../core/db/db.ts'
import type { InjectedFault } from '../../core/http/request-context.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { awaitWorld, hasWorldChanged, isWorldChanging } from '../world/world.service.ts'
import { listActiveFaults, takeHit } from './fault-injector.store.ts'
import { cachedKinds, type FaultRow } from './faults.rules.ts'

/** An operation that a fault can affect, and its rate class. Faults never affect operations without a token. */
type Endpoint = { readonly name: string; readonly path: string; readonly rate: RateClass }

/** Injects faults into the requests of one process. */
export type FaultInjector = {
  /**
   * To be called before authentication. While the world is changed, no account exists: operations of sandbox control
   * wait for the end of the change, and all others are refused.
   */
  waitForWorld(endpoint: Endpoint): Promise<RefusalData | undefined> | undefined
  /**
   * A refusal that replaces the response if the world has changed since the request began. `began` in milliseconds of
   * the monotonic clock.
   */
  refuseIfOutdated(endpoint: Endpoint, began: number): RefusalData | undefined
  /** Chooses the fault of a request and waits for its delays. Returns undefined without waiting if none is active. */
  injectFault(endpoint: Endpoint): Promise<InjectedFault | undefined> | undefined
  /** Whether a fault simulates a database outage. */
  isDatabaseDown(): boolean
  /** The status with which a fault fails an attempt of a webhook; undefined where none does. */
  failWebhook(webhookId: Id<'webhook'>): Promise<number | undefined> | undefined
  /** Ends the delays of running requests, and stops polling for faults. */
  stop(): void
}

/** The active faults of one server, as last read. `reading` ends with the last read. */
type ActiveFaults = { faults: readonly FaultRow[]; reading: Promise<void>; readonly stopping: AbortController }

declare module '../../core/work/services.ts' {
  interface Services {
    readonly active_faults: ActiveFaults
  }
}

const pollMilliseconds = 1_000

/** Creates an empty list of active faults. */
export function createActiveFaults(): ActiveFaults {
  return { faults: [], reading: Promise.resolve(), stopping: new AbortController() }
}

/** Creates the fault injector of one process and starts its polling. */
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
    failWebhook: (webhookId) => {
      return active.faults.length === 0 ? undefined : failWebhook(runtime, active, webhookId)
    },
    stop: () => {
      stopPolling()
      active.stopping.abort()
    },
  }
}

/** Reads the active faults again. A function that changes faults awaits this before it responds. */
export async function refreshFaults(runtime: Runtime): Promise<void> {
  await refresh(runtime, runtime.services.active_faults)
}

/** Whether a fault halts the market. */
export async function isMarketHalted({ db }: Ctx): Promise<boolean> {
  return (await listActiveFaults(db, ['market_halt'])).length > 0
}

/** Reads run one after the other, so that an older result never replaces a newer one. */
function refresh(runtime: Runtime, active: ActiveFaults): Promise<void> {
  active.reading = active.reading.then(async () => {
    try {
      active.faults = await listActiveFaults(runtime.database.reader, cachedKinds)
    } catch (error) {
      runtime.log.debug({ err: error }, 'The active faults could not be read.')
    }
  })
  return active.reading
}

async function waitForWorld(runtime: Runtime, { path }: Endpoint): Promise<RefusalData | undefined> {
  if (!isControl(path)) return worldChanging
  await awaitWorld(runtime)
  return undefined
}

async function failWebhook(
  runtime: Runtime,
  active: ActiveFaults,
  webhookId: Id<'webhook'>,
): Promise<number | undefined> {
  for (const fault of active.faults) {
    if (fault.kind !== 'webhook_failure' || fault.fields.webhook !== webhookId) continue
    if (await takesHit(runtime, active, fault)) return fault.fields.status as number
  }
  return undefined
}

/** All delays apply, one after the other. Of the other faults, the oldest one that matches applies. */
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
    if (fault.kind === 'webhook_failure') continue
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
  // The contract promises that these operations are never rate limited. A fault keeps the promise.
  if (fields.status === 429 && rate === 'none') return undefined
  return { refusal: refusals[fields.status as keyof typeof refusals] }
}

function isControl(path: string): boolean {
  return path.startsWith('/sandbox/')
}

const refusals = {
  429: { code: 'rate_limited', message: 'An injected fault limits this request.', retry_after_seconds: 1 },
  500: { code: 'api_error', message: 'An injected fault fails this request.' },
  503: { code: 'unavailable', message: 'An injected fault refuses this request.', retry_after_seconds: 1 },
} as const satisfies Record<number, RefusalData>

const worldChanging: RefusalData = {
  code: 'unavailable',
  message: 'The sandbox is loading a scenario. Try again in a second.',
  retry_after_seconds: 1,
}
