/** The windows of orders. Pure. */

/** The start of a window, or the running minute where that is later. */
export function startFrom(start: number, now: number): number {
  return Math.max(start, now - (now % 60))
}
