/** The only place for clocks and timers in the agent. Milliseconds, unless the name says seconds. */

/** The time of day in whole Unix seconds. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** The monotonic clock, in milliseconds. */
export function monotonic(): number {
  return performance.now()
}

/** How many seconds the local clock is ahead of an HTTP `Date` header; undefined without the header. */
export function secondsAhead(date: string | null): number | undefined {
  const moment = date === null ? Number.NaN : Date.parse(date)
  return Number.isNaN(moment) ? undefined : Math.round((Date.now() - moment) / 1000)
}

/** Waits for some time, or until the signal is aborted. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal?.addEventListener('abort', end, { once: true })
  })
}

/** Polls until the result is not undefined. Undefined after the timeout or if the signal is aborted. */
export async function waitFor<T>(
  ask: () => T | undefined | Promise<T | undefined>,
  { every, at_most, signal }: { every: number; at_most: number; signal?: AbortSignal },
): Promise<T | undefined> {
  const end = monotonic() + at_most
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (monotonic() >= end || signal?.aborted) return undefined
    await pause(every, signal)
  }
}
