import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, Socket } from 'node:net'
import { test } from 'vitest'
import { atEnd } from '../../../../../test/at-end.ts'
import { eventually } from '../../../../../test/eventually.ts'
import { openLog } from '../base/log.ts'
import { parseNetwork } from '../base/networks.rules.ts'
import { createProxiedConnections, namedClient } from './proxied-connections.ts'
import { signature } from './proxy-protocol.rules.ts'

/** A server that expects headers from `network` and keeps the connections that it accepted. Its clock stands still. */
async function listen(network: string) {
  const lines: string[] = []
  const accepted: Socket[] = []
  const received: string[] = []
  const noted: string[] = []
  const clock = { now: 0 }
  const trusted = parseNetwork(network)
  assert.ok(trusted)
  const proxied = createProxiedConnections({
    trusted: [trusted],
    milliseconds: 10_000,
    log: openLog('warn', { write: (line) => void lines.push(line) }),
    accept: (socket) => {
      accepted.push(socket)
      socket.on('data', (piece) => void received.push(String(piece))).resume()
    },
    note: (peer) => void noted.push(peer),
    now: () => clock.now,
  })
  let opened = 0
  const server = createServer((socket) => {
    opened++
    proxied.open(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => void server.close())
  const { port } = server.address() as AddressInfo
  /** Sends bytes, and waits until the server has seen the connection. */
  const dial = async (bytes?: string | Buffer) => {
    const count = opened
    const socket = connect({ host: '127.0.0.1', port })
    atEnd(() => void socket.destroy())
    let isClosed = false
    socket
      .on('error', () => {})
      .on('close', () => {
        isClosed = true
      })
    if (bytes !== undefined) socket.write(bytes)
    await eventually('the connection is open', () => opened > count)
    return { socket, isClosed: () => isClosed }
  }
  const logged = () => lines.map((line): unknown => JSON.parse(line).counts)
  return { proxied, accepted, received, noted, clock, dial, logged }
}

test('a connection without its header is closed after the time of headers, whether it is trusted or not', async () => {
  for (const network of ['127.0.0.0/8', '10.0.0.0/8']) {
    const { proxied, accepted, clock, dial } = await listen(network)
    const [silent, begun] = [await dial(), await dial(signature.subarray(0, 5))]
    clock.now = 9_999
    proxied.check()
    const late = await dial()
    clock.now = 10_000
    proxied.check()
    await eventually('both are closed', () => silent.isClosed() && begun.isClosed())
    assert.deepEqual([late.isClosed(), accepted], [false, []], network)
  }
})

test('a connection that was handed over has no time limit here, and names its client', async () => {
  const { proxied, accepted, received, clock, dial } = await listen('127.0.0.0/8')
  const named = Buffer.concat([signature, Buffer.from([0x21, 0x11, 0, 12, 192, 0, 2, 1, 10, 0, 0, 1, 1, 1, 0, 80])])
  const dialled = await dial(Buffer.concat([named, Buffer.from('the rest')]))
  await eventually('its bytes have arrived', () => received.join('') === 'the rest')
  dialled.socket.write(', and more')
  await eventually('its next bytes have arrived', () => received.join('') === 'the rest, and more')
  const [socket] = accepted
  assert.ok(socket)
  assert.equal(namedClient(socket), '192.0.2.1')
  clock.now = 60_000
  proxied.check()
  assert.equal(dialled.isClosed(), false)
})

test('closed connections are logged in sums of ten seconds, those of nobody without a byte not at all', async () => {
  const { proxied, clock, dial, logged } = await listen('127.0.0.0/8')
  const ends: (() => boolean)[] = []
  for (const bytes of [
    'GET / HTTP/1.1',
    'PROXY TCP4',
    Buffer.concat([signature, Buffer.from([0x21, 0, 0xff, 0xff])]),
  ]) {
    ends.push((await dial(bytes)).isClosed)
  }
  const probe = await dial()
  probe.socket.end()
  await eventually('all are closed', () => [...ends, probe.isClosed].every((isClosed) => isClosed()))
  proxied.check()
  assert.deepEqual(logged(), [])
  clock.now = 10_000
  proxied.check()
  assert.deepEqual(logged(), [{ no_header: 2, too_long: 1 }])
  proxied.flush()
  const last = await dial('GET')
  await eventually('it is closed', () => last.isClosed())
  proxied.flush()
  assert.deepEqual(logged(), [{ no_header: 2, too_long: 1 }, { no_header: 1 }])
})

test('an address that sends a header and is not trusted is noted', async () => {
  const { proxied, noted, dial, logged } = await listen('10.0.0.0/8')
  const dialled = await dial(signature)
  await eventually('it is closed', () => dialled.isClosed())
  proxied.flush()
  assert.deepEqual([noted, logged()], [['127.0.0.1'], [{ not_trusted: 1 }]])
})

test('a connection that was reset before it was accepted has no address, and is no problem of anybody', async () => {
  const { proxied, accepted, noted, logged } = await listen('127.0.0.0/8')
  const reset = new Socket()
  proxied.open(reset)
  proxied.flush()
  assert.deepEqual([reset.destroyed, accepted, noted, logged()], [true, [], [], []])
})
