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
