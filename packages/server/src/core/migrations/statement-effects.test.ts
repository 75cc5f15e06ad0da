import assert from 'node:assert/strict'
import pg from 'pg'
import { test } from 'vitest'
import { createEmptyDatabase } from '../../../test/support/database.ts'
import { splitStatements } from './sql-statements.ts'
import { effectOf, type LockMode, lockModes } from './statement-effects.ts'

/** An effect on one line: the action, its locks, its work, and whether it is a contract step. */
function effect(sql: string): string {
  const { action, locks, work, is_contract } = effectOf(splitStatements(sql)[0]?.words ?? '')
  const places = locks.map((lock) =>
    'table' in lock ? `${lock.table} ${lock.mode}` : `index ${lock.index} ${lock.mode}`,
  )
  return [action, places.join(' + ') || '-', work, ...(is_contract ? ['contract'] : [])].join(' | ')
}

const effects: readonly [sql: string, effect: string][] = [
  ['create table b (id int, a_id int references a (id))', 'create table | a SHARE ROW EXCLUSIVE | none'],
  ['create table b (id int, parent int references b)', 'create table | - | none'],
  ['create table c partition of a for values in (1)', 'create table | a ACCESS EXCLUSIVE | none'],
  ['create index i on a (b)', 'create index | a SHARE | scan'],
  ['create unique index i on only a using btree (b)', 'create index | a SHARE | scan'],
  ['create index concurrently i on a (b)', 'create index concurrently | a SHARE UPDATE EXCLUSIVE | scan'],
  ['drop index i', 'drop index | index i ACCESS EXCLUSIVE | none'],
  ['drop index concurrently if exists i', 'drop index concurrently | index i SHARE UPDATE EXCLUSIVE | none'],
  ['drop table if exists a', 'drop table | a ACCESS EXCLUSIVE | none | contract'],
  ['alter table a add column b int', 'add column | a ACCESS EXCLUSIVE | none'],
  ["alter table a add b text not null default ''", 'add column | a ACCESS EXCLUSIVE | none'],
  ['alter table a add column b uuid default gen_random_uuid()', 'add column | a ACCESS EXCLUSIVE | rewrite'],
  ['alter table a add column b int generated always as (c + 1) stored', 'add column | a ACCESS EXCLUSIVE | rewrite'],
  ['alter table a add column b bigserial', 'add column | a ACCESS EXCLUSIVE | rewrite'],
  ['alter table a add column b int check (b > 0)', 'add column | a ACCESS EXCLUSIVE | scan'],
  ['alter table a add column b int references c', 'add column | a ACCESS EXCLUSIVE + c SHARE ROW EXCLUSIVE | none'],
  ['alter table a add constraint k check (b in (1, 2))', 'add constraint | a ACCESS EXCLUSIVE | scan'],
  [
    'alter table a add constraint k check (b > 0) not valid',
    'add constraint, not validated | a ACCESS EXCLUSIVE | none',
  ],
  [
    'alter table a add foreign key (b) references c (id)',
    'add constraint | a SHARE ROW EXCLUSIVE + c SHARE ROW EXCLUSIVE | scan',
  ],
  ['alter table a add unique (b)', 'add constraint | a ACCESS EXCLUSIVE | scan'],
  ['alter table a add constraint k unique using index i', 'add constraint, not validated | a ACCESS EXCLUSIVE | none'],
  ['alter table a validate constraint k', 'validate constraint | a SHARE UPDATE EXCLUSIVE | scan'],
  ['alter table a drop constraint k', 'drop constraint | a ACCESS EXCLUSIVE | none'],
  ['alter table a drop column b', 'drop column | a ACCESS EXCLUSIVE | none | contract'],
  ['alter table a rename column b to c', 'rename | a ACCESS EXCLUSIVE | none | contract'],
  ['alter table a rename to c', 'rename | a ACCESS EXCLUSIVE | none | contract'],
  ['alter table a alter column b type bigint', 'alter column type | a ACCESS EXCLUSIVE | rewrite | contract'],
  ['alter table a alter b set data type bigint', 'alter column type | a ACCESS EXCLUSIVE | rewrite | contract'],
  ['alter table a alter column b set not null', 'set not null | a ACCESS EXCLUSIVE | scan | contract'],
  ['alter table a alter column b drop default', 'drop default | a ACCESS EXCLUSIVE | none | contract'],
  ['alter table a alter column b drop not null', 'alter column | a ACCESS EXCLUSIVE | none'],
  ['alter table a alter column b set default 7', 'alter column | a ACCESS EXCLUSIVE | none'],
  ['alter table a set (fillfactor = 50)', 'set storage parameters | a SHARE UPDATE EXCLUSIVE | none'],
  ['alter table a set logged', 'set logged | a ACCESS EXCLUSIVE | unknown'],
  [
    'alter table public.a add column b int, add constraint k check (b in (1, 2)), drop column c',
    'add column, add constraint, drop column | a ACCESS EXCLUSIVE | scan | contract',
  ],
  [
    'create trigger t after insert on a for each row execute function f()',
    'create trigger | a SHARE ROW EXCLUSIVE | none',
  ],
  ['drop trigger t on a', 'drop trigger | a ACCESS EXCLUSIVE | none'],
  ['insert into a (b) select 1', 'insert | a ROW EXCLUSIVE | rows'],
  ['update only a set b = 1', 'update | a ROW EXCLUSIVE | rows'],
  ['delete from a', 'delete | a ROW EXCLUSIVE | rows'],
  ['create or replace function f() returns int as $$ select 1 $$', 'create function | - | none'],
  ['drop function f', 'drop function | - | none | contract'],
  ['grant select on a to b', 'grant | - | none'],
  ['revoke select on a from b', 'revoke | - | none | contract'],
  ['do $$ begin end $$', "do '' | - | unknown"],
  ['cluster a using i', 'cluster a using | - | unknown'],
]

