/**
 * The connections of one edge whose TLS handshake is under way. Each has two sockets, and nothing in Node says which
 * ones belong together: both have the address and port of their client, which no other connection has meanwhile.
 */
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { createClosedSums } from '../base/closed-sums.ts'
import type { Log } from '../base/log.ts'

/** The handshakes of one edge. */
export type Handshakes = {
  /** Follows a connection until its handshake has ended. */
  open(plain: Socket): void
  /** Ends the following of a connection. Returns its other socket. */
  finish(secure: TLSSocket): Socket | undefined
  /** Closes a connection whose handshake failed. */
  fail(error: Error & { code?: string }, secure: TLSSocket): void
  /** The server stops: handshakes that do not end soon are broken off. */
  stop(): void
  check(): void
  flush(): void
}

/** A client that was accepted as the server stops has so much time to send its request. */
const lastMilliseconds = 1_000

/** Creates the handshakes of one edge, none under way. */
export function createHandshakes(log: Log, now: () => number): Handshakes {
  const open = new Map<string, Socket>()
  let stoppedAt = Number.POSITIVE_INFINITY
  const failed = createClosedSums(log, { now, message: 'TLS handshakes failed, and their connections were closed.' })
  return {
    open: (plain) => {
      const key = keyOf(plain)
      open.set(key, plain)
      plain.once('close', () => {
        if (open.get(key) === plain) open.delete(key)
      })
    },
    finish: (secure) => {
      const key = keyOf(secure)
      const plain = open.get(key)
      open.delete(key)
      return plain
    },
    fail: ({ code = 'unknown' }, secure) => {
      // Balancers and scanners connect without a byte, to see whether the port is open.
      if (code !== 'ECONNRESET') failed.add(code, secure.remoteAddress ?? '')
      secure.destroy()
    },
    stop: () => {
      stoppedAt = now()
    },
    check: () => {
      failed.check()
      if (now() - stoppedAt >= lastMilliseconds) for (const plain of open.values()) plain.destroy()
    },
    flush: failed.flush,
  }
}

function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
