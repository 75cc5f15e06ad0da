/** The clock and the timers of the SDK. All times are in milliseconds. */

/** The time of a monotonic clock. */
export function monotonic(): number {
  return performance.now()
}

/** The clock of this machine in Unix seconds. */
export function wallSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** The time until a date in an HTTP header, by the clock of this machine; 0 if it has passed, undefined if invalid. */
export function untilDate(text: string): number | undefined {
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - Date.now())
}

/** The time limit of one attempt. */
export type Deadline = {
  readonly signal: AbortSignal
  /** Whether the time limit aborted the signal, and not the caller. */
  isOver(): boolean
  /** Clears the timer and removes the listener from the caller's signal. */
  release(): void
}

/**
 * Creates a signal that is aborted after a time or with the caller's signal. Not `AbortSignal.any`: the caller's signal
 * would retain every signal made from it, and it may live for weeks.
 */
export function deadline(milliseconds: number, signal?: AbortSignal): Deadline {
  const controller = new AbortController()
  let over = false
  const breakOff = () => controller.abort(signal?.reason)
  const timer = setTimeout(() => {
    over = true
    controller.abort()
  }, milliseconds)
  if (signal?.aborted) breakOff()
  signal?.addEventListener('abort', breakOff, { once: true })
  return {
    signal: controller.signal,
    isOver: () => over,
    release: () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', breakOff)
    },
  }
}
