import assert from 'node:assert/strict'
import pg from 'pg'
import { test } from 'vitest'
import { eventually } from '../../../../../test/eventually.ts'
import { createEmptyDatabase } from '../../../test/support/database.ts'
import { migrationFiles } from '../../../test/support/migration-files.ts'
import { migrate } from './migrate.ts'

const first = `create table days (day int not null, size int) partition by range (day);
create table days_1 partition of days for values from (1) to (2);
create table days_2 partition of days for values from (2) to (3);
create table "days 3" partition of days for values from (3) to (4);
insert into days select 1 + i % 3, i from generate_series(1, 300) i;
grant select on days to bourse_app;`
const index = `-- serves: 1
-- step: outside a transaction
create index concurrently days_by_size on days (size) where size > 5;`

async function startAt() {
  await using stack = new AsyncDisposableStack()
  const { target } = stack.use(await createEmptyDatabase())
  await migrate(target, { directory: migrationFiles({ '0001_days.sql': first }), log: () => {} })
  const client = new pg.Client({ ...target })
  await client.connect()
  stack.defer(() => client.end())
  const directory = migrationFiles({ '0001_days.sql': first, '0002_index.sql': index })
  const parts = stack.move()
  return {
    target,
    directory,
    ask: async (text: string) => (await client.query(text)).rows,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

const selectIndexes = `select i.indrelid::regclass::text as table, i.indisvalid as is_valid
  from pg_index i where indexrelid::regclass::text ~ 'days_by_size|size_idx' order by i.indrelid::regclass::text`
const complete = ['"days 3"', 'days', 'days_1', 'days_2'].map((table) => ({ table, is_valid: true }))

test('an index of a partitioned table is created partition by partition, and new partitions get it', async () => {
  await using place = await startAt()
  await migrate(place.target, { directory: place.directory, log: () => {} })
  assert.deepEqual(await place.ask(selectIndexes), complete)
  const [{ text }] = await place.ask("select pg_get_indexdef('days_1_days_by_size'::regclass) as text")
  assert.match(text, /\(size\) WHERE \(size > 5\)$/)
  await place.ask('create table days_4 partition of days for values from (4) to (5)')
  assert.equal((await place.ask(selectIndexes)).length, 5)
})

test('a creation on a partitioned table that was killed goes on with what is missing', async () => {
  await using place = await startAt()
  const reading = new pg.Client({ ...place.target })
  await reading.connect()
  await reading.query('begin isolation level repeatable read; select from schema_migrations')
  const killed = assert.rejects(migrate(place.target, { directory: place.directory, log: () => {} }))
  const building =
    "select pid from pg_stat_activity where application_name = 'bourse migrate' and query ~ 'concurrently'"
  const begun = await eventually('an index is being built', async () => {
    return (await place.ask(selectIndexes)).length > 1 && (await place.ask(building))[0]?.pid
  })
  await place.ask(`select pg_terminate_backend(${begun})`)
  await killed
  const left = await place.ask(selectIndexes)
  assert.ok(left.length > 1 && left.every(({ is_valid }) => !is_valid), JSON.stringify(left))
  await reading.end()
  // A partition that is added meanwhile gets the index with the parent.
  await place.ask('create table days_0 partition of days for values from (0) to (1)')
  await migrate(place.target, { directory: place.directory, log: () => {} })
  const after = await place.ask(selectIndexes)
  assert.equal(after.length, 5)
  assert.ok(after.every(({ is_valid }) => is_valid))
})
