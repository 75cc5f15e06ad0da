/**
 * Connections from balancers that speak the PROXY protocol: the header before the first request says who the client is.
 * Only trusted proxies may send one, and each of their connections has to begin with it, so that no client can write
 * one through them. Connections from any other address speak for themselves.
 */
import type { Socket } from 'node:net'
import { monotonicMilliseconds } from '../base/clock.ts'
import { createClosedSums } from '../base/closed-sums.ts'
import type { Log } from '../base/log.ts'
import { isInNetworks, type Network } from '../base/networks.rules.ts'
import { type FirstBytes, readProxyHeader, signature } from './proxy-protocol.rules.ts'

/** Why a connection was closed before its first request. */
type Problem = 'no_header' | 'malformed' | 'too_long' | 'incomplete' | 'late' | 'not_trusted'

/** The connections of one edge whose header is awaited. */
export type ProxiedConnections = {
  /** Reads the header of a new connection, then hands the connection over. */
  open(socket: Socket): void
  /** Closes connections whose header is late, and writes a line where some were closed in the last ten seconds. */
  check(): void
  /** Writes what has not been written. */
  flush(): void
}

type ProxiedOptions = {
  readonly trusted: readonly Network[]
  /** How long a header may take. */
  readonly milliseconds: number
  readonly log: Log
  /** Takes a connection, which is paused, and whose next bytes are those of its client. */
  readonly accept: (socket: Socket) => void
  /** Notes an address that sends headers and is not trusted. */
  readonly note: (peer: string) => void
  readonly now?: () => number
}

type WaitingConnection = { readonly peer: string; readonly isTrusted: boolean; readonly since: number; bytes: Buffer }

// On the socket itself: it lives as long as the connection.
const client = Symbol('client')
type NamedSocket = Socket & { [client]?: string }

/** The address of the client that the header of a connection names. */
export function namedClient(socket: NamedSocket): string | undefined {
  return socket[client]
}

/** Gives the encrypted side of a connection the client that its header named. */
export function nameClient(secure: NamedSocket, plain: NamedSocket | undefined): void {
  const name = plain?.[client]
  if (name !== undefined) secure[client] = name
}

const noBytes = Buffer.alloc(0)

/** Creates the connections of one edge, none open. */
export function createProxiedConnections(options: ProxiedOptions): ProxiedConnections {
  const { trusted, milliseconds, log, accept, note, now = monotonicMilliseconds } = options
  const waiting = new Map<Socket, WaitingConnection>()
  // A balancer without headers has its connections closed as fast as it opens them.
  const message = 'Connections were closed before a request, by the PROXY protocol.'
  const refused = createClosedSums(log, { now, message })

  function close(socket: Socket, one: WaitingConnection, problem: Problem): void {
    refused.add(problem, one.peer)
    if (problem === 'not_trusted') note(one.peer)
    socket.destroy()
  }

  function open(socket: NamedSocket): void {
    const peer = socket.remoteAddress
    // A connection that was reset before it was accepted, as health checks do, has no address.
    if (peer === undefined) return void socket.destroy()
    const one: WaitingConnection = { peer, isTrusted: isInNetworks(peer, trusted), since: now(), bytes: noBytes }
    const take = (piece: Buffer) => {
      one.bytes = one.bytes.length === 0 ? piece : Buffer.concat([one.bytes, piece])
      const read = judge(one)
      if (typeof read === 'string') return close(socket, one, read)
      if (read.kind !== 'partial') handOver(read)
    }
    const end = () => {
      // Balancers also connect without a byte, to see whether the port is open.
      if (one.bytes.length === 0) socket.destroy()
      else close(socket, one, 'incomplete')
    }
    const forget = () => void waiting.delete(socket)
    // A connection that is reset is closed too, which is all that matters here.
    const ignore = () => {}
    const handOver = (read: FirstBytes) => {
      socket.off('data', take).off('end', end).off('error', ignore).off('close', forget)
      forget()
      if (read.kind === 'header' && read.address !== undefined) socket[client] = read.address
      const rest = read.kind === 'header' ? one.bytes.subarray(read.length) : one.bytes
      // The new owner adds its listeners before the first byte moves.
      socket.pause()
      if (rest.length > 0) socket.unshift(rest)
      accept(socket)
    }
    waiting.set(socket, one)
    socket.on('data', take).once('end', end).on('error', ignore).once('close', forget)
  }

  return {
    open,
    check: () => {
      for (const [socket, one] of waiting) {
        if (now() - one.since < milliseconds) continue
        if (one.isTrusted) close(socket, one, 'late')
        else socket.destroy()
      }
      refused.check()
    },
    flush: refused.flush,
  }
}

/** The header of a connection, or why the connection is closed. */
function judge({ bytes, isTrusted }: WaitingConnection): FirstBytes | Problem {
  const read = readProxyHeader(bytes)
  if (isTrusted) return read.kind === 'partial' || read.kind === 'header' ? read : read.kind
  return read.kind === 'no_header' || bytes.length < signature.length ? read : 'not_trusted'
}
