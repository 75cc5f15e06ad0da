import assert from 'node:assert/strict'
import pg from 'pg'
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

test('migrate refuses what would stop running programs, and says how many they are', async () => {
  await using database = await createEmptyDatabase()
  const { user, database: name, host } = database.target
  const bourse = runnerFor({ BOURSE_DATABASE_URL: `postgres://${user}@/${name}?host=${host}` })
  const client = new pg.Client({ ...database.target })
  await client.connect()
  try {
    assert.equal((await bourse('migrate')).code, 0)
    // As a program of schema 50 left it, which two programs use.
    await client.query('drop table write_probes, write_probe_pages, fences')
    await client.query('create table write_probes (process text primary key, written_at bigint not null)')
    await client.query('delete from schema_migrations where version > 70')
    await client.query('update schema_migrations set serves = least(serves, 50)')
    const alive = 'insert into write_probes values ($1, floor(bourse_real_now())::bigint - $2)'
    for (const [process, age] of [
      ['one', 1],
      ['two', 10],
      ['gone', 60],
    ])
      await client.query(alive, [process, age])
    const planned = await bourse('migrate', '--plan')
    assert.match(planned.err, /Programs that use the database: 2\. The migrations would stop 2\./)
    const { code, err } = await bourse('migrate')
    assert.equal(code, 1)
    assert.match(err, /serve programs of schema \d+ and newer, and 2 older programs use the database/)
    assert.equal((await bourse('migrate', '--stop-replicas')).code, 0)
  } finally {
    await client.end()
  }
})

test('migrate without a database names the variable', async () => {
  for (const words of [['migrate'], ['migrate', '--plan']]) {
    const { code, out, err } = await runnerFor({})(...words)
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, /Set BOURSE_DATABASE_URL: the URL of the PostgreSQL database/)
  }
})
