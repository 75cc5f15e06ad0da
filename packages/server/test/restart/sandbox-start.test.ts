import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { openLog } from '../../src/core/base/log.ts'
import { createCryptoRandom } from '../../src/core/base/random.ts'
import type { DatabaseTarget } from '../../src/core/db/database-target.ts'
import { statement } from '../../src/core/db/db.ts'
import { makeKeys } from '../../src/core/keys/key-files.ts'
import { loadKeys } from '../../src/core/keys/keys.ts'
import { createFirstPlatformToken, ensurePlatform } from '../../src/iam/accounts/bootstrap.service.ts'
import { ensureSandbox } from '../../src/sandbox/scenarios/bootstrap.service.ts'
import { startServer } from '../../src/server.ts'
import { createTestDatabase } from '../support/database.ts'
import { openFaultProxy } from '../support/fault-proxy.ts'

const made = makeKeys('sandbox', createCryptoRandom())

function start(target: DatabaseTarget, log = openLog('error')) {
  // The schema version is only needed for readiness, which these tests do not check.
  const place = { target, host: '127.0.0.1', port: 0, schema_version: 0 }
  const options = { mode: 'sandbox' as const, keys: loadKeys(made), log, check_responses: true }
  return startServer({ ...options, ...place, requires_safe_database: false })
}

async function listNames(url: string, token: string, path: string): Promise<string[]> {
  const response = await fetch(`${url}${path}?limit=200`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(response.status, 200)
  const { data } = (await response.json()) as { data: { name: string }[] }
  return data.map(({ name }) => name).sort()
}

test('a restarted sandbox has its world, its tokens and all later changes', async () => {
  await using database = await createTestDatabase()
  const tokens: string[] = []
  for (const round of [1, 2]) {
    await using server = await start(database.target)
    const { token, platform_token, examples } = await ensureSandbox(server.runtime, 'bourse')
    tokens.push(`${token} ${platform_token}`)
    assert.deepEqual(Object.keys(examples), ['firewall', 'deployment', 'instance', 'image'])
    const firewalls = await listNames(server.url, token, '/preview/v2/firewalls')
    assert.equal(firewalls.includes('spare'), round === 1)
    const headers = { authorization: `Bearer ${token}` }
    const deleted = await fetch(`${server.url}/preview/v2/firewalls/${examples.firewall}`, {
      method: 'DELETE',
      headers,
    })
    assert.equal(deleted.status, round === 1 ? 204 : 404)
  }
  assert.equal(tokens[0], tokens[1])
})

test('a world whose loading was interrupted is loaded again completely', async () => {
  await using database = await createTestDatabase()
  let whole: string[] = []
  for (const round of [1, 2]) {
    await using server = await start(database.target)
    const { token } = await ensureSandbox(server.runtime, 'bourse')
    const instances = await listNames(server.url, token, '/v2/instances')
    if (round === 1) whole = instances
    assert.deepEqual(instances, whole)
    // The state after a kill during loading: the world is partly there, and not marked as complete.
    await server.runtime.database.asOwner(async (db) => {
      await db.run(statement(null, 'delete from sandbox_world'))
      await db.run(
        statement(null, 'update deployments set deleted_at = 1 where id in (select min(id) from deployments)'),
      )
    })
  }
})

test('a first start survives a short outage of its database', async () => {
  await using database = await createTestDatabase()
  await using proxy = await openFaultProxy(database.target)
  let commits = 0
  proxy.judge = () => {
    commits += 1
    if (commits === 40) void proxy.turn('refused')
    return 'passes'
  }
  const notified: string[] = []
  const write = (line: string) => {
    if (!line.includes('Loading it again')) return
    notified.push(line)
    void proxy.turn('fair')
  }
  await using server = await start(proxy.target, openLog('warn', { write }))
  const { token } = await ensureSandbox(server.runtime, 'bourse')
  assert.equal(notified.length, 1)
  assert.ok((await listNames(server.url, token, '/v2/instances')).length > 0)
})

test('a seed account cannot be the platform account', async () => {
  await using database = await createTestDatabase()
  await using server = await start(database.target)
  await assert.rejects(ensureSandbox(server.runtime, 'acme'), /BOURSE_PLATFORM_ACCOUNT/)
})

test('replicas that start at once on a fresh database share one world', async () => {
  await using database = await createTestDatabase()
  await using one = await start(database.target)
  await using two = await start(database.target)
  const [a, b] = await Promise.all([one, two].map(({ runtime }) => ensureSandbox(runtime, 'bourse')))
  assert.deepEqual(a, b)
  const read = ({ url }: { url: string }) => listNames(url, a?.token as string, '/v2/instances')
  assert.deepEqual(await read(one), await read(two))
})

test('production has no sandbox control', async () => {
  await using database = await createTestDatabase()
  const keys = loadKeys(makeKeys('operator', createCryptoRandom()))
  const place = { target: database.target, host: '127.0.0.1', port: 0, schema_version: 0 }
  const public_url = 'https://bourse.example'
  const options = { mode: 'production' as const, keys, public_url, log: openLog('error') }
  await using server = await startServer({ ...options, ...place, requires_safe_database: false })
  await ensurePlatform(server.runtime, 'bourse')
  const headers = { authorization: `Bearer ${await createFirstPlatformToken(server.runtime, 'bourse')}` }
  assert.equal((await fetch(`${server.url}/preview/v2/account`, { headers })).status, 200)
  for (const [method, path] of [
    ['GET', '/sandbox/clock'],
    ['POST', '/sandbox/reset'],
    ['GET', '/sandbox/faults'],
  ]) {
    const response = await fetch(server.url + path, { method: method as string, headers })
    assert.equal(response.status, 404)
  }
})

test('a fault created on one replica is soon active on the other', async () => {
  await using database = await createTestDatabase()
  await using one = await start(database.target)
  await using two = await start(database.target)
  const { token } = await ensureSandbox(one.runtime, 'bourse', 'empty')
  await ensureSandbox(two.runtime, 'bourse', 'empty')
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ kind: 'http_error', status: 500, operation: 'list_skus', times: 3 })
  await fetch(`${one.url}/sandbox/faults`, { method: 'POST', headers, body })
  const ask = async ({ url }: { url: string }) => (await fetch(`${url}/v2/skus`, { headers })).status
  assert.equal(await ask(one), 500)
  await eventually('the fault is active on the other replica', async () => {
    assert.equal(await ask(two), 500)
    return true
  })
  assert.deepEqual([await ask(one), await ask(one), await ask(two)], [500, 200, 200])
})
