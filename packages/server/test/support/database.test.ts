import assert from 'node:assert/strict'
import pg from 'pg'
import { test } from 'vitest'
import { testCluster } from './cluster.ts'
import { asAdministrator, createTestDatabase } from './database.ts'
import { migrationFiles } from './migration-files.ts'

const files = { '0001_things.sql': 'create table things (id int primary key)' }

test('each test database is a separate migrated copy, and is dropped when it is disposed', async () => {
  const migrations = migrationFiles(files)
  const names: string[] = []
  {
    await using one = await createTestDatabase({ migrations })
    await using other = await createTestDatabase({ migrations })
    names.push(one.target.database, other.target.database)
    for (const { target } of [one, other]) {
      const client = new pg.Client({ ...target })
      await client.connect()
      await client.query('insert into things values (1)')
      await client.end()
    }
  }
  const left = await asAdministrator(await testCluster(), (client) =>
    client.query('select datname from pg_database where datname = any($1)', [names]),
  )
  assert.deepEqual(left.rows, [])
})

test('a database is dropped even while a client is connected to it', async () => {
  const database = await createTestDatabase({ migrations: migrationFiles(files) })
  const client = new pg.Client({ ...database.target })
  const ended = new Promise((resolve) => client.once('end', resolve))
  client.on('error', () => {})
  await client.connect()
  await database[Symbol.asyncDispose]()
  await ended
})

test('concurrent requests for one template all get a copy of it', async () => {
  const content = { '0001_shared.sql': `-- ${process.pid}\ncreate table shared (id int primary key)` }
  const directories = Array.from({ length: 6 }, () => migrationFiles(content))
  const databases = await Promise.all(directories.map((migrations) => createTestDatabase({ migrations })))
  await Promise.all(databases.map((database) => database[Symbol.asyncDispose]()))
})
