/**
 * Work on devices that may never end, such as a read of one that hangs. Nobody waits for it longer than a bound, and no
 * second work of the same kind is begun on a device while the first is under way: each would cost a process for good.
 */
import { pause } from '@bourse/text/time/pause.ts'

/** In place of a result that is not there in time. */
export const late: unique symbol = Symbol('late')

/** Waits for so many milliseconds, or until the signal is aborted. `what`: the device whose work is awaited. */
export type Wait = (milliseconds: number, signal: AbortSignal, what: string) => Promise<void>

/** A bound of work on a device. `wait`: in place of `pause`, for tests that make work late. */
type Bound = { readonly what: string; readonly at_most: number; readonly wait?: Wait | undefined }

/** Work of one kind, one at a time for each device. */
export type BoundedWork<T> = {
  /**
   * The result of the work on a device, or of that which is under way there. `late` after so many milliseconds, and at
   * once where it was late for somebody before.
   */
  run(pci: string, at_most: number, work: () => Promise<T>): Promise<T | typeof late>
  isUnderWay(pci: string): boolean
  /** The devices whose work is under way, and was late for somebody. */
  overdue(): string[]
}

/** The result of work; `late` when its bound is over. The work goes on. */
export async function inTime<T>(work: Promise<T>, { what, at_most, wait = pause }: Bound): Promise<T | typeof late> {
  const ended = new AbortController()
  try {
    const ends = wait(at_most, ended.signal, what).then((): typeof late => late)
    return await Promise.race<T | typeof late>([work, ends])
  } finally {
    ended.abort()
  }
}

/** Opens work of one kind. */
export function openBoundedWork<T>(wait?: Wait): BoundedWork<T> {
  const underWay = new Map<string, Promise<T>>()
  const overdue = new Set<string>()
  const begin = (pci: string, work: () => Promise<T>): Promise<T> => {
    const begun = work().finally(() => {
      underWay.delete(pci)
      overdue.delete(pci)
    })
    // It may fail when nobody waits any longer.
    begun.catch(() => {})
    underWay.set(pci, begun)
    return begun
  }
  return {
    run: async (pci, at_most, work) => {
      if (overdue.has(pci)) return late
      const outcome = await inTime(underWay.get(pci) ?? begin(pci, work), { what: pci, at_most, wait })
      if (outcome === late && underWay.has(pci)) overdue.add(pci)
      return outcome
    },
    isUnderWay: (pci) => underWay.has(pci),
    overdue: () => [...overdue],
  }
}
