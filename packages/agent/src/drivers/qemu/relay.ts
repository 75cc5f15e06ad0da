/**
 * Relays connections from the address of the host to a machine on QEMU's user network. The guest has no route, so it
 * can answer only connections from the loopback of this host, from which QEMU forwards SSH.
 */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { innerAddress } from './command-line.rules.ts'

const connectionsMax = 64

/** A relay. Closing it closes its connections. */
export type Relay = { close(): void }

/** Opens the relay of a port; undefined if none is needed. Throws if the port is taken. */
export async function openRelay(address: string, port: number): Promise<Relay | undefined> {
  if (address === innerAddress) return undefined
  const sockets = new Set<Socket>()
  const keep = (socket: Socket, other: Socket) => {
    sockets.add(socket)
    socket.on('error', () => other.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      other.destroy()
    })
    return socket.pipe(other)
  }
  const server = createServer({ allowHalfOpen: true }, (outer) => {
    const inner = connect({ host: innerAddress, port, allowHalfOpen: true })
    keep(outer, inner)
    keep(inner, outer)
  })
  server.maxConnections = connectionsMax
  server.listen(port, address)
  await once(server, 'listening')
  return {
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
