/** The timers of one server on the replicas' own time, which does not depend on the duration of a step. */
import type { Later } from '../../../src/core/base/clock.ts'

export type Timers = {
  readonly later: Later
  /** Runs the timers that are due, one after the other. */
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
