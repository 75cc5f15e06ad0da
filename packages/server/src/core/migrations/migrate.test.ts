import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { startTestCluster, type TestCluster } from '../../../test/support/cluster.ts'
import { asAdministrator, createEmptyDatabase } from '../../../test/support/database.ts'
import { migrationFiles } from '../../../test/support/migration-files.ts'
import { isStartProblem, type StartProblemCode } from '../base/start-problem.ts'
import type { DatabaseTarget } from '../db/database-target.ts'
import { migrate } from './migrate.ts'
import { readMigrations } from './migration-files.ts'

const first = 'create table firsts (id int primary key);\ngrant select on firsts to bourse_app;'
const second = 'create table seconds (id int primary key);\ninsert into seconds values (1), (2);'
const both = () => migrationFiles({ '0001_first.sql': first, '0002_second.sql': second })
const says = (code: StartProblemCode, text: RegExp) => (error: unknown) =>
  isStartProblem(error, code) && text.test(error.message)

async function ask<T extends pg.QueryResultRow>(target: DatabaseTarget, ...statements: string[]): Promise<T[]> {
  const client = new pg.Client({ ...target })
  await client.connect()
  try {
    let rows: T[] = []
    for (const text of statements) rows = (await client.query<T>(text)).rows
    return rows
  } finally {
    await client.end()
  }
}

test('an empty database gets every migration in order, and a migrated one is unchanged', async () => {
  await using database = await createEmptyDatabase()
  const directory = both()
  const output: string[] = []
  const options = { directory, log: (message: string) => output.push(message) }
  assert.deepEqual(await migrate(database.target, options), { from: 0, to: 2 })
  assert.deepEqual(output, ['Applied migration 0001_first.sql.', 'Applied migration 0002_second.sql.'])
  assert.deepEqual(await migrate(database.target, options), { from: 2, to: 2 })
  assert.equal(output.length, 2)
  const rows = await ask(database.target, 'select version, name, sha256 from schema_migrations order by version')
  const files = await readMigrations(directory)
  assert.deepEqual(
    rows,
    files.map(({ version, name, sha256 }) => ({ version, name, sha256 })),
  )
})

test('an older database gets the missing migrations', async () => {
  await using database = await createEmptyDatabase()
  const directory = migrationFiles({ '0001_first.sql': first })
  await migrate(database.target, { directory, log: () => {} })
  writeFileSync(join(directory, '0002_second.sql'), second)
  assert.deepEqual(await migrate(database.target, { directory, log: () => {} }), { from: 1, to: 2 })
})

test('the owner can assume the run-time role, which has only the granted rights', async () => {
  await using database = await createEmptyDatabase()
  await migrate(database.target, { directory: both(), log: () => {} })
  const take = 'set role bourse_app'
  assert.deepEqual(await ask(database.target, take, 'select * from firsts'), [])
  await assert.rejects(ask(database.target, take, 'insert into firsts values (1)'), { code: '42501' })
  await assert.rejects(ask(database.target, take, 'select * from seconds'), { code: '42501' })
  await assert.rejects(ask(database.target, take, 'create table thirds ()'), { code: '42501' })
})

test('a failed migration is rolled back completely, and the error names its line', async () => {
  await using database = await createEmptyDatabase()
  const broken = 'create table thirds (id int);\n\nselect no_such_column from firsts;'
  const directory = migrationFiles({ '0001_first.sql': first, '0002_broken.sql': broken })
  await assert.rejects(
    migrate(database.target, { directory, log: () => {} }),
    says('migration_failed', /0002_broken\.sql, line 3 failed and was rolled back: .*no_such_column/),
  )
  const rows = await ask(database.target, "select version, to_regclass('thirds') as thirds from schema_migrations")
  assert.deepEqual(rows, [{ version: 1, thirds: null }])
})

test('a newer schema is refused where it does not say that it serves the program', async () => {
  await using database = await createEmptyDatabase()
  await migrate(database.target, { directory: both(), log: () => {} })
  await assert.rejects(
    migrate(database.target, { directory: migrationFiles({ '0001_first.sql': first }), log: () => {} }),
    says(
      'schema_is_newer',
      /serves programs of schema 2 and newer, and this program has schema 1\. Start the newer program/,
    ),
  )
})

test('an applied migration whose file changed or was renamed is refused', async () => {
  await using database = await createEmptyDatabase()
  await migrate(database.target, { directory: both(), log: () => {} })
  const changed = migrationFiles({ '0001_first.sql': `${first} `, '0002_second.sql': second })
  const renamed = migrationFiles({ '0001_first.sql': first, '0002_other.sql': second })
  const refusal = { directory: changed, log: () => {} }
  await assert.rejects(migrate(database.target, refusal), says('migration_changed', /^Migration 0001_first\.sql/))
  const other = { directory: renamed, log: () => {} }
  await assert.rejects(migrate(database.target, other), says('migration_changed', /^Migration 0002_second\.sql/))
})