for (const [sql, expected] of effects) {
  test(`the effect of ${sql}`, () => assert.equal(effect(sql), expected))
}

const world = `
  create table a (id int primary key, b int, c int, d text);
  insert into a values (1, 1, 1, 'x');
  create table c (id int primary key);
  insert into c values (1);
  alter table a add constraint k check (b > 0) not valid;
  alter table a add constraint f foreign key (b) references c (id) not valid;
  create index i on a (c);
  create unique index u on a (c);
  create function g() returns trigger language plpgsql as $$ begin return new; end $$;
  create trigger t after insert on a for each row execute function g();`
const statements = [
  'create table b (id int, a_id int references a (id))',
  'create index j on a (b)',
  'drop index i',
  'drop table a',
  'alter table a add column e int',
  'alter table a add column e uuid default gen_random_uuid()',
  'alter table a add column e bigserial',
  'alter table a add column e int generated always as (c + 1) stored',
  'alter table a add column e int references c',
  'alter table a add constraint l check (b in (1, 2))',
  'alter table a add constraint l check (b in (1, 2)) not valid',
  'alter table a add foreign key (c) references c',
  'alter table a add unique (b)',
  'alter table a add constraint l unique using index u',
  'alter table a validate constraint k',
  'alter table a validate constraint f',
  'alter table a drop constraint k',
  'alter table a drop column c',
  'alter table a rename column b to e',
  'alter table a rename to e',
  'alter table a alter column c type bigint',
  'alter table a alter column b set not null',
  'alter table a alter column b drop default',
  'alter table a alter column b set default 7',
  'alter table a set (fillfactor = 50)',
  'drop trigger t on a',
  'insert into a values (2, 1)',
  'delete from a',
  'create trigger s after insert on a for each row execute function g()',
  'update only a set b = 1',
  'truncate a',
  'grant select on a to public',
  'create view v as select 1 as x',
  'drop function if exists h',
]

test('PostgreSQL takes the locks of the effects, and writes a table anew where they say so', async () => {
  await using database = await createEmptyDatabase()
  const client = new pg.Client({ ...database.target })
  await client.connect()
  try {
    await client.query(world)
    const ask = async <T extends pg.QueryResultRow>(text: string): Promise<T[]> => (await client.query<T>(text)).rows
    const [before] = await ask<{ a: number; c: number; file: number }>(
      "select 'a'::regclass::oid as a, 'c'::regclass::oid as c, relfilenode as file from pg_class where relname = 'a'",
    )
    assert.ok(before)
    const tables = new Map([
      ['a', before.a],
      ['c', before.c],
    ])
    for (const sql of statements) {
      await client.query('begin')
      await client.query(sql)
      const held: { relation: number; mode: string }[] = await ask(
        `select relation, mode from pg_locks where pid = pg_backend_pid() and relation in (${before.a}, ${before.c})`,
      )
      const files: { file: number }[] = await ask(`select relfilenode as file from pg_class where oid = ${before.a}`)
      await client.query('rollback')
      const { locks, work } = effectOf(splitStatements(sql)[0]?.words ?? '')
      for (const [name, oid] of tables) {
        // A dropped foreign key also locks the table that it refers to, which the statement does not name.
        if (sql.startsWith('drop') && name === 'c') continue
        const modes = held.filter(({ relation }) => relation === oid).map(({ mode }) => modeOf(mode))
        const named = locks.find((lock) => ('table' in lock ? lock.table : 'a') === name)?.mode
        // The effects leave out locks that only read.
        const strongest = lockModes.findLast((mode) => modes.includes(mode) && !/^(ACCESS|ROW) SHARE$/.test(mode))
        assert.equal(named, strongest, `${sql}: ${name}`)
      }
      const isNew: boolean = !/^(drop table|truncate)/.test(sql) && files[0]?.file !== before.file
      assert.equal(work === 'rewrite', isNew, sql)
    }
  } finally {
    await client.end()
  }
})

/** `ShareRowExclusiveLock` as `SHARE ROW EXCLUSIVE`. */
function modeOf(name: string): LockMode {
  const words = name.replace(/Lock$/, '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return words.toUpperCase() as LockMode
}
