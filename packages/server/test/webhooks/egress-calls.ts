/** Requests to receivers that a test chooses, and receivers that send bytes of any kind. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import {
  type Egress,
  type EgressOptions,
  type EgressResponse,
  openEgress,
  targetOf,
} from '../../src/core/egress/egress.ts'

/** The body of each request. */
export const body = Buffer.from('{"type":"webhook.test"}')

/** Also addresses that are not public, as a receiver of a test has. */
export const somewhere = { is_public_only: false }

/** Opens the connections of a server for some work. */
export async function using<T>(options: EgressOptions, work: (egress: Egress) => Promise<T>): Promise<T> {
  const egress = openEgress(options)
  try {
    return await work(egress)
  } finally {
    await egress.close()
  }
}

/** Sends a request. */
export function post(egress: Egress, url: string): Promise<EgressResponse> {
  return egress.post(targetOf(url), { headers: ['webhook-id', 'evt_1'], body })
}

/** A server of raw bytes. */
export async function openRaw(onConnection: (socket: Socket) => void): Promise<AsyncDisposable & { url: string }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onConnection(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
