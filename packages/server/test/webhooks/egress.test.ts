import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer as createProxy } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { onTestFinished, test, vi } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { certificate, key } from './certificate.ts'
import { body, openRaw, post, somewhere, using } from './egress-calls.ts'
import { openNameServer } from './name-server.ts'
import { openReceiver } from './receivers.ts'

test('a request carries the headers and the body, and connections are kept', async () => {
  await using receiver = await openReceiver()
  await using({ ...somewhere }, async (egress) => {
    for (let i = 0; i < 3; i++) {
      assert.deepEqual(await post(egress, `${receiver.url}/a?b=c`), { status: 200, retry_after: undefined })
    }
    assert.ok(egress.open() < 3, `${egress.open()} connections`)
  })
  const [message] = receiver.received
  assert.deepEqual([message?.id, message?.body, message?.path], ['evt_1', String(body), '/a?b=c'])
  assert.ok(receiver.open.connections < 3)
})

test('beyond the limit of connections, the longest idle one is closed for a new one', async () => {
  // No connection is closed because it was idle for four seconds of a slow machine.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await using receiver = await openReceiver()
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  await using({ ...somewhere, resolve, connections_max: 3 }, async (egress) => {
    const to = async (name: string) => {
      assert.deepEqual(await post(egress, `http://${name}.example:${receiver.port}/`), {
        status: 200,
        retry_after: undefined,
      })
    }
    for (const name of ['one', 'two', 'three', 'four']) await to(name)
    await eventually('three connections are open', () => {
      assert.equal(egress.open(), 3)
      return true
    })
    assert.equal(receiver.open.connections, 4)
    await to('two')
    assert.equal(receiver.open.connections, 4)
    await to('one')
    assert.equal(receiver.open.connections, 5)
  })
})

test('no connection is made to an address that is not public, however it is written', async () => {
  await using receiver = await openReceiver()
  const hosts = ['127.0.0.1', '127.1', '2130706433', '0x7f.0.0.1', '0177.0.0.1', '[::ffff:127.0.0.1]', '[::1]', '0']
  await using({ is_public_only: true }, async (egress) => {
    for (const host of [...hosts, '10.0.0.1', '169.254.169.254', '[64:ff9b::7f00:1]', '[fe80::1]']) {
      const response = await post(egress, `http://${host}:${receiver.port}/`)
      assert.deepEqual(response, { error: 'address_not_allowed' }, host)
    }
  })
  assert.equal(receiver.open.connections, 0)
})

test('a name is refused if any of its addresses is not public', async () => {
  await using receiver = await openReceiver()
  for (const addresses of [['127.0.0.1'], ['10.0.0.1', '8.8.8.8'], ['8.8.8.8', '127.0.0.1']]) {
    await using names = await openNameServer(() => addresses)
    const { resolve } = names
    await using({ is_public_only: true, resolve }, async (egress) => {
      const response = await post(egress, `http://hooks.example:${receiver.port}/`)
      assert.deepEqual(response, { error: 'address_not_allowed' }, addresses.join())
    })
    assert.deepEqual(names.asked, ['hooks.example'])
  }
  assert.equal(receiver.open.connections, 0)
})

/** The addresses to which sockets of this process connect from now on, until the test ends. */
function connectedAddresses(): string[] {
  const addresses: string[] = []
  const note = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    socket.on('connectionAttempt', (address: string) => addresses.push(address))
  }
  diagnostics.subscribe('net.client.socket', note)
  onTestFinished(() => void diagnostics.unsubscribe('net.client.socket', note))
  return addresses
}

test('a name that changes to a private address after its check reaches nothing', async () => {
  await using receiver = await openReceiver()
  // The first answer passes the check. Whoever asks again to connect gets the address of the receiver.
  await using names = await openNameServer((question) => (question === 0 ? ['192.0.1.1'] : ['127.0.0.1']))
  const { resolve } = names
  await using({ is_public_only: true, resolve }, async (egress) => {
    const addresses = connectedAddresses()
    const response = post(egress, `http://hooks.example:${receiver.port}/`)
    await eventually('a connection is attempted', () => addresses.length > 0)
    assert.deepEqual(addresses, ['192.0.1.1'])
    await egress.close()
    assert.ok('error' in (await response))
    assert.deepEqual(addresses, ['192.0.1.1'])
  })
  assert.deepEqual([names.asked.length, receiver.open.connections], [1, 0])
})

test('each connection asks for the addresses again', async () => {
  await using receiver = await openReceiver()
  await using names = await openNameServer((question) => (question === 0 ? ['127.0.0.1'] : ['127.0.0.2']))
  const { resolve } = names
  await using({ ...somewhere, resolve }, async (egress) => {
    const url = `http://hooks.example:${receiver.port}/`
    receiver.reply = () => (response) => response.writeHead(200, { connection: 'close' }).end()
    assert.deepEqual(await post(egress, url), { status: 200, retry_after: undefined })
    assert.deepEqual(await post(egress, url), { error: 'connection_failed' })
  })
  assert.equal(names.asked.length, 2)
})

