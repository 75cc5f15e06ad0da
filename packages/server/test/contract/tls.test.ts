/** A server that terminates TLS itself, and its clients: connections that stay, and new ones after a renewal. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, type RequestOptions, request } from 'node:https'
import { connect as connectPlain, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect, type SecureVersion, type TLSSocket } from 'node:tls'
import { test } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { eventually } from '../../../../test/eventually.ts'
import { openLog } from '../../src/core/base/log.ts'
import { type Network, parseNetwork } from '../../src/core/base/networks.rules.ts'
import { signature } from '../../src/core/proxies/proxy-protocol.rules.ts'
import { openCertificates } from '../../src/core/tls/certificates.ts'
import { authority, certificate, key, renewedCertificate, renewedKey } from '../support/certificates.ts'
import { openTestServer, startTestServer } from '../support/server.ts'

const directory = mkdtempSync(join(tmpdir(), 'bourse-tls-server-'))
atEnd(() => rmSync(directory, { recursive: true }))
const files = { certificate: join(directory, 'tls.crt'), key: join(directory, 'tls.key') }
const lines: string[] = []
const log = openLog('info', { write: (line) => void lines.push(line) })

function renew(texts: { certificate: string; key: string }): void {
  writeFileSync(files.certificate, texts.certificate)
  writeFileSync(files.key, texts.key, { mode: 0o600 })
}

renew({ certificate, key })
const certificates = await openCertificates(files, { log })
atEnd(certificates.stop)
const server = await startTestServer({ certificates, log })
const { port } = new URL(server.url)

type SecureRequest = { readonly path: string; readonly token?: string } & RequestOptions

/** Sends a request that trusts the authority. Returns the status, the body and the serial number of the certificate. */
async function ask({ path, token, ...options }: SecureRequest, body?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const sent = request({ port, host: 'localhost', path, ca: authority, headers, ...options }).end(body)
  const [response] = await once(sent, 'response')
  const { serialNumber } = (response.socket as TLSSocket).getPeerCertificate()
  return { status: response.statusCode as number, serial: serialNumber, body: await text(response) }
}

test('the API is served by https, to clients that trust the authority, with TLS 1.2 or newer', async () => {
  assert.match(server.url, /^https:\/\/127\.0\.0\.1:\d+$/)
  const { platform_token: token } = server
  const { status, body } = await ask({ path: '/preview/v2/account', token })
  assert.deepEqual([status, JSON.parse(body).id], [200, 'bourse'])
  await assert.rejects(ask({ path: '/healthz', ca: [] }), { code: /UNABLE|SELF_SIGNED/ } as object)
  const version = async (maxVersion: SecureVersion, minVersion = maxVersion) => {
    const options = { ca: authority, servername: 'localhost', minVersion, maxVersion, ciphers: 'DEFAULT@SECLEVEL=0' }
    const socket = connect({ host: '127.0.0.1', port: Number(port), ...options })
    atEnd(() => void socket.destroy())
    await once(socket, 'secureConnect')
    return socket.getProtocol()
  }
  assert.equal(await version('TLSv1.2'), 'TLSv1.2')
  assert.equal(await version('TLSv1.3'), 'TLSv1.3')
  await assert.rejects(version('TLSv1.1'), /alert|version/)
})

test('a request without encryption, and bytes that are no handshake, close their connection', async () => {
  const dial = async (bytes: string) => {
    const socket = connectPlain({ host: '127.0.0.1', port: Number(port) })
    atEnd(() => void socket.destroy())
    let received = ''
    socket.on('data', (piece) => {
      received += piece.toString('latin1')
    })
    socket.on('error', () => {})
    socket.write(bytes)
    await once(socket, 'close')
    return received
  }
  for (const bytes of ['GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n', '\x16\x03\x01\x00\x05nope!']) {
    assert.doesNotMatch(await dial(bytes), /HTTP/)
  }
  assert.equal((await ask({ path: '/healthz' })).status, 200)
})

