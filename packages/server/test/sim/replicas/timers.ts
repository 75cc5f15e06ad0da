/** The timers of one process on its own time, which the run moves: nothing of it depends on how long a step takes. */
import type { Later } from '../../../src/core/base/clock.ts'

export type Timers = {
  readonly later: Later
  /** Runs what is due by a moment of the process's time, one after the other, and waits for it. */
  run(now: number): Promise<void>
}

export function openTimers(now: () => number): Timers {
  let waiting: { readonly at: number; readonly work: () => unknown }[] = []
  return {
    later: (milliseconds, work) => waiting.push({ at: now() + milliseconds, work }),
    run: async (until) => {
      const due = waiting.filter(({ at }) => at <= until)
      waiting = waiting.filter(({ at }) => at > until)
      for (const { work } of due.toSorted((a, b) => a.at - b.at)) await work()
    },
  }
}
