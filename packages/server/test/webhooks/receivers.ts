/** Receivers of webhooks: real HTTP servers that record what they get and answer as a test wants. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { eventually } from '../../../../test/eventually.ts'

/** A message as a receiver got it. */
export type ReceivedMessage = {
  readonly id: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly json: any
  readonly path: string
}

/** The answer to a message: a status, or a function that answers. */
export type Reply = number | ((response: ServerResponse, received: ReceivedMessage, request: IncomingMessage) => void)

export type Receiver = AsyncDisposable & {
  readonly url: string
  readonly port: number
  readonly received: ReceivedMessage[]
  /** Chooses the answer to each message. */
  reply: (received: ReceivedMessage) => Reply
  /** The messages that are being answered, and the most at once so far. */
  readonly open: { now: number; most: number; connections: number }
  /** Waits until at least this many messages have arrived. */
  until(count: number): Promise<ReceivedMessage[]>
  /** Waits until a message has arrived at a path. */
  untilAt(path: string): Promise<void>
}

/** Starts a receiver on loopback, with TLS if a key is given. It answers 200 by default. */
export async function openReceiver(tls?: { key: string; cert: string }, host = '127.0.0.1'): Promise<Receiver> {
  const open = { now: 0, most: 0, connections: 0 }
  const received: ReceivedMessage[] = []
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const headers = request.headers as Record<string, string>
      const one: ReceivedMessage = {
        id: headers['webhook-id'] ?? '',
        headers,
        body,
        json: body.startsWith('{') ? JSON.parse(body) : undefined,
        path: request.url ?? '',
      }
      received.push(one)
      open.now += 1
      open.most = Math.max(open.most, open.now)
      response.on('close', () => {
        open.now -= 1
      })
      const reply = receiver.reply(one)
      if (typeof reply === 'function') reply(response, one, request)
      else response.writeHead(reply).end()
    })
  }
  const server: Server = tls ? (createSecureServer(tls, handle) as unknown as Server) : createServer(handle)
  // Senders obey this, so that only what a test does closes a connection.
  server.keepAliveTimeout = 60_000
  server.on('connection', () => {
    open.connections += 1
  })
  await new Promise<void>((done) => server.listen(0, host, done))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `${tls ? 'https' : 'http'}://${host}:${port}`,
    port,
    received,
    reply: () => 200,
    open,
    until: async (count) => {
      return eventually(`${count} messages arrive`, () => {
        assert.ok(received.length >= count, `${received.length} have arrived`)
        return received
      })
    },
    untilAt: async (path) => {
      await eventually(`a message arrives at ${path}`, () => received.some((one) => one.path === path))
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  return receiver
}
