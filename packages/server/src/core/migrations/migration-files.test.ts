import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'vitest'
import { indexOf, lineOfStep, type MigrationStep, parseMigration, readMigrations } from './migration-files.ts'
import { schemaProblem } from './schema-state.ts'
import { type SqlStatement, splitStatements } from './sql-statements.ts'

const column = 'alter table a add column b int;'
const index = 'create index concurrently a_by_b on a (b);'
const outside = '-- step: outside a transaction'
const inside = '-- step: in a transaction'

function parsed(...lines: string[]) {
  const found = parseMigration(lines.join('\n'), 9)
  return 'problem' in found ? found.problem : found
}

test('a migration serves the programs that its first line names, or those that have it', () => {
  for (const [sql, serves] of [
    [`-- serves: 7\n${column}`, 7],
    [`-- serves: 9\n${column}`, 9],
    [column, 9],
  ] as const) {
    const found = parseMigration(sql, 9)
    assert.equal('serves' in found && found.serves, serves)
  }
  for (const line of [
    '-- serves: 10',
    '-- serves: 0',
    '-- serves: 07',
    '-- serves: seven',
    '-- serves 7',
    '--serves: 7',
    '-- serves: 7 ',
    ' -- serves: 7',
    '-- Serves: 7',
    '-- serves: 7, 8',
    '-- serves: -1',
    '-- serves:',
  ]) {
    assert.match(
      String(parsed(line, column)),
      /^line 1: write `-- serves: N` on the first line, with N from 1 to 9$/,
      line,
    )
  }
  assert.match(String(parsed(column, '-- serves: 7')), /^line 2: write `-- serves: N` on the first line/)
})

test('steps are divided by lines that say where they run', () => {
  const found = parsed('-- serves: 8', '-- What it is for.', column, outside, '-- Why.', index, inside, 'select x;')
  assert.ok(typeof found === 'object')
  assert.deepEqual(
    found.steps.map(({ is_outside, line, statements }) => [is_outside, line, statements.map((one) => one.line)]),
    [
      [false, 1, [3]],
      [true, 4, [6]],
      [false, 7, [8]],
    ],
  )
  const last = found.steps[2] as MigrationStep
  assert.equal(lineOfStep(last, last.sql.indexOf('select')), 8)
  const only = parsed('-- serves: 8', '-- Why.', outside, index)
  assert.equal(typeof only === 'object' && only.steps.length, 1)
})

test('a step that could not be resumed, and a line that almost divides steps, are refused', () => {
  assert.match(String(parsed(column, '-- step: outside', index)), /^line 2: a step begins with/)
  assert.match(String(parsed(column, `${outside} `, index)), /^line 2: a step begins with/)
  assert.match(String(parsed(index)), /^line 1: an index is built concurrently in a step of its own/)
  for (const statements of [
    [index, index],
    ['create index concurrently on a (b);'],
    ['create index concurrently if not exists a_by_b on a (b);'],
    ['create index a_by_b on a (b);'],
    ['drop index concurrently a_by_b;'],
    ['vacuum a;'],
    [],
  ]) {
    const found = String(parsed(column, outside, ...statements))
    assert.match(found, /^line 2: a step outside a transaction is one/, statements.join())
  }
  assert.match(String(parsed("select 'x")), /^line 1: a string has no end/)
})

test('the index of a step is found in its statement', () => {
  const of = (sql: string) => indexOf(splitStatements(sql)[0] as SqlStatement)
  assert.deepEqual(of('create unique index concurrently a_by_b on only a using btree (b)'), {
    is_creation: true,
    index: 'a_by_b',
    table: 'a',
  })
  assert.deepEqual(of('drop index concurrently if exists a_by_b'), {
    is_creation: false,
    index: 'a_by_b',
    table: undefined,
  })
})

test('every migration of the program can be read', async () => {
  const migrations = await readMigrations(join(import.meta.dirname, '../../../../../migrations'))
  for (const { steps, name } of migrations) {
    assert.ok(
      steps.every(({ statements }) => statements.length > 0),
      name,
    )
  }
})

test('a program works with a schema that has all of its migrations and serves it', () => {
  assert.equal(schemaProblem(37, { version: 37, serves: 37 }), undefined)
  assert.equal(schemaProblem(37, { version: 40, serves: 37 }), undefined)
  assert.equal(schemaProblem(37, { version: 40, serves: 12 }), undefined)
  assert.match(String(schemaProblem(37, { version: 36, serves: 12 })), /schema 36 is older than schema 37/)
  assert.match(String(schemaProblem(37, { version: 40, serves: 38 })), /serves programs of schema 38 and newer/)
  // A migration that is being applied counts with its first step.
  assert.match(String(schemaProblem(37, { version: 37, serves: 38 })), /serves programs of schema 38 and newer/)
})
