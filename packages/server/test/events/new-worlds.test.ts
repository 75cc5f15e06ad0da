import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { statement } from '../../src/core/db/db.ts'
import { ensureSandbox } from '../../src/sandbox/scenarios/bootstrap.service.ts'
import type { Server } from '../../src/server.ts'
import { startReplicas } from './replicas.ts'

/** While this is unresolved, no command of the system begins, so the loading of a world stands still. */
let mayBegin = Promise.resolve()
const failpoint = (name: string, requestId: string) => {
  return name === 'before_claim' && requestId === 'system' ? mayBegin : undefined
}
const replicas = await startReplicas(2, { failpoint })
const { platform_token: token } = replicas
const load = () => replicas.on(0).call('load_scenario', { params: { name: 'preemption' }, body: {} })

test('while one server loads a world, no other server presents or changes it', async () => {
  await load()
  const skus = async () => {
    const { status, body } = await replicas.on(1).attempt('list_skus', { query: { limit: 200 }, token })
    return status === 200 ? `${body.data.length} SKUs` : String(status)
  }
  const whole = await skus()
  assert.match(whole, /^[1-9]/)
  const { promise, resolve: letGoOn } = Promise.withResolvers<void>()
  mayBegin = promise
  let isLoading = true
  const loading = load().finally(() => {
    isLoading = false
  })
  const seen = new Set<string>()
  const look = async () => {
    const shown = await skus()
    seen.add(shown)
    return shown
  }
  try {
    await eventually('the other server refuses requests while the world is filled', async () => {
      assert.equal(await look(), '503')
      return true
    })
  } finally {
    letGoOn()
  }
  while (isLoading) await look()
  await loading
  assert.deepEqual(
    [...seen].filter((shown) => shown !== '503' && shown !== whole),
    [],
  )
  assert.equal(await skus(), whole)
})

test('a partly loaded world is not presented until a starting server loads it again', async () => {
  const [inside] = replicas.servers as [Server]
  const change = (sql: string) => inside.runtime.database.asOwner((db) => db.run(statement(null, sql)))
  await change("update sandbox_clock set builder = 'a process that is gone'")
  await change('delete from sandbox_world')
  for (const replica of [0, 1]) assert.equal((await replicas.on(replica).attempt('list_skus', { token })).status, 503)
  await ensureSandbox(inside.runtime, 'bourse', 'empty')
  for (const replica of [0, 1]) {
    const { status, body } = await replicas.on(replica).attempt('list_skus', { token })
    assert.deepEqual([status, body.data], [200, []])
  }
})