test('misnumbered files are refused before any change', async () => {
  for (const name of ['0003_third.sql', '0001_again.sql', '2_second.sql', '0002-second.sql', '0002_Second.sql']) {
    const directory = migrationFiles({ '0001_first.sql': first, [name]: second })
    await assert.rejects(
      readMigrations(directory),
      says('migrations_misnumbered', /numbered from 0001 without a gap/),
      name,
    )
  }
})

test('concurrent programs on one database apply each migration once', async () => {
  await using database = await createEmptyDatabase()
  const directory = both()
  const output: string[] = []
  const options = { directory, log: (message: string) => output.push(message) }
  const results = await Promise.all(Array.from({ length: 8 }, () => migrate(database.target, options)))
  assert.deepEqual(results.filter(({ from }) => from === 0).length, 1)
  assert.ok(results.every(({ to }) => to === 2))
  assert.equal(output.filter((message) => message.startsWith('Applied')).length, 2)
  assert.deepEqual(await ask(database.target, 'select count(*)::int as count from seconds'), [{ count: 2 }])
})

test('a missing database is named, with the command that creates it', async () => {
  await using database = await createEmptyDatabase()
  const target = { ...database.target, database: 'no_such_database' }
  await assert.rejects(migrate(target, { directory: both(), log: () => {} }), (error: Error) => {
    return isStartProblem(error, 'database_unreachable') && /createdb no_such_database/.test(error.message)
  })
})

test('a standby is refused before any change, and the error names the remedy', async () => {
  await using database = await createEmptyDatabase()
  const standby = `create schema standby;
    create function standby.pg_is_in_recovery() returns boolean language sql as 'select true';
    do $$ begin execute format('alter database %I set search_path = public, standby, pg_catalog',
      current_database()); end $$`
  await ask(database.target, standby)
  await assert.rejects(migrate(database.target, { directory: both(), log: () => {} }), (error: Error) => {
    return isStartProblem(error, 'database_unreachable') && /is a standby.*primary/.test(error.message)
  })
  assert.deepEqual(await ask(database.target, "select from pg_class where relname = 'firsts'"), [])
})

test('a database that was restored without the grants of the role is refused', async () => {
  await using database = await createEmptyDatabase()
  const options = { directory: both(), log: () => {} }
  await migrate(database.target, options)
  await ask(database.target, 'revoke all on all tables in schema public from bourse_app')
  await assert.rejects(migrate(database.target, options), (error: Error) => {
    return isStartProblem(error, 'role_missing') && /create role bourse_app nologin/.test(error.message)
  })
})

test('the error for an unreachable database contains no password', async () => {
  const target = { host: '127.0.0.1', port: 1, user: 'ann', database: 'shop', password: 'hunter2' }
  await assert.rejects(
    migrate(target, { directory: both(), log: () => {} }),
    (error) =>
      says('database_unreachable', /"shop" at 127\.0\.0\.1:1 as user "ann" cannot be opened: .*ECONNREFUSED/)(error) &&
      !(error as Error).message.includes('hunter2'),
  )
})

describe('roles, which belong to the whole cluster,', () => {
  let cluster: TestCluster
  beforeAll(async () => {
    cluster = await startTestCluster()
  })
  afterAll(() => cluster[Symbol.asyncDispose]())
  const administer = (...statements: string[]) =>
    asAdministrator(cluster.target, async (client) => {
      for (const text of statements) await client.query(text)
    })
  const directory = both()

  test('are created once by programs that migrate several databases at once', async () => {
    for (let round = 0; round < 5; round++) {
      const databases = await Promise.all(
        Array.from({ length: 6 }, () => createEmptyDatabase({ cluster: cluster.target })),
      )
      await Promise.all(databases.map(({ target }) => migrate(target, { directory, log: () => {} })))
      await Promise.all(databases.map((database) => database[Symbol.asyncDispose]()))
      await administer('drop role bourse_app')
    }
  })

  test('are created by an owner with createrole and without superuser', async () => {
    await administer('create role maker login createrole', 'create database made owner maker')
    const target = { ...cluster.target, user: 'maker', database: 'made' }
    await migrate(target, { directory, log: () => {} })
    assert.deepEqual(await ask(target, 'set role bourse_app', 'select * from firsts'), [])
    await migrate(target, { directory, log: () => {} })
  })

  test('are requested in the error if the owner may not create them', async () => {
    await administer('create role "plain owner" login', 'create database plain owner "plain owner"')
    const target = { ...cluster.target, user: 'plain owner', database: 'plain' }
    await assert.rejects(
      migrate(target, { directory, log: () => {} }),
      says('role_missing', /create role bourse_app nologin; grant bourse_app to "plain owner";$/),
    )
    await administer('grant bourse_app to "plain owner"')
    assert.deepEqual(await migrate(target, { directory, log: () => {} }), { from: 0, to: 2 })
    assert.deepEqual(await ask(target, 'set role bourse_app', 'select * from firsts'), [])
  })
})
