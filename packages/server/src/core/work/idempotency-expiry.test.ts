import assert from 'node:assert/strict'
import { test } from 'vitest'
import { leftOut } from '../../../../../test/left-out.ts'
import { startTestServer } from '../../../test/support/server.ts'
import { app } from '../../app.ts'
import { statement } from '../db/db.ts'
import { systemCommand, systemOrigin } from './command.ts'
import { query } from './query.ts'
import type { Reconciler } from './reconciler.ts'
import type { Runtime } from './runtime.ts'

const server = await startTestServer()
const runtime = server.inside?.runtime as Runtime
const inside = leftOut(server.inside ? false : 'needs the inside of the server')
const reconciler = app.reconcilers.find(({ kind }) => kind === 'core.old_keys') as Reconciler
const day = 86_400

/** Runs a sweep as the loop does; returns the keys that it finds. */
async function sweep(): Promise<string[]> {
  const keys = (await query(runtime, systemOrigin, async (ctx) => reconciler.sweep?.(ctx))) ?? []
  await systemCommand(runtime, async (ctx) => {
    for (const key of keys) ctx.schedule(reconciler.kind, key)
  })
  await server.settle()
  return keys
}

const countKeys = statement<{ count: number }>(null, 'select count(*) as count from idempotency_keys')
const addKeys = statement<never>(
  null,
  `insert into idempotency_keys (account_id, operation, key, fingerprint, created_at)
   select 'somebody', 'create_order', n::text, '', bourse_now() from generate_series(1, 2500) as n`,
)
const count = async () => (await runtime.database.reader.row(countKeys))?.count

test('a key expires after seven days and some hours', inside, async () => {
  const { token } = await server.account()
  await server.call('freeze_clock')
  const send = (name: string) =>
    server.attempt('create_workspace', { token, body: { name }, headers: { 'Idempotency-Key': 'one' } })
  assert.equal((await send('first')).status, 201)
  await runtime.database.reader.run(addKeys)
  await server.advance(7 * day)
  assert.deepEqual(await sweep(), [])
  assert.equal((await send('first')).headers.get('idempotency-replayed'), 'true')
  assert.equal((await send('second')).status, 422)
  await server.advance(day)
  assert.deepEqual(await sweep(), ['all'])
  assert.equal(await count(), 0)
  assert.deepEqual(await sweep(), [])
  assert.equal((await send('second')).status, 201)
})