test('redirects are not followed', async () => {
  await using inner = await openReceiver()
  await using receiver = await openReceiver()
  await using({ ...somewhere }, async (egress) => {
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.reply = () => (response) => response.writeHead(status, { location: inner.url }).end()
      assert.deepEqual(await post(egress, receiver.url), { status, retry_after: undefined })
    }
  })
  assert.equal(inner.received.length, 0)
})

test('certificates are verified', async () => {
  await using receiver = await openReceiver({ key, cert: certificate }, '127.0.0.2')
  await using({ ...somewhere }, async (egress) => {
    assert.deepEqual(await post(egress, receiver.url), { error: 'tls_failed' })
  })
  const ca = [certificate]
  await using names = await openNameServer(() => ['127.0.0.2'])
  await using({ ...somewhere, ca, resolve: names.resolve }, async (egress) => {
    assert.deepEqual(await post(egress, receiver.url), { status: 200, retry_after: undefined })
    const named = (name: string) => post(egress, `https://${name}:${receiver.port}/`)
    assert.deepEqual(await named('hooks.example'), { status: 200, retry_after: undefined })
    assert.deepEqual(await named('other.example'), { error: 'tls_failed' })
    // An address of its own: at 127.0.0.1 another test may have the same port.
    assert.deepEqual(await post(egress, `https://127.0.87.1:${receiver.port}/`), { error: 'connection_failed' })
  })
  assert.equal(receiver.received.length, 2)
})

test('a receiver that breaks off or sends no HTTP is an error', async () => {
  await using noise = await openRaw((socket) => void socket.write('hello\r\n\r\n'))
  await using closing = await openRaw((socket) => socket.destroy())
  await using boasting = await openRaw((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`)
  })
  await using({ ...somewhere }, async (egress) => {
    assert.deepEqual(await post(egress, noise.url), { error: 'invalid_answer' })
    assert.deepEqual(await post(egress, closing.url), { error: 'connection_failed' })
    assert.deepEqual(await post(egress, boasting.url), { error: 'invalid_answer' })
    assert.deepEqual(await post(egress, 'http://127.0.0.1:1/'), { error: 'connection_failed' })
  })
  await using names = await openNameServer(() => [])
  await using({ ...somewhere, resolve: names.resolve }, async (egress) => {
    assert.deepEqual(await post(egress, 'http://hooks.example/'), { error: 'dns_failed' })
  })
})

test('at most 64 KiB of an answer are read, and its status counts', async () => {
  let sent = 0
  const chunk = 'y'.repeat(16_384)
  await using endless = await openRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    const more = () => {
      while (!socket.destroyed) {
        sent += chunk.length
        if (!socket.write(`4000\r\n${chunk}\r\n`)) return
      }
    }
    socket.on('drain', more)
    socket.once('data', more)
  })
  await using large = await openReceiver()
  large.reply = () => (response) => response.end('z'.repeat(5_000_000))
  await using({ ...somewhere }, async (egress) => {
    for (const { url } of [endless, large]) {
      assert.deepEqual(await post(egress, url), { status: 200, retry_after: undefined })
    }
    await eventually('both connections are closed', () => {
      assert.equal(egress.open(), 0)
      return true
    })
  })
  // What the buffers of both sockets hold.
  assert.ok(sent < 16 * 2 ** 20, `${sent} bytes`)
})

test('with a proxy every connection goes through it, and it decides about addresses', async () => {
  await using receiver = await openReceiver({ key, cert: certificate }, '127.0.0.2')
  await using plain = await openReceiver()
  const asked: string[] = []
  const proxy = createProxy().on('connect', (request, socket: Socket) => {
    asked.push(request.url ?? '')
    const [host = '', port = ''] = (request.url ?? '').split(':')
    if (host === 'forbidden.example') return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const far = connect(Number(port), host === 'hooks.example' ? '127.0.0.2' : host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      far.pipe(socket).pipe(far)
    })
    for (const one of [far, socket]) one.on('error', () => {})
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  await using({ is_public_only: true, proxy: url, ca: [certificate] }, async (egress) => {
    const ok = { status: 200, retry_after: undefined }
    assert.deepEqual(await post(egress, `https://hooks.example:${receiver.port}/`), ok)
    assert.deepEqual(await post(egress, plain.url), ok)
    assert.ok('error' in (await post(egress, 'https://forbidden.example/')))
  })
  proxy.closeAllConnections()
  proxy.close()
  assert.deepEqual(asked, [`hooks.example:${receiver.port}`, `127.0.0.1:${plain.port}`, 'forbidden.example:443'])
})
