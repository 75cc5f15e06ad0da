/**
 * Limits the time of request bodies. Node has one limit for all bodies, and an image takes hours. A JSON body must be
 * complete within 30 s; a transfer may take any time while bytes move. Node itself limits the time of headers. When the
 * server stops, transfers end at once, since their clients continue later, and other bodies have five seconds left.
 */
import { monotonicMilliseconds } from '../base/clock.ts'
import { bringsBody } from './body.ts'
import type { BodyPace, BodyTimeouts, RequestContext } from './request-context.ts'

const limits: Readonly<Record<BodyPace, number>> = { whole: 30_000, moving: 60_000 }
const stopMilliseconds = 5_000

type FollowedBody = { readonly context: RequestContext; readonly pace: BodyPace; moved: number; since: number }

/** Creates the body timeouts of one edge; `timeOut` is called once for each request that has taken too long. */
export function createBodyTimeouts(
  timeOut: (context: RequestContext) => void,
  now: () => number = monotonicMilliseconds,
): BodyTimeouts {
  const followed = new Map<RequestContext, FollowedBody>()
  let stopsAt = Number.POSITIVE_INFINITY
  return {
    follow: (context, pace) => {
      if (pace === 'whole' && !bringsBody(context.incoming)) return
      followed.set(context, { context, pace, moved: movedBy(context), since: now() })
    },
    check: () => {
      for (const one of followed.values()) {
        if (isOver(one)) followed.delete(one.context)
        else if (now() > stopsAt || isLate(one, now())) {
          followed.delete(one.context)
          timeOut(one.context)
        }
      }
    },
    stop: () => {
      stopsAt = now() + stopMilliseconds
      for (const { context, pace } of followed.values()) if (pace === 'moving') context.incoming.socket.destroy()
    },
  }
}

function isOver({ context: { incoming, outgoing }, pace }: FollowedBody): boolean {
  if (incoming.socket.destroyed) return true
  return incoming.complete && (pace === 'whole' || outgoing.writableFinished)
}

function isLate(one: FollowedBody, now: number): boolean {
  const { context, pace } = one
  // A client that has its response and keeps sending gets no more time than others.
  const hasResponse = context.outgoing.writableFinished
  if (pace === 'moving' && !hasResponse) {
    const moved = movedBy(context)
    if (moved !== one.moved) one.since = now
    one.moved = moved
  }
  return now - one.since > limits[hasResponse ? 'whole' : pace]
}

function movedBy({ incoming: { socket } }: RequestContext): number {
  return socket.bytesRead + socket.bytesWritten
}
