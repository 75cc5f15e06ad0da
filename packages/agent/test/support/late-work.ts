/** Work on devices that is late when a test says so, so that no test depends on the speed of a machine. */

import { pause } from '@bourse/text/time/pause.ts'
import { atEnd } from '../../../../test/at-end.ts'
import { eventually } from '../../../../test/eventually.ts'
import type { Wait } from '../../src/devices/bounded-work.ts'

/** The bounds of work that is under way. */
export type LateWork = {
  /** In place of `pause`. */
  readonly wait: Wait
  /** Waits until work on a device is under way that has this bound in milliseconds, and makes it late. */
  readonly makeLate: (what: string, bound: number) => Promise<void>
  /** The bounds whose timers run: what keeps the process from its end. */
  readonly waits: () => readonly string[]
}

/** Longer than any test. As with the usual wait, the process does not end meanwhile. */
const forever = 2 ** 30

/** Opens the bounds of one test. */
export function openLateWork(): LateWork {
  const underWay = new Map<AbortController, string>()
  const endAll = (name?: string) => {
    const ended = [...underWay].filter(([, one]) => name === undefined || one === name)
    for (const [end] of ended) end.abort()
    return ended.length > 0
  }
  atEnd(() => endAll())
  return {
    waits: () => [...underWay.values()],
    wait: async (bound, signal, what) => {
      const end = new AbortController()
      signal.addEventListener('abort', () => end.abort(), { once: true })
      underWay.set(end, `${what} ${bound}`)
      await pause(forever, end.signal)
      underWay.delete(end)
    },
    makeLate: async (what, bound) => {
      await eventually(`work on ${what} with a bound of ${bound} ms is under way`, () => endAll(`${what} ${bound}`))
    },
  }
}
