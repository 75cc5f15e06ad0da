import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrationsOnlyAdded, sha256Of } from './migrations.ts'
import { check } from './snippets.ts'

const first = 'create table a ();\n'

test('a published migration is neither changed nor removed', () => {
  const published = [
    { path: 'migrations/0001_core.sql', sha256: sha256Of(first) },
    { path: 'migrations/0002_iam.sql', sha256: sha256Of('create table b ();\n') },
  ]
  const files = { 'migrations/0001_core.sql': first, 'migrations/0002_iam.sql': 'create table c ();\n' }
  assert.deepEqual(check([migrationsOnlyAdded(published)], files), [
    'migrations/0002_iam.sql:1 a published migration may not change: undo this and write the next one',
  ])
  assert.match(check([migrationsOnlyAdded(published)], {})[0] ?? '', /may not be removed/)
})

test('the numbers of new migrations continue without a gap', () => {
  const files = { 'migrations/0001_core.sql': first, 'migrations/0003_iam.sql': '', 'migrations/schema.sql': '' }
  assert.deepEqual(check([migrationsOnlyAdded([])], files), [
    'migrations/0003_iam.sql:1 should be migrations/0002_name.sql: numbers continue without a gap',
  ])
})
