/**
 * The one place that waits for something outside the program which gives no signal: a process, a file, a socket.
 * Not for waiting on work of our own: that is due times and wake-ups.
 */
import { monotonicMilliseconds, pause } from './clock.ts'

/** Asks every few milliseconds until the answer is neither undefined nor false; undefined when the time is over. */
export async function waitFor<T>(
  ask: () => T | Promise<T>,
  { every_milliseconds = 5, at_most_milliseconds }: { every_milliseconds?: number; at_most_milliseconds: number },
): Promise<Exclude<T, undefined | false> | undefined> {
  const end = monotonicMilliseconds() + at_most_milliseconds
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>
    if (monotonicMilliseconds() >= end) return undefined
    await pause(every_milliseconds)
  }
}
