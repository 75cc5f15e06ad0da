import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createEmptyDatabase } from '../../server/test/support/database.ts'
import { runnerFor } from './run-here.ts'

test('migrate --plan changes nothing, migrate applies what is pending, and then nothing is', async () => {
  await using database = await createEmptyDatabase()
  const { user, database: name, host } = database.target
  const bourse = runnerFor({ BOURSE_DATABASE_URL: `postgres://${user}@/${name}?host=${host}` })
  const plan = async () => {
    const { code, out, err } = await bourse('migrate', '--plan', '--json')
    assert.equal(code, 0, err)
    return JSON.parse(out) as { object: string; data: Record<string, unknown>[] }
  }
  const before = await plan()
  assert.equal(before.object, 'list')
  const { object, migration, step, serves } = before.data[0] ?? {}
  assert.deepEqual([object, migration, step, serves], ['planned_statement', '0001_core.sql', 1, 1])
  assert.deepEqual(await plan(), before)
  const shown = await bourse('migrate', '--plan')
  assert.match(shown.out, /^MIGRATION +STEP +ACTION +TABLE/i)
  assert.match(shown.err, /has schema 0, this program has schema \d+\. Nothing is changed/)

  const { code, out, err } = await bourse('migrate', '-o', 'json')
  assert.equal(code, 0, err)
  const { from, to } = JSON.parse(out)
  assert.deepEqual([from, to > 30], [0, true])
  assert.match(err, /Applied migration 0001_core\.sql/)
  assert.deepEqual((await plan()).data, [])
  assert.deepEqual(JSON.parse((await bourse('migrate', '-o', 'json')).out), { object: 'migration', from: to, to })
})

test('migrate without a database names the variable', async () => {
  for (const words of [['migrate'], ['migrate', '--plan']]) {
    const { code, out, err } = await runnerFor({})(...words)
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, /Set BOURSE_DATABASE_URL: the URL of the PostgreSQL database/)
  }
})
