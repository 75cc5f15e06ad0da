/** A balancer that speaks the PROXY protocol in front of a server: bytes on TCP connections, as it sends them. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { eventually } from '../../../../test/eventually.ts'
import { openLog } from '../../src/core/base/log.ts'
import { type Network, parseNetwork } from '../../src/core/base/networks.rules.ts'
import { signature } from '../../src/core/proxies/proxy-protocol.rules.ts'
import { startTestServer } from '../support/server.ts'

const here = parseNetwork('127.0.0.1/32') as Network
const elsewhere = parseNetwork('192.0.2.0/24') as Network

const lines: string[] = []
const log = openLog('warn', { write: (line) => void lines.push(line) })
const behind = await startTestServer({ trusted_proxies: [here], proxy_header: 'proxy-protocol', log })
const open = await startTestServer({ trusted_proxies: [elsewhere], proxy_header: 'proxy-protocol', log })

/** A header from a client at 203.0.113.`last`, or from the balancer itself. */
function header(last: number | 'local', extension = Buffer.alloc(0)): Buffer {
  const addresses =
    last === 'local' ? Buffer.alloc(0) : Buffer.from([203, 0, 113, last, 10, 0, 0, 1, 0x13, 0x88, 0, 80])
  const rest = Buffer.concat([addresses, extension])
  const fields = last === 'local' ? [0x20, 0x00] : [0x21, 0x11]
  return Buffer.concat([signature, Buffer.from([...fields, rest.length >> 8, rest.length & 255]), rest])
}

/** What a connection received, and whether the server has closed it. */
type Dialled = {
  readonly socket: Socket
  readonly statuses: () => string[]
  readonly text: () => string
  isClosed: boolean
}

function dial({ url }: { readonly url: string }): Dialled {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), noDelay: true })
  atEnd(() => socket.destroy())
  let text = ''
  const dialled: Dialled = {
    socket,
    text: () => text,
    statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status),
    isClosed: false,
  }
  const close = () => {
    dialled.isClosed = true
  }
  socket.on('data', (piece) => {
    text += piece.toString('latin1')
  })
  // A reset counts as a close.
  socket.on('error', close).on('close', close)
  return dialled
}

