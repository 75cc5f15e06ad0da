/**
 * Polls for something outside the program that gives no signal: a process, a file, a socket.
 * The program's own work uses due times and wake-ups instead.
 */
import { monotonicMilliseconds, pause } from './clock.ts'

/** Asks every few milliseconds until the answer is neither undefined nor false; returns undefined at the time limit. */
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
