/**
 * The clocks and timers of the process: monotonic milliseconds for limits and waits. Only this file sets timers.
 * Work that is due later than in an hour is a row (due.ts). The business clock is the database's (`bourse_now()`).
 */

const longestTimerMilliseconds = 3_600_000

/** Milliseconds of a clock that never goes back. Its zero is arbitrary. */
export function monotonicMilliseconds(): number {
  return performance.now()
}

/** The wall clock of this machine in milliseconds, for request ids and for measuring its error. */
export function wallMilliseconds(): number {
  return Date.now()
}

/** Runs a function at an interval; returns a function that stops it. The timer does not keep the process alive. */
export function every(milliseconds: number, work: () => void): () => void {
  const timer = setInterval(work, Math.min(milliseconds, longestTimerMilliseconds))
  timer.unref()
  return () => clearInterval(timer)
}

/** Runs a function once, later: `after`, or the timers of the simulation, which also await its result. */
export type Later = (milliseconds: number, work: () => unknown) => unknown

/** Runs a function once, later; returns a function that cancels it. The timer does not keep the process alive. */
export function after(milliseconds: number, work: () => void): () => void {
  const timer = setTimeout(work, Math.min(milliseconds, longestTimerMilliseconds))
  timer.unref()
  return () => clearTimeout(timer)
}

/** Runs a function after the events that have already arrived have been handled. */
export function soon(work: () => void): void {
  setImmediate(work)
}
