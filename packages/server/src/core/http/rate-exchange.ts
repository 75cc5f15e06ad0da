/**
 * What the workers of a replica tell each other of the draws from their rate buckets. Each has all buckets and lets
 * requests through by its own view of them, without asking. Only differences travel, so clocks need not agree.
 */
import { after, type Later } from '../base/clock.ts'

/** How far a worker has moved the two moments of a bucket since it last told: microseconds drawn, and promised. */
export type Draw = readonly [buckets: string, key: string, drawn: number, promised: number]

/** The way from one worker to the others of its replica. */
export type RateSiblings = {
  /** The number of workers, with this one. */
  readonly workers: number
  /** Tells draws to the others. Calls `sent` when the next ones may follow. */
  tell(draws: readonly Draw[], sent: () => void): void
  /** Says what to do with the draws of the others. */
  hear(apply: (draws: readonly Draw[]) => void): void
}

/** What of a bucket has not been told yet. */
export type Untold = {
  readonly buckets: string
  readonly key: string
  drawn: number
  promised: number
  is_waiting: boolean
}

/** Notes what a worker draws, and tells it in time. */
export type RateExchange = {
  /** Notes a draw or a promise of a bucket that then has this room left, all in microseconds. */
  note(bucket: Untold, room: number, drawn: number, promised: number): void
}

type ExchangeOptions = {
  readonly siblings: Pick<RateSiblings, 'workers' | 'tell'>
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
  readonly later?: Later | undefined
}

/** The longest time before a draw is told. */
const farMilliseconds = 100
/** The shortest time between two messages of one worker. */
const nearMilliseconds = 10
const entriesMax = 1_000
// Several times what a process can serve in the longest time. What is drawn beyond is not told.
const waitingMax = 10_000

/** Opens the exchange of one worker. */
export function createRateExchange({ siblings, now, later = after }: ExchangeOptions): RateExchange {
  const { workers, tell } = siblings
  const waiting: Untold[] = []
  const scheduled = { near: false, far: false }
  let toldAt = Number.NEGATIVE_INFINITY
  let isSending = false
  let isLate = false

  function send(): void {
    if (waiting.length === 0) return
    if (isSending) {
      isLate = true
      return
    }
    isSending = true
    toldAt = now()
    const draws = waiting.splice(0, entriesMax).map(takeUntold)
    isLate = waiting.length > 0
    tell(draws, () => {
      isSending = false
      if (isLate) schedule('near')
    })
  }

  function schedule(when: 'near' | 'far'): void {
    if (scheduled.near || scheduled[when]) return
    scheduled[when] = true
    const milliseconds = when === 'far' ? farMilliseconds : Math.max(0, toldAt + nearMilliseconds - now())
    later(milliseconds, () => {
      scheduled[when] = false
      send()
    })
  }

  return {
    note: (bucket, room, drawn, promised) => {
      if (!bucket.is_waiting) {
        if (waiting.length >= waitingMax) return
        bucket.is_waiting = true
        waiting.push(bucket)
      }
      bucket.drawn += drawn
      bucket.promised += promised
      // As long as no worker has drawn its part of the room that it sees, all of them together have left some.
      schedule(promised > 0 || bucket.drawn * workers >= room ? 'near' : 'far')
    },
  }
}

function takeUntold(bucket: Untold): Draw {
  const draw: Draw = [bucket.buckets, bucket.key, bucket.drawn, bucket.promised]
  Object.assign(bucket, { drawn: 0, promised: 0, is_waiting: false })
  return draw
}
