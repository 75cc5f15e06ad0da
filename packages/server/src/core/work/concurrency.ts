/**
 * Limits how many requests of one account (or host) this process runs at a time. Further requests wait in order of
 * arrival for a few seconds and are then refused. Not this file's work: requests per second (rate-limits.ts).
 */
import { after } from '../base/clock.ts'
import { Refusal } from '../base/refusal.ts'

/** Frees a place; a second call does nothing. */
export type ReleasePlace = () => void

/** The concurrency limit of one process. */
export type Concurrency = {
  /** Takes a place for a request: at once where one is free, otherwise later. Refuses with `rate_limited`. */
  enter(key: string): ReleasePlace | Promise<ReleasePlace>
}

/** The number of places for each key, and the limits of waiting for one. */
type ConcurrencyOptions = {
  readonly max: number
  readonly wait_milliseconds?: number
  /** Refuses a request at once where this many already wait: a queue that cannot be served in time only uses memory. */
  readonly waiting_max?: number
  /** Runs something later; returns a function that cancels it. */
  readonly after?: (milliseconds: number, work: () => void) => () => void
}

type PlaceWaiter = { readonly admit: () => void; readonly stopWaiting: () => void }
// A Set keeps the order of arrival and removes an element from the middle in constant time.
type WaitingLine = { working: number; waiting: Set<PlaceWaiter> | undefined }

const noWaiters: readonly PlaceWaiter[] = []

/** Creates the limit of a process, with all places free. */
export function createConcurrency(options: ConcurrencyOptions): Concurrency {
  const { max, wait_milliseconds = 5000, waiting_max = 1000, after: later = after } = options
  const lines = new Map<string, WaitingLine>()

  function releaseOf(key: string, line: WaitingLine): ReleasePlace {
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const [next] = line.waiting ?? noWaiters
      if (next !== undefined) {
        // The place passes to the first waiter without becoming free, so a request that arrives now cannot overtake.
        line.waiting?.delete(next)
        next.stopWaiting()
        next.admit()
      } else if (--line.working === 0) {
        lines.delete(key)
      }
    }
  }

  function wait(key: string, line: WaitingLine, waiting: Set<PlaceWaiter>): Promise<ReleasePlace> {
    return new Promise((resolve, reject) => {
      const stopWaiting = later(wait_milliseconds, () => {
        waiting.delete(waiter)
        reject(tooMany())
      })
      const waiter = { stopWaiting, admit: () => resolve(releaseOf(key, line)) }
      waiting.add(waiter)
    })
  }

  function enter(key: string): ReleasePlace | Promise<ReleasePlace> {
    let line = lines.get(key)
    if (line === undefined) {
      line = { working: 0, waiting: undefined }
      lines.set(key, line)
    }
    if (line.working < max) {
      line.working++
      return releaseOf(key, line)
    }
    line.waiting ??= new Set()
    return line.waiting.size < waiting_max ? wait(key, line, line.waiting) : Promise.reject(tooMany())
  }

  return { enter }
}

function tooMany(): Refusal {
  const message = 'Too many requests of this account are running at the same time. Send fewer at once.'
  return new Refusal({ code: 'rate_limited', message, retry_after_seconds: 1 })
}
