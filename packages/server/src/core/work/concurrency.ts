/**
 * How many requests of one account (or host) are in work at a time in this process. What comes beyond that waits in
 * line, first come, first served, for a few seconds; then it is refused. Not this file's work: how often (rate-limits).
 */
import { after } from '../base/clock.ts'
import { Refusal } from '../base/refusal.ts'

/** Gives a place back; calling it again does nothing. */
export type Release = () => void

/** The places of one process. */
export type Concurrency = {
  /** A place for a request: at once where one is free, otherwise later, or a refusal `rate_limited`. */
  enter(key: string): Release | Promise<Release>
}

/** How many places there are, and how one waits for them. */
export type ConcurrencyOptions = {
  readonly max: number
  readonly wait_milliseconds?: number
  /** Who finds this many in line is refused at once: a line that cannot be served in time only costs memory. */
  readonly waiting_max?: number
  /** Runs something later and gives a way to call it off. */
  readonly after?: (milliseconds: number, work: () => void) => () => void
}

type Waiter = { readonly admit: () => void; readonly stopWaiting: () => void }
// A Set keeps the order of arrival and lets go of one in the middle at once.
type Line = { working: number; waiting: Set<Waiter> | undefined }

const noWaiters: readonly Waiter[] = []

/** Makes the places of a process, all free. */
export function createConcurrency(options: ConcurrencyOptions): Concurrency {
  const { max, wait_milliseconds = 5000, waiting_max = 1000, after: later = after } = options
  const lines = new Map<string, Line>()

  function releaseOf(key: string, line: Line): Release {
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const [next] = line.waiting ?? noWaiters
      if (next !== undefined) {
        // The place goes over without becoming free, so nobody who comes now gets in before the line.
        line.waiting?.delete(next)
        next.stopWaiting()
        next.admit()
      } else if (--line.working === 0) {
        lines.delete(key)
      }
    }
  }

  function wait(key: string, line: Line, waiting: Set<Waiter>): Promise<Release> {
    return new Promise((resolve, reject) => {
      const stopWaiting = later(wait_milliseconds, () => {
        waiting.delete(waiter)
        reject(tooMany())
      })
      const waiter = { stopWaiting, admit: () => resolve(releaseOf(key, line)) }
      waiting.add(waiter)
    })
  }

  function enter(key: string): Release | Promise<Release> {
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
  const message = 'Too many requests of this account are in work at the same time. Send fewer at once.'
  return new Refusal({ code: 'rate_limited', message, retry_after_seconds: 1 })
}
