import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statement } from '../../src/core/db/db.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import type { Runtime } from '../../src/core/work/runtime.ts'
import { makeSku } from '../support/fleet.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const runtime = server.inside?.runtime as Runtime
const rename = statement<never>(null, 'update skus set alias = $2 where id = $1')
const restore = statement<never>(null, 'update skus set deleted_at = null where id = $1')
const blocked = statement<{ pid: number }>(
  null,
  'select pid from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0',
)

/** Runs a statement, sends a request that waits for its transaction, then commits. Returns the answer. */
async function whileUncommitted(change: [typeof rename, unknown[]], send: () => ReturnType<typeof server.request>) {
  const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holder = systemCommand(runtime, async (ctx) => {
    await ctx.db.run(...change)
    held.resolve()
    await free.promise
  })
  await held.promise
  const sent = send()
  while ((await runtime.database.reader.rows(blocked)).length === 0);
  free.resolve()
  await holder
  return sent
}

test('a SKU is refused the alias that another one gets at the same moment', async () => {
  const [first, second] = [await makeSku(server), await makeSku(server)]
  const admin = '/preview/v2/admin/skus'
  const renamed = await whileUncommitted([rename, [first, 'wanted']], () =>
    server.request('PATCH', `${admin}/${second}`, { body: { alias: 'wanted' } }),
  )
  assert.deepEqual(refusalOf(renamed), [409, 'alias_taken', 'alias'])

  await server.ok('DELETE', `${admin}/${first}`)
  await server.ok('PATCH', `${admin}/${second}`, { body: { alias: 'wanted' } })
  await server.ok('DELETE', `${admin}/${second}`)
  const restored = await whileUncommitted([restore, [first]], () =>
    server.request('POST', `${admin}/${second}/restore`),
  )
  assert.deepEqual(refusalOf(restored), [409, 'alias_taken', 'alias'])
})
