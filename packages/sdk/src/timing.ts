/** The SDK's own home of clock and timers. Everything is in milliseconds. */

/** Milliseconds of a clock that only goes forward. */
export function monotonic(): number {
  return performance.now()
}

/** How far ahead a moment in an HTTP header is, by the clock of this machine. */
export function untilDate(text: string): number | undefined {
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - Date.now())
}

/** Waits. Throws the signal's reason when it is aborted. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const end = () => {
      signal?.removeEventListener('abort', breakOff)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    const breakOff = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', breakOff, { once: true })
  })
}

/** A signal for one attempt. */
export type Deadline = {
  readonly signal: AbortSignal
  /** Whether the time was up, rather than the caller's timeout. */
  isOver(): boolean
  /** Lets go of the timer and of the caller's signal. */
  release(): void
}

/**
 * A signal that is aborted after a time or with the caller's own. `AbortSignal.any` would do, but it holds on to what
 * it made for as long as the caller's signal lives, and that one may live for weeks.
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
