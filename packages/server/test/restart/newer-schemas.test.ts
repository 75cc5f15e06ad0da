import assert from 'node:assert/strict'
import pg from 'pg'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { createTestDatabase } from '../support/database.ts'
import { openTestServer } from '../support/server.ts'

const insert = `insert into schema_migrations (version, name, sha256, applied_at, serves, steps_left)
  select max(version) + 1, 'later', '', 0, $1, $2 from schema_migrations`

test('a server is ready on a newer schema that serves it, and names the reason where one no longer does', async () => {
  await using database = await createTestDatabase()
  const client = new pg.Client({ ...database.target })
  await client.connect()
  try {
    const { rows } = await client.query('select max(version) as known from schema_migrations')
    const { known } = rows[0]
    await client.query(insert, [known, 0])
    await using server = await openTestServer({ target: database.target })
    assert.equal((await server.attempt('get_readiness', { token: null })).status, 200)
    // The first step of a migration that serves it no longer.
    await client.query(insert, [known + 1, 1])
    const refusal = await eventually('the server is not ready', async () => {
      const response = await server.attempt('get_readiness', { token: null })
      assert.equal(response.status, 503, response.text)
      return response
    })
    assert.match(
      refusal.body.error.message,
      new RegExp(`schema: the database serves programs of schema ${known + 1} and newer, .* has schema ${known}`),
    )
  } finally {
    await client.end()
  }
})
