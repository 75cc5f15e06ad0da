import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'vitest'
import { converse } from './conversation.ts'

const request = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n'
const answer = 'HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}'

async function serve(onRequest: (socket: Socket) => void) {
  const server = createServer((socket) => socket.on('data', () => onRequest(socket)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { server, port, [Symbol.dispose]: () => void server.close() }
}

test('a conversation continues after the server has closed its idle connection', async () => {
  using served = await serve((socket) => socket.write(answer))
  const connections: Socket[] = []
  served.server.on('connection', (socket) => connections.push(socket))
  const conversation = await converse(served.port)
  assert.equal(await conversation.ask(request), '{}')
  const [first] = connections as [Socket]
  first.end()
  // The client closes its side too.
  await once(first, 'close')
  assert.equal(await conversation.ask(request), '{}')
  assert.equal(connections.length, 2)
  conversation.close()
})

test('a request fails if its connection is closed before the response', async () => {
  using served = await serve((socket) => socket.end())
  const conversation = await converse(served.port)
  await assert.rejects(conversation.ask(request), /closed the connection/)
})
