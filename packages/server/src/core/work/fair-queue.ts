/**
 * Shares the turns of one process among accounts: deficit round robin (Shreedhar and Varghese, 1995). A turn is the
 * time in which a request uses the database. While turns are free, a request starts at once. Otherwise the accounts
 * that wait take turns, and an account whose requests take longer gets fewer of them. So an account that sends as much
 * as it can delays itself, and any other account by the rest of one turn.
 *
 * The cost of a request is known when it ends, so an account is charged then: it may get into debt by the requests that
 * it has running. Not this file's work: requests per second (rate-limits.ts), places (concurrency.ts).
 */
import { after, monotonicMilliseconds } from '../base/clock.ts'
import { Refusal } from '../base/refusal.ts'
import type { ReleasePlace } from './concurrency.ts'

/** The code of a refusal because of a limit of the account. */
export type LimitCode = 'rate_limited' | 'unavailable'

/** The turns of one process. */
export type FairQueue = {
  /**
   * Takes a turn for a request of an account: at once or later. Refuses with the code where the limits of the account
   * are the reason, and with `unavailable` where others have the turns.
   */
  enter(key: string, code?: LimitCode): ReleasePlace | Promise<ReleasePlace>
  /** The turns that are taken, the requests that wait for one, and for how long all have waited since the start. */
  load(): { readonly running: number; readonly waiting: number; readonly waited_milliseconds: number }
}

/** How many turns there are, and the limits of waiting for one. */
export type FairQueueOptions = {
  /** The most turns at a time. */
  readonly running_max: number
  /** The most turns of one account at a time. */
  readonly running_of_one_max: number
  /** Refuses a request at once where this many of its account wait. */
  readonly waiting_of_one_max?: number
  readonly wait_milliseconds?: number
  /** The milliseconds that an account is given in each round. */
  readonly quantum?: number
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number
  /** Runs something later; returns a function that cancels it. */
  readonly after?: (milliseconds: number, work: () => void) => () => void
}

type QueueWaiter = { readonly since: number; readonly start: () => void; readonly stopWaiting: () => void }
/** The requests of one account. `deficit`: the milliseconds that it may still use before others come first. */
type Flow = { running: number; deficit: number; readonly waiting: Set<QueueWaiter> }

/** Creates the queue of a process, with all turns free. */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { running_max, running_of_one_max, waiting_of_one_max = 500, wait_milliseconds = 5_000 } = options
  const { quantum = 5, now = monotonicMilliseconds, after: later = after } = options
  // A map keeps the order of insertion: the account that was served goes to the end.
  const flows = new Map<string, Flow>()
  let running = 0
  let waiting = 0
  let waitedMilliseconds = 0

  function begin(key: string, flow: Flow): ReleasePlace {
    const began = now()
    let isRunning = true
    flow.running++
    running++
    return () => {
      if (!isRunning) return
      isRunning = false
      flow.running--
      running--
      flow.deficit -= now() - began
      forgetIfIdle(flows, key, flow)
      startNext()
    }
  }

  function startNext(): void {
    while (waiting > 0 && running < running_max) {
      const next = chooseFlow(flows, running_of_one_max, quantum)
      if (next === undefined) return
      const { key, flow } = next
      const [waiter] = flow.waiting
      if (waiter === undefined) return
      leave(flow, waiter)
      flows.delete(key)
      flows.set(key, flow)
      waiter.stopWaiting()
      waiter.start()
    }
  }

  function leave(flow: Flow, waiter: QueueWaiter): void {
    flow.waiting.delete(waiter)
    waiting--
    waitedMilliseconds += now() - waiter.since
  }

  function wait(key: string, flow: Flow, code: LimitCode): Promise<ReleasePlace> {
    return new Promise((resolve, reject) => {
      const stopWaiting = later(wait_milliseconds, () => {
        leave(flow, waiter)
        forgetIfIdle(flows, key, flow)
        reject(flow.running < running_of_one_max ? busy() : tooMany(code))
      })
      const waiter: QueueWaiter = { since: now(), stopWaiting, start: () => resolve(begin(key, flow)) }
      flow.waiting.add(waiter)
      waiting++
    })
  }

  function enter(key: string, code: LimitCode = 'rate_limited'): ReleasePlace | Promise<ReleasePlace> {
    const flow = flows.get(key) ?? { running: 0, deficit: quantum, waiting: new Set() }
    if (flow.running === 0 && flow.waiting.size === 0) flows.set(key, flow)
    // Where a turn is free, whoever waits has reached the limit of its own account.
    if (running < running_max && flow.running < running_of_one_max) return begin(key, flow)
    return flow.waiting.size < waiting_of_one_max ? wait(key, flow, code) : Promise.reject(tooMany(code))
  }

  return { enter, load: () => ({ running, waiting, waited_milliseconds: waitedMilliseconds }) }
}

function forgetIfIdle(flows: Map<string, Flow>, key: string, flow: Flow): void {
  if (flow.running === 0 && flow.waiting.size === 0) flows.delete(key)
}

/**
 * The account whose request starts next: the first that has something left of its rounds. Where none has, each gets as
 * many rounds as one of them needs. Undefined where nobody waits, or all who wait have as many turns as they may have.
 */
function chooseFlow(
  flows: ReadonlyMap<string, Flow>,
  runningOfOneMax: number,
  quantum: number,
): { key: string; flow: Flow } | undefined {
  const ready = [...flows].filter(([, { waiting, running }]) => waiting.size > 0 && running < runningOfOneMax)
  if (ready.length === 0) return undefined
  const most = Math.max(...ready.map(([, { deficit }]) => deficit))
  if (most <= 0) {
    const rounds = Math.floor(-most / quantum) + 1
    for (const [, flow] of ready) flow.deficit = Math.min(quantum, flow.deficit + rounds * quantum)
  }
  const [key, flow] = ready.find(([, { deficit }]) => deficit > 0) as [string, Flow]
  return { key, flow }
}

function tooMany(code: LimitCode): Refusal {
  const message = 'Too many requests of this account are waiting. Send fewer at once.'
  return new Refusal({ code, message, retry_after_seconds: 1 })
}

function busy(): Refusal {
  const message = 'The server has too many requests. Try again shortly.'
  return new Refusal({ code: 'unavailable', message, retry_after_seconds: 1 })
}
