import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { test } from 'vitest'
import { eventually } from '../../../../../test/eventually.ts'
import { createUnsentResponses } from './unsent-responses.ts'

/** More than the buffers of a connection hold. */
const large = 32 * 2 ** 20
/** 30 s, and a second for each 16 KiB. */
const largeMilliseconds = 30_000 + large / 16.384

/** One response of this size to a client that reads nothing until the test starts reading. */
async function respond(bytes: number) {
  const clock = { now: 0 }
  const unsent = createUnsentResponses({ now: () => clock.now })
  let released = 0
  const server = createServer((incoming, outgoing) => {
    outgoing.end(Buffer.alloc(bytes))
    const release = () => {
      released++
      server.emit('released')
    }
    unsent.follow({ outgoing, socket: incoming.socket, owner: 'a', release })
    server.emit('followed')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  const followed = once(server, 'followed')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await followed
  const checkAt = (milliseconds: number) => {
    clock.now = milliseconds
    unsent.check()
    return released
  }
  const dispose = async () => {
    socket.destroy()
    server.close()
  }
  return { server, socket, unsent, checkAt, released: () => released, [Symbol.asyncDispose]: dispose }
}

test('a response that the connection takes at once is not tracked', async () => {
  await using one = await respond(10_000)
  assert.equal(one.released(), 1)
  assert.equal(one.checkAt(1_000_000), 1)
  assert.equal(one.socket.destroyed, false)
})

test('a place is held until the client has read the response', async () => {
  await using one = await respond(large)
  assert.equal(one.released(), 0)
  assert.equal(one.checkAt(30_000), 0)
  const released = once(one.server, 'released')
  one.socket.resume()
  await released
  assert.equal(one.checkAt(10_000_000), 1)
})

test('a client that does not read loses its connection after the time limit', async () => {
  await using one = await respond(large)
  assert.equal(one.checkAt(largeMilliseconds), 0)
  const closed = once(one.socket, 'close')
  // The head adds a fraction of a second.
  assert.equal(one.checkAt(largeMilliseconds + 1_000), 1)
  one.socket.resume()
  await closed
})

test('a stop leaves five seconds', async () => {
  await using one = await respond(large)
  one.unsent.stop()
  assert.equal(one.checkAt(5_000), 0)
  assert.equal(one.checkAt(5_001), 1)
})

test('a place is released when the client disconnects', async () => {
  await using one = await respond(large)
  one.socket.resetAndDestroy()
  await eventually('the place is released', () => one.checkAt(1) > 0)
  assert.equal(one.released(), 1)
})

/** A response with this many unsent bytes, on a connection of its own. */
function unsentResponse(bytes: number) {
  const outgoing = Object.assign(new EventEmitter(), { writableLength: bytes }) as unknown as ServerResponse
  return { outgoing, socket: new Socket(), released: 0 }
}

function openUnsent() {
  const unsent = createUnsentResponses({ own_bytes_max: 100, all_bytes_max: 150 })
  const follow = (owner: string, bytes: number) => {
    const one = unsentResponse(bytes)
    unsent.follow({ ...one, owner, release: () => one.released++ })
    return one
  }
  return { unsent, follow }
}

test('an account that leaves too many bytes unread is full until it reads some', () => {
  const { unsent, follow } = openUnsent()
  const first = follow('a', 60)
  assert.equal(unsent.isFull('a'), false)
  const second = follow('a', 40)
  assert.deepEqual([unsent.isFull('a'), unsent.isFull('b')], [true, false])
  Object.assign(second.outgoing, { writableLength: 39 })
  assert.equal(unsent.isFull('a'), false)
  follow('a', 1)
  assert.equal(unsent.isFull('a'), true)
  first.outgoing.emit('finish')
  assert.deepEqual([unsent.isFull('a'), first.released], [false, 1])
})

test('beyond the bytes of all, the connections with the oldest responses close', () => {
  const { follow } = openUnsent()
  const [first, second, third] = [follow('a', 90), follow('b', 30), follow('c', 30)]
  // Of these 90 bytes, the client has taken 20 meanwhile.
  Object.assign(first.outgoing, { writableLength: 70 })
  const fourth = follow('d', 20)
  const released = () => [first, second, third, fourth].map((one) => one.released)
  assert.deepEqual(released(), [0, 0, 0, 0])
  const fifth = follow('e', 80)
  assert.deepEqual(released(), [1, 1, 0, 0])
  assert.deepEqual(
    [first, second, third, fourth, fifth].map(({ socket }) => socket.destroyed),
    [true, true, false, false, false],
  )
})
