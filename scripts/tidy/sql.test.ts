import assert from 'node:assert/strict'
import { test } from 'vitest'
import { check } from './snippets.ts'
import { oneOwnerPerTable, sqlInStores, tablesWritten, timeAndChanceComeIn } from './sql.ts'

const server = 'packages/server/src'

test('SQL is allowed in stores, audits, figures and core only', () => {
  const query = 'const q = `select id, name\n  from users where id = $1`\n'
  const files = {
    [`${server}/iam/users.store.ts`]: query,
    [`${server}/iam/users.audit.ts`]: query,
    [`${server}/iam/users.figures.ts`]: query,
    [`${server}/core/due.ts`]: query,
    [`${server}/iam/users.service.ts`]: `const sentence = 'select a user from the list'\n${query}`,
  }
  assert.deepEqual(
    check([sqlInStores], { ...files, [`${server}/iam/a.service.ts`]: "const s = 'Select one from it.'" }),
    [
      `${server}/iam/users.service.ts:1 SQL belongs in a *.store.ts: move the statement there`,
      `${server}/iam/users.service.ts:2 SQL belongs in a *.store.ts: move the statement there`,
    ],
  )
})

test('the tables that a statement writes are found through its clauses', () => {
  assert.deepEqual(
    tablesWritten('insert into due (kind) values ($1) on conflict do update set wakes = due.wakes + 1'),
    ['due'],
  )
  assert.deepEqual(tablesWritten('update only names n set name = $2 where id = $1'), ['names'])
  assert.deepEqual(tablesWritten('select 1 from instances for update skip locked'), [])
  assert.deepEqual(tablesWritten('select 1 from instances for no key update of instances nowait'), [])
  assert.deepEqual(
    tablesWritten('with gone as (delete from keys returning id) insert into purged select id from gone'),
    ['keys', 'purged'],
  )
})

test('a table that two areas write is reported at the write of the second one', () => {
  const found = check([oneOwnerPerTable], {
    [`${server}/iam/names.store.ts`]: "const a = 'insert into names (id) values ($1)'",
    [`${server}/network/firewalls.store.ts`]:
      "const a = 'select id from names'\nconst b = 'update names set name = $1'",
  })
  assert.deepEqual(found, [
    `${server}/network/firewalls.store.ts:2 table names is written by iam (${server}/iam/names.store.ts): ` +
      'let one area own it and offer a service',
  ])
})

test('only the migration that defines the business clock reads the clock', () => {
  const found = check([timeAndChanceComeIn], {
    [`${server}/iam/names.store.ts`]:
      "const a = 'insert into names (at) values (now())'\nconst b = 'select bourse_now() from one'",
    'migrations/0001_core.sql': 'create function bourse_now() returns bigint as $$ select clock_timestamp() $$;',
    'migrations/0002_iam.sql': '-- not now()\ncreate table users (\n  at timestamptz default current_timestamp\n);',
  })
  assert.deepEqual(
    found.map((line) => line.split(' ')[0]),
    ['migrations/0002_iam.sql:3', `${server}/iam/names.store.ts:1`],
  )
})
