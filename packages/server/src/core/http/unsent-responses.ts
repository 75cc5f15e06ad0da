/**
 * Tracks responses whose bytes the client has not taken yet. Until they are taken, the request keeps the place of its
 * account, so an account cannot fill the memory with responses that it never reads. A client that takes them too slowly
 * loses its connection. Event streams and image bytes have limits of their own (event-stream.ts, body-timeout.ts).
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { monotonicMilliseconds } from '../base/clock.ts'

const milliseconds = 30_000
const stopMilliseconds = 5_000
/** A second for each 16 KiB: larger responses may take longer. */
const bytesPerMillisecond = 16.384

type Unsent = { readonly outgoing: ServerResponse; readonly socket: Socket; readonly ends_at: number }

/** The unsent responses of one edge. */
export type UnsentResponses = {
  /** Calls `release` once: when the client has taken the response, or its connection has ended. */
  follow(outgoing: ServerResponse, socket: Socket, release: () => void): void
  /** Closes connections that take too long. */
  check(): void
  /** Leaves five seconds to every client, since the server stops. */
  stop(): void
}

/** Creates the unsent responses of one edge, none tracked. */
export function createUnsentResponses(now: () => number = monotonicMilliseconds): UnsentResponses {
  const unsent = new Map<Unsent, () => void>()
  let stops_at = Number.POSITIVE_INFINITY
  const end = (one: Unsent) => {
    unsent.get(one)?.()
    unsent.delete(one)
  }
  return {
    follow: (outgoing, socket, release) => {
      const bytes = outgoing.writableLength
      if (bytes === 0 || socket.destroyed) {
        release()
        return
      }
      const one: Unsent = { outgoing, socket, ends_at: now() + milliseconds + bytes / bytesPerMillisecond }
      unsent.set(one, release)
      outgoing.once('finish', () => end(one))
    },
    check: () => {
      for (const one of unsent.keys()) {
        if (now() > Math.min(one.ends_at, stops_at)) one.socket.destroy()
        // A response that waits for earlier ones of its connection gets no event when the connection ends.
        if (one.socket.destroyed) end(one)
      }
    },
    stop: () => {
      stops_at = now() + stopMilliseconds
    },
  }
}
