import assert from 'node:assert/strict'
import pg from 'pg'
import { test } from 'vitest'
import { eventually } from '../../../../../test/eventually.ts'
import { createEmptyDatabase } from '../../../test/support/database.ts'
import { migrationFiles } from '../../../test/support/migration-files.ts'
import { isStartProblem } from '../base/start-problem.ts'
import type { DatabaseTarget } from '../db/database-target.ts'
import { migrate } from './migrate.ts'

const first =
  'create table firsts (id int primary key, size int not null default 0);\n' +
  'insert into firsts select i, i from generate_series(1, 100) as i;\ngrant select on firsts to bourse_app;'
const outside = '-- step: outside a transaction'
const index = 'create index concurrently firsts_by_size on firsts (size);'
const added = `-- serves: 1\nalter table firsts add column shade text;\n${outside}\n${index}\n`
const second = { '0002_shades.sql': added }
const patient = { wait_milliseconds: 20, tries: 500 }

async function startAt(files: Record<string, string>) {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createEmptyDatabase())
  await migrate(database.target, { directory: migrationFiles({ '0001_first.sql': first }), log: () => {} })
  const output: string[] = []
  const directory = migrationFiles({ '0001_first.sql': first, ...files })
  const client = new pg.Client({ ...database.target })
  await client.connect()
  stack.defer(() => client.end())
  const parts = stack.move()
  return {
    target: database.target,
    output,
    options: { directory, log: (message: string) => void output.push(message), patience: patient },
    ask: async (text: string) => (await client.query(text)).rows,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

const selectIndex = "select indisvalid as is_valid from pg_index where indexrelid = to_regclass('firsts_by_size')"
const selectRecord = 'select version, serves, steps_left from schema_migrations where version > 1'

/** Opens a transaction that has read the table: a concurrent creation of an index waits for it. */
async function holdOpen(target: DatabaseTarget, statement: string) {
  const client = new pg.Client({ ...target })
  client.on('error', () => {})
  await client.connect()
  await client.query('begin isolation level repeatable read')
  await client.query(statement)
  return {
    release: async () => {
      await client.query('commit')
      await client.end()
    },
  }
}

test('a migration with a step outside its transaction is applied, recorded, and serves older programs', async () => {
  await using place = await startAt(second)
  assert.deepEqual(await migrate(place.target, place.options), { from: 1, to: 2 })
  assert.deepEqual(await place.ask(selectIndex), [{ is_valid: true }])
  assert.deepEqual(await place.ask(selectRecord), [{ version: 2, serves: 1, steps_left: 0 }])
  const old = migrationFiles({ '0001_first.sql': first })
  assert.deepEqual(await migrate(place.target, { ...place.options, directory: old }), { from: 2, to: 2 })
  assert.match(place.output.at(-1) ?? '', /newer schema 2, which serves programs of schema 1 and newer/)
})

test('programs that migrate at once build the index once, and none waits for ever', async () => {
  await using place = await startAt(second)
  const results = await Promise.all(Array.from({ length: 4 }, () => migrate(place.target, place.options)))
  assert.deepEqual(results.map(({ from }) => from).sort(), [1, 2, 2, 2])
  assert.deepEqual(await place.ask(selectIndex), [{ is_valid: true }])
})

test('a creation of an index that was killed is dropped and runs again, and no other step does', async () => {
  await using place = await startAt(second)
  const reading = await holdOpen(place.target, 'select from schema_migrations')
  const killed = assert.rejects(migrate(place.target, place.options), (error) => {
    return isStartProblem(error, 'migration_failed') && /0002_shades\.sql, step 2/.test(error.message)
  })
  const building =
    "select pid from pg_stat_activity where application_name = 'bourse migrate' and query ~ '^create index'"
  const found = await eventually('the index is being built', async () => {
    return (await place.ask(selectIndex)).length > 0 && (await place.ask(building))[0]?.pid
  })
  await place.ask(`select pg_terminate_backend(${found})`)
  await killed
  assert.deepEqual(await place.ask(selectIndex), [{ is_valid: false }])
  assert.deepEqual(await place.ask(selectRecord), [{ version: 2, serves: 1, steps_left: 1 }])
  await reading.release()
  assert.deepEqual(await migrate(place.target, place.options), { from: 1, to: 2 })
  assert.match(place.output.join('\n'), /dropping the index firsts_by_size, whose creation was interrupted/)
  assert.deepEqual(await place.ask(selectIndex), [{ is_valid: true }])
  assert.deepEqual(await place.ask(selectRecord), [{ version: 2, serves: 1, steps_left: 0 }])
})

test('an index that was built and not recorded is kept, and one of another table is refused', async () => {
  await using place = await startAt(second)
  await place.ask('create index firsts_by_size on firsts (size)')
  const [before] = await place.ask("select to_regclass('firsts_by_size')::oid as oid")
  await migrate(place.target, place.options)
  assert.deepEqual(await place.ask("select to_regclass('firsts_by_size')::oid as oid"), [before])
  const other = `${outside}\ncreate index concurrently firsts_by_size on others (id);`
  const files = { ...second, '0003_others.sql': 'create table others (id int);', '0004_index.sql': other }
  const directory = migrationFiles({ '0001_first.sql': first, ...files })
  await assert.rejects(migrate(place.target, { ...place.options, directory }), /exists on the table firsts/)
})

test('the schema serves an older program no longer from the first step of a migration on', async () => {
  const broken = `-- serves: 2\nalter table firsts drop column size;\n${outside}\n${index}\n`
  await using place = await startAt({ '0002_sizes.sql': broken })
  await assert.rejects(migrate(place.target, place.options), (error) => {
    return (
      isStartProblem(error, 'migration_failed') && /0002_sizes\.sql, step 2, line 4, failed: .*size/.test(error.message)
    )
  })
  assert.match(place.output.join('\n'), /serves programs of schema 2 and newer: older replicas are not ready/)
  const old = { ...place.options, directory: migrationFiles({ '0001_first.sql': first }) }
  await assert.rejects(migrate(place.target, old), (error) => isStartProblem(error, 'schema_is_newer'))
})

test('a step waits for a lock for a moment at a time, so that others go on, and succeeds when it is free', async () => {
  await using place = await startAt(second)
  const reading = await holdOpen(place.target, 'select from firsts')
  const migrated = migrate(place.target, place.options)
  const tries = () => place.output.filter((line) => line.includes('waits for a lock')).length
  await eventually('the step has tried to lock its table twice', () => tries() > 1)
  // Behind a lock request that waits, this read would wait as long as it.
  assert.equal((await place.ask('select * from firsts')).length, 100)
  await reading.release()
  assert.deepEqual(await migrated, { from: 1, to: 2 })
})

test('a step that gets no lock in all of its tries says what to do, and changes nothing', async () => {
  await using place = await startAt(second)
  const reading = await holdOpen(place.target, 'select from firsts')
  const options = { ...place.options, patience: { wait_milliseconds: 20, tries: 2 } }
  await assert.rejects(migrate(place.target, options), (error) => {
    return isStartProblem(error, 'migration_failed') && /could not lock its tables in 2 tries/.test(error.message)
  })
  assert.deepEqual(await place.ask(selectRecord), [])
  await reading.release()
})

test('a database that an older program migrated gets the columns of the records', async () => {
  await using place = await startAt(second)
  await place.ask('alter table schema_migrations drop column serves, drop column steps_left')
  assert.deepEqual(await migrate(place.target, place.options), { from: 1, to: 2 })
  assert.deepEqual(await place.ask(selectRecord), [{ version: 2, serves: 1, steps_left: 0 }])
})