test('a renewed certificate is that of new connections, and open ones go on with their streams', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  atEnd(() => agent.destroy())
  const before = await ask({ path: '/healthz', agent })
  const json = { authorization: `Bearer ${server.platform_token}`, 'content-type': 'application/json' }
  const accounts = '/preview/v2/admin/accounts'
  const made = await ask({ path: accounts, method: 'POST', headers: json }, '{"id":"streams","trust_level":"basic"}')
  assert.equal(made.status, 201, made.body)
  const headers = { authorization: `Bearer ${JSON.parse(made.body).token}`, accept: 'text/event-stream' }
  const opened = request({ port, host: 'localhost', path: '/preview/v2/events', ca: authority, headers }).end()
  const [stream] = await once(opened, 'response')
  assert.equal(stream.statusCode, 200)
  let events = ''
  stream.on('data', (piece: Buffer) => {
    events += piece
  })
  renew({ certificate: renewedCertificate, key: renewedKey })
  await certificates.look()
  const after = await ask({ path: '/healthz' })
  assert.notEqual(after.serial, before.serial)
  assert.equal((await ask({ path: '/healthz', agent })).serial, before.serial)
  const changed = { path: `${accounts}/streams/trust_level`, method: 'PUT', headers: json }
  assert.equal((await ask(changed, '{"trust_level":"trusted"}')).status, 200)
  await eventually('the stream has its event', () => events.includes('trust_level.updated'))
  stream.destroy()
})

test('a pair that is not taken shows in the metrics, with the end of the one in use', async () => {
  const page = async () => {
    const { body } = await ask({ path: '/metrics' })
    const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1])
    return [
      value('bourse_tls_certificate_rejected'),
      value('bourse_tls_certificate_expires_timestamp_seconds') - certificates.current().expires_at,
    ]
  }
  assert.deepEqual(await page(), [0, 0])
  writeFileSync(files.key, 'none')
  for (let look = 0; look < 2; look++) await certificates.look()
  assert.deepEqual(await page(), [1, 0])
  assert.equal((await ask({ path: '/healthz' })).status, 200)
  renew({ certificate, key })
  await certificates.look()
  assert.deepEqual(await page(), [0, 0])
})

test('behind the PROXY protocol the handshake follows the header, which names the client', async () => {
  const here = parseNetwork('127.0.0.1/32') as Network
  const behind = await startTestServer({ certificates, trusted_proxies: [here], proxy_header: 'proxy-protocol' })
  const from = (last: number) =>
    Buffer.concat([signature, Buffer.from([0x21, 0x11, 0, 12, 203, 0, 113, last, 10, 0, 0, 1, 0x13, 0x88, 0, 80])])
  const openBehind = async (last: number, isTogether: boolean) => {
    const plain = connectPlain({ host: '127.0.0.1', port: Number(new URL(behind.url).port), noDelay: true })
    atEnd(() => void plain.destroy())
    await once(plain, 'connect')
    // A balancer may send its header apart from the first bytes of the client, or with them.
    if (isTogether) plain.cork()
    plain.write(from(last))
    const secure = connect({ socket: plain, ca: authority, servername: 'localhost' })
    if (isTogether) plain.uncork()
    await once(secure, 'secureConnect')
    return secure
  }
  const askBehind = (socket: Socket, asked: SecureRequest, body?: string) =>
    ask({ ...asked, createConnection: () => socket } as SecureRequest, body)
  const body = JSON.stringify({ roles: ['role_admin'], name: 'office', allowed_cidrs: ['203.0.113.8/32'] })
  const headers = { authorization: `Bearer ${behind.platform_token}`, 'content-type': 'application/json' }
  const made = await askBehind(
    await openBehind(8, false),
    { path: '/preview/v2/tokens', method: 'POST', headers },
    body,
  )
  assert.equal(made.status, 201, made.body)
  const { token } = JSON.parse(made.body)
  for (const [last, isTogether, status] of [
    [8, true, 200],
    [8, false, 200],
    [9, true, 403],
  ] as const) {
    const { status: got } = await askBehind(await openBehind(last, isTogether), { path: '/preview/v2/account', token })
    assert.equal(got, status)
  }
})

test('failed handshakes are one line of the log, and a stop breaks off those that do not end', async () => {
  const own = await openTestServer({ certificates, log })
  lines.length = 0
  const [silent, plain] = [0, 1].map(() => connectPlain({ host: '127.0.0.1', port: Number(new URL(own.url).port) }))
  assert.ok(silent && plain)
  for (const socket of [silent, plain]) {
    atEnd(() => void socket.destroy())
    socket.on('error', () => {}).resume()
    await once(socket, 'connect')
  }
  const ended = [silent, plain].map((socket) => once(socket, 'close'))
  plain.write('GET / HTTP/1.1\r\n\r\n')
  await ended[1]
  // The first bytes of a handshake.
  silent.write(Buffer.from([0x16, 0x03, 0x01, 0x01, 0x00]))
  await own[Symbol.asyncDispose]()
  await ended[0]
  const [line] = lines.filter((one) => one.includes('TLS handshakes failed'))
  assert.deepEqual(JSON.parse(line ?? '{}').counts, { ERR_SSL_HTTP_REQUEST: 1 })
})
