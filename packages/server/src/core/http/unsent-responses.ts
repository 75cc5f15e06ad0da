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

/** The most bytes that the clients of one account, or of one address without a token, have not taken. */
const ownBytesMax = 32 * 2 ** 20
/** The most bytes that all clients together have not taken. */
const allBytesMax = 256 * 2 ** 20

type Unsent = {
  readonly outgoing: ServerResponse
  readonly socket: Socket
  readonly owner: string
  readonly ends_at: number
  readonly release: () => void
  bytes: number
}

/** A response, its connection, the account or address that it belongs to, and what to call when it is taken. */
type SentResponse = {
  readonly outgoing: ServerResponse
  readonly socket: Socket
  readonly owner: string
  readonly release: () => void
}

/** The unsent responses of one edge. */
export type UnsentResponses = {
  /** Whether an account or address has so many bytes to take that it gets no further large response. */
  isFull(owner: string): boolean
  /**
   * Calls `release` once: when the client has taken the response, or its connection has ended. Where too many bytes are
   * unsent in all, the connections of older responses close, the oldest first.
   */
  follow(response: SentResponse): void
  /** Closes connections that take too long. */
  check(): void
  /** Leaves five seconds to every client, since the server stops. */
  stop(): void
}

type UnsentOptions = {
  readonly now?: () => number
  readonly own_bytes_max?: number
  readonly all_bytes_max?: number
}

/** Creates the unsent responses of one edge, none tracked. */
export function createUnsentResponses(options: UnsentOptions = {}): UnsentResponses {
  const { now = monotonicMilliseconds, own_bytes_max = ownBytesMax, all_bytes_max = allBytesMax } = options
  const unsent = new Set<Unsent>()
  const owned = new Map<string, number>()
  let total = 0
  let stopsAt = Number.POSITIVE_INFINITY

  function count(one: Unsent, bytes: number): void {
    total += bytes - one.bytes
    const own = (owned.get(one.owner) ?? 0) + bytes - one.bytes
    if (own === 0) owned.delete(one.owner)
    else owned.set(one.owner, own)
    one.bytes = bytes
  }

  function end(one: Unsent): void {
    if (!unsent.delete(one)) return
    count(one, 0)
    one.release()
  }

  /** Counts what is still unsent, then closes the connections of the oldest responses until the rest fits. */
  function reclaim(newest: Unsent): void {
    for (const one of unsent) count(one, one.outgoing.writableLength)
    for (const one of unsent) {
      if (total <= all_bytes_max) return
      if (one === newest) continue
      one.socket.destroy()
      end(one)
    }
  }

  return {
    isFull: (owner) => {
      if ((owned.get(owner) ?? 0) < own_bytes_max) return false
      for (const one of unsent) if (one.owner === owner) count(one, one.outgoing.writableLength)
      return (owned.get(owner) ?? 0) >= own_bytes_max
    },
    follow: ({ outgoing, socket, owner, release }) => {
      const bytes = outgoing.writableLength
      if (bytes === 0 || socket.destroyed) {
        release()
        return
      }
      const ends_at = now() + milliseconds + bytes / bytesPerMillisecond
      const one: Unsent = { outgoing, socket, owner, ends_at, release, bytes: 0 }
      unsent.add(one)
      outgoing.once('finish', () => end(one))
      count(one, bytes)
      if (total > all_bytes_max) reclaim(one)
    },
    check: () => {
      for (const one of unsent) {
        if (now() > Math.min(one.ends_at, stopsAt)) one.socket.destroy()
        // A response that waits for earlier ones of its connection gets no event when the connection ends.
        if (one.socket.destroyed) end(one)
      }
    },
    stop: () => {
      stopsAt = now() + stopMilliseconds
    },
  }
}
