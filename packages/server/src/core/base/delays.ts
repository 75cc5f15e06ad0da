/**
 * Holds requests back for a time. A held request costs little memory and no processor time, and on a connection the
 * next one waits behind it, so a client that sends too much slows down itself.
 */
import { after } from './clock.ts'

/** The held requests of one server. */
export type Delays = {
  /** Resolves after some milliseconds, or when all delays end; undefined where too many requests are held already. */
  hold(milliseconds: number): Promise<void> | undefined
  /** Ends all delays, and holds no further request. */
  end(): void
}

const heldMax = 10_000

/** Creates the delays of one server. */
export function createDelays(heldMost = heldMax): Delays {
  const held = new Set<() => void>()
  let hasEnded = false
  return {
    hold: (milliseconds) => {
      if (hasEnded) return Promise.resolve()
      if (held.size >= heldMost) return undefined
      return new Promise((resolve) => {
        const release = () => {
          cancel()
          held.delete(release)
          resolve()
        }
        const cancel = after(milliseconds, release)
        held.add(release)
      })
    },
    end: () => {
      hasEnded = true
      for (const release of held) release()
    },
  }
}
