import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { silentLog } from '../../src/core/base/log.ts'
import type { Server } from '../../src/server.ts'
import { startDurableCluster } from '../support/cluster.ts'
import { asAdministrator, createTestDatabase } from '../support/database.ts'
import { startTestServer, type TestResponse } from '../support/server.ts'

const cluster = await startDurableCluster()
const database = await createTestDatabase({ cluster: cluster.target })
const server = await startTestServer({
  target: database.target,
  rate_multiplier: 1_000_000,
  log: silentLog(),
  requires_safe_database: true,
  runs_reconcilers: false,
})
afterAll(() => cluster[Symbol.asyncDispose]())
const account = await server.account({ trust_level: 'partner' })
const own = { token: account.token }
const { id: sku } = await server.call('create_sku', { body: { alias: 'slow-standby' } })
const { id: pool } = await server.call('create_pool', { ...own, body: {} })
const { id: image } = await server.call('create_ready_image', { ...own, body: { name: 'slow-standby' } })

/** With a name, commits wait for a standby that does not respond. */
function waitForStandby(name: string): Promise<void> {
  return asAdministrator(cluster.target, async (client) => {
    await client.query(`alter system set synchronous_standby_names = '${name}'`)
    await client.query('select pg_reload_conf()')
  })
}

function waitingCommits(): Promise<number> {
  return asAdministrator(cluster.target, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      "select count(*)::integer as count from pg_stat_activity where wait_event = 'SyncRep'",
    )
    return rows[0]?.count ?? 0
  })
}

function inUse(): number {
  const { total, idle } = (server.inside as Server).runtime.database.load()
  return total - idle
}

function create(name: string): Promise<TestResponse> {
  const headers = { 'Idempotency-Key': `key-${name}` }
  return server.attempt('create_instance', { token: account.token, headers, body: { sku, pool, image, name } })
}

test('a write that waits for a standby is answered as unknown, and takes effect once', async () => {
  await waitForStandby('absent')
  const names = ['one', 'two', 'three']
  const responses = await Promise.all(names.map(create))
  assert.deepEqual(
    responses.map(({ status }) => status),
    [503, 503, 503],
  )
  // The others wait for the first one's lock on the log of the account, and are rolled back.
  const unknown = responses.map(({ body }) => /Check whether it took effect/.test(body.error.message))
  assert.equal(unknown.filter(Boolean).length, 1)
  // The response came long before the connection counts as lost: the commit still waits on it. So may one of the
  // server's own work.
  await eventually('exactly the connections whose commits wait are in use', async () => {
    const waiting = await waitingCommits()
    assert.ok(waiting > 0)
    assert.equal(inUse(), waiting)
    return true
  })
  assert.equal((await server.attempt('list_skus', { token: account.token })).status, 200, 'reads do not wait')
  await waitForStandby('')
  await eventually('no commit waits', async () => (await waitingCommits()) === 0)
  for (const [index, again] of (await Promise.all(names.map(create))).entries()) {
    assert.equal(again.status, 201, again.text)
    assert.equal(again.headers.get('idempotency-replayed'), unknown[index] ? 'true' : null, names[index])
  }
  assert.equal(inUse(), 0, 'every connection is free again')
})
