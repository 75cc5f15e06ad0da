/** The agent's own home of clock and timers. Everything is in milliseconds, but where seconds are named. */

/** The time of day in whole Unix seconds. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** Milliseconds of a clock that only goes forward. */
export function monotonic(): number {
  return performance.now()
}

/** How many seconds this machine's clock is ahead of the moment in an HTTP `Date` header; undefined without one. */
export function secondsAhead(date: string | null): number | undefined {
  const moment = date === null ? Number.NaN : Date.parse(date)
  return Number.isNaN(moment) ? undefined : Math.round((Date.now() - moment) / 1000)
}

/** Waits; less where the signal is aborted. */
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

/** Asks every so often until the answer is not undefined; undefined when the time is over or the signal aborted. */
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
