import assert from 'node:assert/strict'
import pg from 'pg'
import { test } from 'vitest'
import { createEmptyDatabase } from '../../../test/support/database.ts'
import { migrationFiles } from '../../../test/support/migration-files.ts'
import { migrate } from './migrate.ts'
import { planMigrations } from './migration-plan.ts'

const files = {
  '0001_first.sql': `create table firsts (id int primary key, size int);
    create index firsts_by_id on firsts (id);
    insert into firsts select i, i from generate_series(1, 1000) i;
    create table days (day int, size int) partition by range (day);
    create table days_1 partition of days for values from (1) to (2);
    insert into days select 1, i from generate_series(1, 500) i;
    grant select on firsts, days to bourse_app;`,
}
const pending = {
  ...files,
  '0002_shades.sql': `-- serves: 1
alter table firsts add column shade text;
create table shades (id int primary key, first_id int references firsts (id));
create index shades_by_first on shades (first_id);
drop index firsts_by_id;
-- step: outside a transaction
create index concurrently firsts_by_size on firsts (size);`,
  '0003_days.sql': '-- serves: 3\nalter table days drop column size;\ngrant select on shades to bourse_app;',
}

/** The planned statements on lines. */
async function planned(place: Parameters<typeof planMigrations>[0], directory: string) {
  const { schema, known, statements } = await planMigrations(place, directory)
  const lines = statements.map((one) => {
    const { migration, step, action, table, lock, blocks, work, rows, serves } = one
    return `${migration.slice(0, 4)}.${step} ${action}: ${table}, ${lock}, ${blocks}, ${work}, ${rows}, ${serves}`
  })
  return { schema, known, lines, statements }
}

test('a plan names each pending statement with its lock, its work and the size of the table', async () => {
  await using database = await createEmptyDatabase()
  const { target } = database
  await migrate(target, { directory: migrationFiles(files), log: () => {} })
  const client = new pg.Client({ ...target })
  await client.connect()
  try {
    await client.query('analyze firsts; analyze days')
    const directory = migrationFiles(pending)
    const expected = [
      '0002.1 add column: firsts, ACCESS EXCLUSIVE, reads and writes, none, 1000, 1',
      '0002.1 create table: firsts, SHARE ROW EXCLUSIVE, writes, none, 1000, 1',
      '0002.1 create index: shades, null, nothing, scan, null, 1',
      '0002.1 drop index: firsts, ACCESS EXCLUSIVE, reads and writes, none, 1000, 1',
      '0002.2 create index concurrently: firsts, SHARE UPDATE EXCLUSIVE, nothing, scan, 1000, 1',
      '0003.1 drop column: days, ACCESS EXCLUSIVE, reads and writes, none, 500, 3',
      '0003.1 grant: null, null, nothing, none, null, 3',
    ]
    const { schema, known, lines, statements } = await planned(target, directory)
    assert.deepEqual({ schema, known, lines }, { schema: { version: 1, serves: 1 }, known: 3, lines: expected })
    assert.ok((statements[0]?.bytes ?? 0) > 8192)
    assert.deepEqual(
      statements.map(({ line, in_transaction }) => [line, in_transaction]),
      [
        [2, true],
        [3, true],
        [4, true],
        [5, true],
        [7, false],
        [2, true],
        [3, true],
      ],
    )
    const { rows } = await client.query('select count(*)::int as count from schema_migrations')
    assert.deepEqual(rows, [{ count: 1 }])
    // What an interrupted migration has done is no longer pending.
    await client.query(
      `insert into schema_migrations (version, name, sha256, applied_at, serves, steps_left)
       values (2, 'x', '', 0, 1, 1)`,
    )
    assert.deepEqual((await planned(target, directory)).lines, expected.slice(4))
  } finally {
    await client.end()
  }
})

test('the plan of an empty database contains every migration, and locks nothing that is in use', async () => {
  await using database = await createEmptyDatabase()
  const { schema, lines, statements } = await planned(database.target, migrationFiles(pending))
  assert.deepEqual(schema, { version: 0, serves: 0 })
  assert.equal(lines.length, 14)
  assert.ok(statements.every(({ blocks, rows }) => blocks === 'nothing' && rows === null))
})