const get = (path: string, token?: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: market.example\r\n${token ? `Authorization: Bearer ${token}\r\n` : ''}${more}\r\n`

const answered = (dialled: Dialled, expected: readonly string[]) =>
  eventually(`the responses are ${expected.join(', ') || 'none'}`, () => {
    assert.deepEqual(dialled.statuses(), expected)
    return true
  })

const closed = async (dialled: Dialled) => {
  await eventually('the server has closed the connection', () => dialled.isClosed)
  assert.equal(dialled.text(), '')
}

/** The tokens of an account whose requests come from the balancer of `behind`. */
async function makeTokens() {
  const { inside, platform_token } = behind
  assert.ok(inside)
  const ask = async (request: string, token: string, body: object) => {
    const dialled = dial(behind)
    const json = JSON.stringify(body)
    dialled.socket.write(header(1))
    const head = `Content-Type: application/json\r\nContent-Length: ${json.length}\r\n`
    dialled.socket.write(`${get('', token, head).replace('GET ', request)}${json}`)
    await answered(dialled, ['201'])
    const [, text = ''] = dialled.text().split('\r\n\r\n')
    return JSON.parse(text) as { id: string; token: string }
  }
  const admin = await ask('POST /preview/v2/admin/accounts', platform_token, { id: 'proxied', trust_level: 'trusted' })
  const body = { roles: ['role_admin'], name: 'office', allowed_cidrs: ['203.0.113.8/32'] }
  return { admin: admin.token, office: (await ask('POST /preview/v2/tokens', admin.token, body)).token }
}

test('the client that the header names counts for every request of its connection', async () => {
  const { office } = await makeTokens()
  const account = get('/preview/v2/account', office)
  const inside = dial(behind)
  inside.socket.write(Buffer.concat([header(8, Buffer.from([4, 0, 2, 1, 1])), Buffer.from(account)]))
  await answered(inside, ['200'])
  inside.socket.write(account + account)
  await answered(inside, ['200', '200', '200'])
  const outside = dial(behind)
  outside.socket.write(Buffer.concat([header(9), Buffer.from(account)]))
  await answered(outside, ['403'])
  outside.socket.write(
    get('/preview/v2/account', office, 'X-Forwarded-For: 203.0.113.8\r\nForwarded: for=203.0.113.8\r\n'),
  )
  await answered(outside, ['403', '403'])
  const itself = dial(behind)
  itself.socket.write(Buffer.concat([header('local'), Buffer.from(account)]))
  await answered(itself, ['403'])
})

test('a header and its request may arrive in any pieces', async () => {
  const bytes = Buffer.concat([header(8, Buffer.from([4, 0, 2, 1, 1])), Buffer.from(get('/healthz'))])
  for (const size of [1, 5, 12, 16, 28, 33, 40]) {
    const dialled = dial(behind)
    for (let at = 0; at < bytes.length; at += size) {
      await new Promise((resolve) => dialled.socket.write(bytes.subarray(at, at + size), resolve))
    }
    await answered(dialled, ['200'])
  }
})

test('a client that ends its half after the request gets its response', async () => {
  const dialled = dial(behind)
  dialled.socket.end(Buffer.concat([header(8), Buffer.from(get('/healthz'))]))
  await answered(dialled, ['200'])
  await eventually('the server has closed the connection', () => dialled.isClosed)
})

test('a large body behind the header arrives whole', async () => {
  const dialled = dial(behind)
  const body = Buffer.alloc(200_000, ' ')
  const head = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  const request = get('', behind.platform_token, head).replace('GET ', 'POST /preview/v2/webhooks')
  dialled.socket.write(Buffer.concat([header(8), Buffer.from(request), body]))
  await answered(dialled, ['413'])
})

test('what is no HTTP behind a header gets the refusal of the parser', async () => {
  const dialled = dial(behind)
  dialled.socket.write(Buffer.concat([header(8), Buffer.from('no http\r\n\r\n')]))
  await answered(dialled, ['400'])
})

test('a trusted proxy is cut off without a header, or with another one', async () => {
  const wrong: readonly (string | Buffer)[] = [
    get('/healthz'),
    'PROXY TCP4 203.0.113.8 10.0.0.1 5000 80\r\n',
    Buffer.concat([signature, Buffer.from([0x31, 0x11, 0, 0])]),
    Buffer.concat([signature, Buffer.from([0x21, 0x11, 0xff, 0xff])]),
  ]
  for (const bytes of wrong) {
    const dialled = dial(behind)
    dialled.socket.write(bytes)
    await closed(dialled)
  }
  const ended = dial(behind)
  ended.socket.end(header(8).subarray(0, 20))
  await closed(ended)
  const silent = dial(behind)
  silent.socket.end()
  await closed(silent)
})

test('any other address speaks for itself, and may not send a header', async () => {
  const plain = dial(open)
  plain.socket.write(get('/healthz') + get('/healthz', undefined, 'X-Forwarded-For: 203.0.113.8\r\n'))
  await answered(plain, ['200', '200'])
  const slow = dial(open)
  slow.socket.write('\r\n')
  slow.socket.write(get('/healthz'))
  await answered(slow, ['200'])
  const forged = dial(open)
  forged.socket.write(Buffer.concat([header(8), Buffer.from(get('/healthz'))]))
  await closed(forged)
})

test('a server that stops waits for no header', async () => {
  const stopping = await startTestServer({ trusted_proxies: [here], proxy_header: 'proxy-protocol', log })
  const [silent, begun] = [dial(stopping), dial(stopping)]
  begun.socket.write(signature)
  await eventually('both are connected', () => !silent.socket.connecting && begun.socket.bytesWritten > 0)
  await stopping[Symbol.asyncDispose]()
  await closed(silent)
  await closed(begun)
})

test('metrics at a port of their own are read without a header, also from the address of the proxy', async () => {
  const { inside } = await startTestServer({
    trusted_proxies: [here],
    proxy_header: 'proxy-protocol',
    metrics_port: 0,
    log,
  })
  const { metrics_url } = inside ?? {}
  assert.ok(metrics_url)
  assert.equal((await fetch(metrics_url)).status, 200)
})
