import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import pg from 'pg'
import { afterAll, test } from 'vitest'
import { parseDatabaseUrl } from './database-target.ts'
import { tlsOptions } from './database-tls.ts'

// A certificate of 127.0.0.2 that signs itself, and its key. They belong to nothing.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgXoEv2BAoXHPNsSpR
t1LJ6QJdhdY9q5uo5rfTjTCjziqhRANCAAQ7g/4SXWxhC/8RpsEIBe55DzzHlJHm
tXAqTlWEOB5EANYpvJQ1/iFuoq6bLfEB5Av4FmT/iyQITgcG1kK44Z7X
-----END PRIVATE KEY-----`
const certificate = `-----BEGIN CERTIFICATE-----
MIIBjTCCATSgAwIBAgIUKX2HvbmAqmA2Q838FJf1qOpbIQYwCgYIKoZIzj0EAwIw
EzERMA8GA1UEAwwIZGF0YWJhc2UwIBcNMjYxMTIyMjIyNTE1WhgPMjEyNjEwMjky
MjI1MTVaMBMxETAPBgNVBAMMCGRhdGFiYXNlMFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAEO4P+El1sYQv/EabBCAXueQ88x5SR5rVwKk5VhDgeRADWKbyUNf4hbqKu
my3xAeQL+BZk/4skCE4HBtZCuOGe16NkMGIwHQYDVR0OBBYEFJY+8OqFN6MQM7Yw
+Yy3XM5tUudzMB8GA1UdIwQYMBaAFJY+8OqFN6MQM7Yw+Yy3XM5tUudzMA8GA1Ud
EwEB/wQFMAMBAf8wDwYDVR0RBAgwBocEfwAAAjAKBggqhkjOPQQDAgNHADBEAiB0
qbU5XSBHFypcamFPeLiPWpSNaqITdjSflYpdQHa8MQIgdf23X2UmA1go4Hw5NeRh
lkDlh/lKEQ8ko7xxkhPKu2k=
-----END CERTIFICATE-----`

const directory = mkdtempSync(join(tmpdir(), 'bourse-tls-'))
afterAll(() => rmSync(directory, { recursive: true }))
const sslrootcert = join(directory, 'root.crt')
writeFileSync(sslrootcert, certificate)

/** Accepts TLS connections as PostgreSQL does. Records what arrives through them, and what arrives without. */
async function listenAsDatabase(host: string) {
  const arrived = { encrypted: '', plain: '' }
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (request: Buffer) => {
      // The request for encryption has no user in it.
      if (request.length !== 8) arrived.plain += request.toString('latin1')
      if (request.length !== 8) return void socket.destroy()
      socket.write('S')
      const inner = new TLSSocket(socket, { isServer: true, key, cert: certificate })
      inner.on('error', () => {})
      inner.on('data', (piece: Buffer) => {
        arrived.encrypted += piece.toString('latin1')
        inner.destroy()
      })
    })
  }).listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { arrived, port, close: () => server.close() }
}

/** Connects by a URL. Returns the error, and what the server received. */
async function connectBy(host: string, parameters: string) {
  const server = await listenAsDatabase(host)
  const client = new pg.Client(parseDatabaseUrl(`postgres://ann:pw@${host}:${server.port}/shop?${parameters}`))
  client.on('error', () => {})
  const error = await client.connect().then(
    () => undefined,
    (thrown: Error) => thrown,
  )
  server.close()
  return { code: (error as { code?: string }).code, ...server.arrived }
}

test('without sslmode only this machine is reached without verified encryption', () => {
  const none = { sslmode: undefined, sslrootcert: undefined }
  for (const host of ['/run/pg', 'localhost', '127.0.0.1', '::1']) assert.equal(tlsOptions(host, none), undefined, host)
  for (const host of ['db', 'db.example', '10.0.0.1', 'fd00::1', '0.0.0.0', 'localhost.example']) {
    assert.deepEqual(tlsOptions(host, none), { rejectUnauthorized: true }, host)
  }
  const trusted = { rejectUnauthorized: true, ca: certificate }
  assert.deepEqual(tlsOptions('localhost', { ...none, sslrootcert }), trusted)
})

test('sslmode selects encryption and verification of the server', () => {
  const options = (sslmode: string, sslrootcert?: string) => tlsOptions('db', { sslmode, sslrootcert })
  assert.equal(options('disable'), undefined)
  assert.deepEqual(options('no-verify'), { rejectUnauthorized: false })
  assert.deepEqual(options('verify-full'), { rejectUnauthorized: true })
  assert.deepEqual(options('verify-full', sslrootcert), { rejectUnauthorized: true, ca: certificate })
  const lenient = options('verify-ca')
  assert.equal(lenient?.rejectUnauthorized, true)
  assert.ok(lenient?.checkServerIdentity)
  assert.throws(() => tlsOptions('localhost', { sslmode: 'require', sslrootcert: undefined }), /without verifying/)
})

test('the driver sends nothing to a server with the certificate of another host or authority', async () => {
  const trusted = await connectBy('127.0.0.2', `sslmode=verify-full&sslrootcert=${sslrootcert}`)
  assert.match(trusted.encrypted, /ann/)
  const elsewhere = await connectBy('127.0.0.3', `sslmode=verify-full&sslrootcert=${sslrootcert}`)
  assert.deepEqual(elsewhere, { code: 'ERR_TLS_CERT_ALTNAME_INVALID', encrypted: '', plain: '' })
  const unknown = await connectBy('127.0.0.2', 'sslmode=verify-full')
  assert.deepEqual(unknown, { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', encrypted: '', plain: '' })
})

test('weaker modes skip only what their names say', async () => {
  const anyName = await connectBy('127.0.0.3', `sslmode=verify-ca&sslrootcert=${sslrootcert}`)
  assert.match(anyName.encrypted, /ann/)
  assert.match((await connectBy('127.0.0.3', 'sslmode=no-verify')).encrypted, /ann/)
  const plain = await connectBy('127.0.0.3', 'sslmode=disable')
  assert.deepEqual([plain.encrypted, plain.plain.includes('ann')], ['', true])
})
