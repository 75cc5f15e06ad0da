import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'vitest'
import { pipelineMax, startInTurn, unsentOfConnectionMax } from './pipelining.ts'

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

/** A server whose requests wait in `started` for the test to answer them, unless `response` does. */
async function openServer(response?: (outgoing: ServerResponse) => void) {
  const started: ServerResponse[] = []
  let wake = () => {}
  const newest = new Map<Socket, ServerResponse>()
  const server = createServer(({ socket }, outgoing) => {
    const before = newest.get(socket)
    newest.set(socket, outgoing)
    const start = () => {
      started.push(outgoing)
      response?.(outgoing)
      wake()
    }
    startInTurn(socket, before, { outgoing, start })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const until = async (isSo: () => boolean) => {
    while (!isSo()) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  const open = async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }
  return { started, until, open, [Symbol.asyncDispose]: async () => void server.close() }
}

/** Reads the bodies of this many responses, each of one digit. */
async function readBodies(socket: Socket, count: number): Promise<string[]> {
  let text = ''
  for await (const piece of socket) {
    text += piece
    const bodies = [...text.matchAll(/\r\n\r\n(\d)/g)].map((match) => match[1] as string)
    if (bodies.length === count) return bodies
  }
  throw new Error(`The connection ended after ${text.length} bytes.`)
}

function response(outgoing: ServerResponse, digit: number): void {
  outgoing.writeHead(200, ['Content-Length', '1'])
  outgoing.end(String(digit))
}

test('at most sixteen requests of a long pipeline run at a time, and all get their responses in order', async () => {
  await using server = await openServer()
  const socket = await server.open()
  const count = 100
  socket.write(request.repeat(count))
  const bodies = readBodies(socket, count)
  await server.until(() => server.started.length >= pipelineMax)
  for (let at = 0; at < count; at++) {
    await server.until(() => server.started.length > at)
    assert.ok(server.started.length <= at + pipelineMax, `${server.started.length} started, ${at} answered`)
    response(server.started[at] as ServerResponse, at % 10)
  }
  const expected = Array.from({ length: count }, (_, at) => String(at % 10))
  assert.deepEqual(await bodies, expected)
  socket.destroy()
})

test('a connection that sends more requests after a pipeline is served as before', async () => {
  await using server = await openServer()
  const socket = await server.open()
  for (const size of [40, 1, 20]) {
    const before = server.started.length
    socket.write(request.repeat(size))
    for (let at = 0; at < size; at++) {
      await server.until(() => server.started.length > before + at)
      response(server.started[before + at] as ServerResponse, 1)
    }
  }
  assert.equal(server.started.length, 61)
  socket.destroy()
})

test('a connection with thousands of unanswered requests is closed', async () => {
  await using server = await openServer()
  const socket = await server.open()
  const closed = once(socket, 'close')
  socket.resume()
  socket.write(request)
  await server.until(() => server.started.length === 1)
  let [before] = server.started as [ServerResponse]
  const { req } = before
  // How many requests one read brings is up to the network, so these come without one.
  let started = 1
  for (let at = 0; at < 2_048; at++) {
    const outgoing = new ServerResponse(req)
    startInTurn(req.socket, before, { outgoing, start: () => started++ })
    before = outgoing
  }
  await closed
  assert.equal(started, pipelineMax)
})

test('no further request of a connection starts while a MiB of its responses is unsent', async () => {
  const size = 2 ** 19
  const body = Buffer.alloc(size)
  await using server = await openServer((outgoing) => {
    outgoing.writeHead(200, ['Content-Length', String(size)])
    outgoing.end(body)
  })
  const socket = await server.open()
  const closed = once(socket, 'close')
  socket.pause()
  socket.write(request.repeat(200))
  const unsent = () => server.started.reduce((sum, { writableLength }) => sum + writableLength, 0)
  // The system takes some of the responses, and then no more.
  await server.until(() => unsent() >= unsentOfConnectionMax)
  assert.ok(server.started.length < 200)
  assert.ok(unsent() < unsentOfConnectionMax + 2 * size, `${unsent()} bytes are unsent`)
  socket.destroy()
  await closed
})
