/**
 * A migration may add a column while servers run. PostgreSQL refuses a prepared statement whose columns would change
 * ("cached plan must not change result type"), and an insert of whole rows would write null into the new column.
 */
import assert from 'node:assert/strict'
import pg from 'pg'
import { test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { openTestServer } from '../support/server.ts'
import { cases } from './cases.ts'
import { goodCall, operations, send } from './operations.ts'
import { type ContractWorld, makeWorld } from './world.ts'

/** Sends a call of every operation. Returns the status of each. */
async function callAll(world: ContractWorld): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {}
  for (const operation of operations) {
    if (cases[operation.name].ends_world) continue
    const { call, token } = await goodCall(world, operation)
    statuses[operation.name] = (await send(world.server, operation, call, token)).status
  }
  await world.server.advance(3600)
  return statuses
}

test('every operation and reconciler works on after a migration has added a column to every table', async () => {
  await using database = await createTestDatabase()
  await using server = await openTestServer({ target: database.target })
  const before = await callAll(await makeWorld(server))
  const owner = new pg.Client({ ...database.target })
  await owner.connect()
  try {
    const { rows } = await owner.query<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
    )
    assert.ok(rows.length > 50)
    for (const { name } of rows) {
      await owner.query(`alter table ${name} add column added_later integer not null default 7`)
    }
  } finally {
    await owner.end()
  }
  assert.deepEqual(await callAll(await makeWorld(server)), before)
  const failed = [...(server.inside?.loop.status() ?? [])].filter(([, { last_error }]) => last_error !== null)
  assert.deepEqual(failed, [])
})
