import assert from 'node:assert/strict'
import { test } from 'vitest'
import { splitStatements } from './sql-statements.ts'

test('a text is split at semicolons outside of strings, quoted names, dollar quotes and comments', () => {
  const sql = `-- a; b
create table "a;b" (x text default 'it''s; one'); /* c; /* d; */ e */
create function f() returns int as $body$ select 1; $$;$$ $body$;

select $1::int`
  const found = splitStatements(sql)
  assert.deepEqual(
    found.map(({ words, line, comments }) => [words, line, comments]),
    [
      ["create table a;b ( x text default '' ) ", 2, ['a; b']],
      ["create function f ( ) returns int as '' ", 3, []],
      ['select $ 1 :: int ', 5, []],
    ],
  )
  assert.equal(found[0]?.text, `create table "a;b" (x text default 'it''s; one')`)
})

test('words are in lower case, and strings have no content', () => {
  assert.equal(
    splitStatements("Insert INTO t VALUES (E'x', 'drop table')")[0]?.words,
    "insert into t values ( '' , '' ) ",
  )
  assert.deepEqual(splitStatements(' ;; -- nothing\n'), [])
})

test('a string or comment without an end is named with its line', () => {
  for (const sql of ["\nselect 'a", '\nselect $a$ b', '\n/* a /* b */']) {
    assert.throws(() => splitStatements(sql), /^Error: line 2: a (string|comment) has no end$/, sql)
  }
})
