import assert from 'node:assert/strict'
import { test } from 'vitest'
import { statement } from '../../src/core/db/db.ts'
import { ensureSandbox } from '../../src/sandbox/scenarios/bootstrap.service.ts'
import type { Server } from '../../src/server.ts'
import { startReplicas } from './replicas.ts'

const replicas = await startReplicas(2)
const { platform_token: token } = replicas
const load = () => replicas.ok('POST', '/sandbox/scenarios/preemption/load', { body: {}, replica: 0 })

test('while one server loads a world, no other server presents or changes it', async () => {
  await load()
  const skus = async () => {
    const { status, body } = await replicas.get('/v2/skus?limit=200', { token, replica: 1 })
    return status === 200 ? `${body.data.length} SKUs` : String(status)
  }
  const whole = await skus()
  assert.match(whole, /^[1-9]/)
  let isLoading = true
  const loading = load().finally(() => {
    isLoading = false
  })
  const seen = new Map<string, number>()
  while (isLoading) {
    const shown = await skus()
    seen.set(shown, (seen.get(shown) ?? 0) + 1)
  }
  await loading
  assert.deepEqual(
    [...seen.keys()].filter((shown) => shown !== '503' && shown !== whole),
    [],
  )
  assert.ok((seen.get('503') ?? 0) > 0, 'nobody asked while the world was filled')
  assert.equal(await skus(), whole)
})

test('a partly loaded world is not presented until a starting server loads it again', async () => {
  const [inside] = replicas.servers as [Server]
  const change = (sql: string) => inside.runtime.database.asOwner((db) => db.run(statement(null, sql)))
  await change("update sandbox_clock set builder = 'a process that is gone'")
  await change('delete from sandbox_world')
  for (const replica of [0, 1]) assert.equal((await replicas.get('/v2/skus', { token, replica })).status, 503)
  await ensureSandbox(inside.runtime, 'bourse', 'empty')
  for (const replica of [0, 1]) {
    const { status, body } = await replicas.get('/v2/skus', { token, replica })
    assert.deepEqual([status, body.data], [200, []])
  }
})
