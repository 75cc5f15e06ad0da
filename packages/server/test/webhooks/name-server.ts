/** A name server on loopback, whose answers a test chooses. */
import { createSocket } from 'node:dgram'
import { type LookupAddress, Resolver } from 'node:dns'
import { once } from 'node:events'

export type NameServer = AsyncDisposable & {
  /** The names that were asked for, in order; one entry for both families. */
  readonly asked: string[]
  /** Asks this server for the addresses of a name, as the server of Bourse asks those of the system. */
  resolve(name: string): Promise<LookupAddress[]>
}

/** Starts a name server. `answer` gives the IPv4 addresses for the n-th question about any name, from 0 on. */
export async function openNameServer(answer: (question: number) => readonly string[]): Promise<NameServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, from) => {
    const name = nameOf(query)
    asked.push(name)
    socket.send(response(query, answer(asked.length - 1)), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  // One question for each name, however late this process answers it.
  const resolver = new Resolver({ timeout: 600_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return {
    asked,
    resolve: (name) =>
      new Promise((done, fail) => {
        resolver.resolve4(name, (error, found) => {
          if (error) fail(error)
          else done(found.map((address) => ({ address, family: 4 })))
        })
      }),
    [Symbol.asyncDispose]: async () => {
      resolver.cancel()
      socket.close()
    },
  }
}

const headerBytes = 12

function nameOf(query: Buffer): string {
  const labels: string[] = []
  for (let at = headerBytes; query[at]; at += (query[at] as number) + 1) {
    labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] as number)))
  }
  return labels.join('.')
}

/** The question again, and an A record that lives no second for each address. */
function response(query: Buffer, addresses: readonly string[]): Buffer {
  const end = query.indexOf(0, headerBytes) + 5
  const header = Buffer.from(query.subarray(0, headerBytes))
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(addresses.length, 6)
  header.writeUInt32BE(0, 8)
  const records = addresses.map((address) =>
    Buffer.from([0xc0, headerBytes, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  )
  return Buffer.concat([header, query.subarray(headerBytes, end), ...records])
}
