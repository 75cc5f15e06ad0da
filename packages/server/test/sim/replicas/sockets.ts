/**
 * The database connections of one replica, and their faults: they break, or the response to a COMMIT is lost although
 * the commit took place.
 */
import { Socket } from 'node:net'
import type { DatabaseTarget } from '../../../src/core/db/database-target.ts'

export type Sockets = {
  /** The target, with connections that are registered here. */
  target(of: DatabaseTarget): DatabaseTarget
  /** Number of open connections. */
  count(): number
  /** Breaks all connections; new ones can be opened. */
  breakAll(): void
  /** Breaks all connections and refuses new ones. */
  die(): void
  isDead(): boolean
  /** Drops the response to the next COMMIT and breaks its connection. */
  loseCommit(): void
}

/** Command tags that end the response to COMMIT: ROLLBACK if an earlier statement failed. */
const endings = [Buffer.from('COMMIT\0'), Buffer.from('ROLLBACK\0')]

export function openSockets(): Sockets {
  const open = new Set<Socket>()
  /** Data received while the response to a COMMIT is awaited; undefined otherwise. */
  let held: Map<Socket, Buffer[]> | undefined
  let isDead = false

  function connect(): Socket {
    if (isDead) return refusedSocket()
    const socket = new Socket()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    const emit = socket.emit.bind(socket)
    socket.emit = ((event: string, ...values: unknown[]) =>
      event === 'data' && held ? hold(held, socket, values[0] as Buffer) : emit(event, ...values)) as Socket['emit']
    return socket
  }

  function hold(pieces: Map<Socket, Buffer[]>, socket: Socket, piece: Buffer): true {
    pieces.set(socket, [...(pieces.get(socket) ?? []), piece])
    if (!endings.some((ending) => piece.includes(ending))) return true
    held = undefined
    pieces.delete(socket)
    breakOne(socket)
    for (const [other, kept] of pieces) for (const one of kept) other.emit('data', one)
    return true
  }

  function breakAll(): void {
    for (const socket of open) breakOne(socket)
  }

  return {
    target: (of) => ({ ...of, stream: connect }) as DatabaseTarget,
    count: () => open.size,
    breakAll,
    die: () => {
      isDead = true
      breakAll()
    },
    isDead: () => isDead,
    loseCommit: () => {
      held ??= new Map()
    },
  }
}

function breakOne(socket: Socket): void {
  socket.destroy(Object.assign(new Error('The simulation broke this connection.'), { code: 'ECONNRESET' }))
}

function refusedSocket(): Socket {
  const socket = new Socket()
  socket.connect = (() => {
    process.nextTick(() =>
      socket.destroy(Object.assign(new Error('This replica was killed.'), { code: 'ECONNREFUSED' })),
    )
    return socket
  }) as Socket['connect']
  return socket
}
