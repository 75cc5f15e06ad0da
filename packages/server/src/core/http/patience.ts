/**
 * How long a body may take: Node has one limit for all, and an image takes hours. JSON must be there within half a
 * minute; bytes that are streamed may take as long as they move. Headers are timed by Node itself.
 */
import { monotonicMilliseconds } from '../base/clock.ts'
import type { Exchange } from './exchange.ts'

/** What counts: the time since the request began, or since something last moved. */
export type Pace = 'whole' | 'moving'

/** Follows what is on its way. */
export type Patience = {
  /** Begins to follow an exchange, if anything of it is still to come. */
  follow(exchange: Exchange, pace: Pace): void
  /** Ends what has taken too long. */
  look(): void
  /** Cuts off all that takes as long as it moves. */
  breakOff(): void
}

const limits: Readonly<Record<Pace, number>> = { whole: 30_000, moving: 60_000 }

type Followed = { readonly exchange: Exchange; readonly pace: Pace; moved: number; since: number }

/** Makes what follows the bodies of one edge; `give_up` is called once for each that has taken too long. */
export function createPatience(
  give_up: (exchange: Exchange) => void,
  now: () => number = monotonicMilliseconds,
): Patience {
  const followed = new Map<Exchange, Followed>()
  return {
    follow: (exchange, pace) => {
      if (pace === 'whole' && !bringsBody(exchange)) return
      followed.set(exchange, { exchange, pace, moved: movedBy(exchange), since: now() })
    },
    look: () => {
      for (const one of followed.values()) {
        if (isOver(one)) followed.delete(one.exchange)
        else if (isLate(one, now())) {
          followed.delete(one.exchange)
          give_up(one.exchange)
        }
      }
    },
    breakOff: () => {
      for (const { exchange, pace } of followed.values()) if (pace === 'moving') exchange.request.socket.destroy()
    },
  }
}

function bringsBody({ request: { headers } }: Exchange): boolean {
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}

function isOver({ exchange: { request, response }, pace }: Followed): boolean {
  if (request.socket.destroyed) return true
  return request.complete && (pace === 'whole' || response.writableFinished)
}

function isLate(one: Followed, now: number): boolean {
  const { exchange, pace } = one
  // Whoever has the answer and goes on sending is not waited for any longer than others.
  const hasAnswer = exchange.response.writableFinished
  if (pace === 'moving' && !hasAnswer) {
    const moved = movedBy(exchange)
    if (moved !== one.moved) one.since = now
    one.moved = moved
  }
  return now - one.since > limits[hasAnswer ? 'whole' : pace]
}

function movedBy({ request: { socket } }: Exchange): number {
  return socket.bytesRead + socket.bytesWritten
}
