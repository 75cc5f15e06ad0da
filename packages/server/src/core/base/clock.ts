/**
 * The process's own time: monotonic milliseconds for limits and waits, and the one home of timers.
 * What is due later than an hour is a row (due.ts); the business clock is the database's (`bourse_now()`).
 */
import { setTimeout as wait } from 'node:timers/promises'

const longestTimerMilliseconds = 3_600_000

/** Milliseconds that only rise; their zero means nothing. */
export function monotonicMilliseconds(): number {
  return performance.now()
}

/** The wall clock of this machine in milliseconds: for request ids and for telling how far it is off. */
export function wallMilliseconds(): number {
  return Date.now()
}

/** Waits; ends early, without error, when the signal fires. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await wait(Math.min(milliseconds, longestTimerMilliseconds), undefined, signal ? { signal } : undefined).catch(
    (error) => {
      if ((error as Error).name !== 'AbortError') throw error
    },
  )
}

/** Runs something again and again until it is told to stop; the process may end while it waits. */
export function every(milliseconds: number, work: () => void): () => void {
  const timer = setInterval(work, Math.min(milliseconds, longestTimerMilliseconds))
  timer.unref()
  return () => clearInterval(timer)
}

/** How something is run once, later: by `after`, or by timers of the simulation, which wait for what comes of it. */
export type Later = (milliseconds: number, work: () => unknown) => unknown

/** Runs something once, later; gives a way to call it off. */
export function after(milliseconds: number, work: () => void): () => void {
  const timer = setTimeout(work, Math.min(milliseconds, longestTimerMilliseconds))
  timer.unref()
  return () => clearTimeout(timer)
}

/** Runs something when what has come in by now has been looked at. */
export function soon(work: () => void): void {
  setImmediate(work)
}
