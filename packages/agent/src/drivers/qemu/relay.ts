/**
 * Leads connections from the host's own address to a machine on QEMU's network. Its guest has no route to anywhere, so
 * it can answer what comes from this host's loopback and nothing else; from there its secure shell is forwarded.
 */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { innerAddress } from './command-line.rules.ts'

const connectionsMax = 64

/** A relay; it ends with all that goes over it. */
export type Relay = { close(): void }

/** Opens the relay of a port; undefined where none is needed. Throws where somebody else listens there. */
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
