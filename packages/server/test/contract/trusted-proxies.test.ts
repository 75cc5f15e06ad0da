import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { openLog } from '../../src/core/base/log.ts'
import { type Network, parseNetwork } from '../../src/core/base/networks.rules.ts'
import { createCryptoRandom } from '../../src/core/base/random.ts'
import { openDatabase } from '../../src/core/db/db.ts'
import { makeKeys } from '../../src/core/keys/key-files.ts'
import { loadKeys } from '../../src/core/keys/keys.ts'
import { listUnnamedProxies } from '../../src/process/unnamed-proxies.store.ts'
import { startServer } from '../../src/server.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestServer } from '../support/server.ts'

const proxy = parseNetwork('127.0.0.1/32') as Network

test('behind a trusted proxy the address that it names counts, for tokens, the trail and buckets', async () => {
  const behind = await startTestServer({ trusted_proxies: [proxy], rate_multiplier: 1 })
  const admin = await behind.account()
  const at = (address: string) => ({ 'x-forwarded-for': `198.51.100.7, ${address}` })
  const body = { roles: ['role_admin'], name: 'office', allowed_cidrs: ['203.0.113.0/24'] }
  const { id, token } = await behind.call('create_token', { token: admin.token, body, headers: at('203.0.113.8') })
  const read = (address: string, by = token) => behind.attempt('get_account', { token: by, headers: at(address) })
  assert.deepEqual([(await read('203.0.113.9')).status, (await read('192.0.2.9')).status], [200, 403])
  const entries = await behind.call('list_audit_entries', { query: { target: id }, token: admin.token })
  assert.deepEqual(
    entries.data.map((entry) => entry.address),
    ['203.0.113.8'],
  )
  // Ten refusals empty the bucket of one address, and of no other. While they are sent, it is refilled.
  const wrong = async (address: string) => (await read(address, 'nonsense')).headers.get('retry-after')
  const responses = await Promise.all(Array.from({ length: 40 }, () => wrong('192.0.2.77')))
  const drawn = responses.filter((retryAfter) => retryAfter === null).length
  assert.ok(drawn >= 10 && drawn < 40, `${drawn} of 40`)
  assert.equal(await wrong('192.0.2.78'), null)
})

test('Forwarded counts in place of X-Forwarded-For where it is set, and nothing else does', async () => {
  const behind = await startTestServer({ trusted_proxies: [proxy], proxy_header: 'forwarded' })
  const admin = await behind.account()
  const body = { roles: ['role_admin'], name: 'office', allowed_cidrs: ['203.0.113.0/24', '2001:db8:2::/48'] }
  const token = (await behind.call('create_token', { token: admin.token, body })).token
  const read = async (headers: Record<string, string>) =>
    (await behind.attempt('get_account', { token, headers })).status
  assert.equal(await read({ forwarded: 'for=198.51.100.7, for="203.0.113.9:80";proto=https' }), 200)
  assert.equal(await read({ forwarded: 'for=203.0.113.9, for="[2001:db8:2::9]"' }), 200)
  assert.equal(await read({ forwarded: 'for=203.0.113.9, for=192.0.2.9' }), 403)
  assert.equal(await read({ forwarded: 'for=203.0.113.9, for=unknown' }), 403)
  assert.equal(await read({ 'x-forwarded-for': '203.0.113.9' }), 403)
  // A proxy may append a header of its own to that of its client.
  const { port } = new URL(behind.url)
  const repeated = ['for="203.0.113.9', 'for=203.0.113.9'].flatMap((value) => ['Forwarded', value])
  const headers = ['Host', 'market.example', 'Authorization', `Bearer ${token}`, ...repeated]
  const [response] = await once(request({ port, path: '/preview/v2/account', headers }).end(), 'response')
  assert.equal(response.resume().statusCode, 200)
})

/**
 * The peers that a production server logs as proxies which nobody named, after requests with these headers. The doctor
 * reads the same ones, until somebody names them.
 */
async function notedPeers(trusted_proxies: readonly Network[], all: readonly (string | undefined)[]) {
  await using database = await createTestDatabase()
  const lines: string[] = []
  await using server = await startServer({
    mode: 'production',
    trusted_proxies,
    target: database.target,
    keys: loadKeys(makeKeys('operator', createCryptoRandom())),
    log: openLog('warn', { write: (line) => void lines.push(line) }),
    host: '127.0.0.1',
    port: 0,
    public_url: 'https://market.example',
    schema_version: 0,
    requires_safe_database: false,
  })
  for (const forwarded of all) {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    assert.equal((await fetch(`${server.url}/healthz`, { headers })).status, 200)
  }
  const logged = lines.filter((line) => line.includes('BOURSE_TRUSTED_PROXIES'))
  const peers = logged.map((line): string => JSON.parse(line).address)
  await using reading = openDatabase(database.target, { connections_max: 1 })
  await eventually('the doctor finds the same', async () => {
    const unnamed = await listUnnamedProxies(reading.reader, trusted_proxies)
    assert.deepEqual(
      unnamed.map(({ address }) => address),
      peers,
    )
    return true
  })
  assert.deepEqual(await listUnnamedProxies(reading.reader, [proxy]), [])
  return peers
}

test('production logs once that the header of a proxy which nobody named does not count', async () => {
  assert.deepEqual(await notedPeers([], [undefined]), [])
  assert.deepEqual(await notedPeers([], [undefined, '192.0.2.1', '192.0.2.2']), ['127.0.0.1'])
})

test('a trusted proxy that names no address is not taken for one which nobody named', async () => {
  assert.deepEqual(await notedPeers([proxy], ['unknown', '127.0.0.1', '']), [])
})
