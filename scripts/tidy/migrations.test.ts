import assert from 'node:assert/strict'
import { test } from 'vitest'
import { migrationsKeepServing, migrationsOnlyAdded, sha256Of } from './migrations.ts'
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

const old = Object.fromEntries(
  Array.from({ length: 37 }, (_, index) => [
    `migrations/${String(index + 1).padStart(4, '0')}_old.sql`,
    'create index i on a (b);\nalter table a drop column c;\n',
  ]),
)

/** The findings in migrations 38, 39, …, as `number:line message`. */
function serving(...texts: string[]): string[] {
  const files = texts.map((text, index) => [`migrations/00${38 + index}_new.sql`, text])
  const found = check([migrationsKeepServing], {
    ...old,
    ...Object.fromEntries(files),
    'migrations/schema.sql': 'do x',
  })
  return found.map((line) => line.replace(/^migrations\/00(\d\d)_new\.sql/, '$1'))
}

const serves = '-- serves: 37\n'
const outside = '-- step: outside a transaction\n'

test('migrations from before the rule pass, and new ones that only expand', () => {
  const expanding = `${serves}create table b (id int primary key, a_id int references a (id));
create index b_by_a on b (a_id);
alter table b add constraint k check (id > 0);
update b set id = 1;
alter table a add column e int not null default 0;
alter table a add constraint k check (e > 0) not valid;
alter table a validate constraint k;
create function f() returns int as $$ select 1 $$;
${outside}create index concurrently a_by_e on a (e);
`
  assert.deepEqual(serving(expanding), [])
})

test('a new migration names the oldest program that it serves, and never one that others no longer serve', () => {
  assert.deepEqual(serving('create table b ();'), [
    '38:1 name the oldest program that it serves on the first line: `-- serves: N`',
  ])
  assert.match(serving('-- serves: 39\ncreate table b ();')[0] ?? '', /with N from 1 to 38$/)
  assert.match(serving('-- serves: 36\ncreate table b ();')[0] ?? '', /^38:1 serves 36 has no effect/)
  assert.deepEqual(serving('-- serves: 38\ncreate table b ();', '-- serves: 38\ncreate table c ();'), [])
  assert.match(serving('-- serves: 38\ncreate table b ();', `${serves}create table c ();`)[0] ?? '', /^39:1 serves 37/)
})

for (const [sql, message] of [
  ['create index a_by_b on a (b)', /blocks writes: create the index concurrently/],
  ['alter table a add constraint k check (b > 0)', /^38:3 add constraint reads the whole table while others wait/],
  ['alter table a add foreign key (b) references c (id)', /reads the whole table/],
  ['alter table a add column b uuid default gen_random_uuid()', /^38:3 add column reads the whole table/],
  ['update a set b = 1', /update keeps rows locked/],
  ['delete from a where b = 1', /delete keeps rows locked/],
  ['do $$ begin end $$', /nobody knows what `do ''` locks/],
  ['lock table a', /nobody knows what `lock table a` locks/],
] as const) {
  test(`a new migration needs a reason for: ${sql}`, () => {
    const found = serving(`${serves}\n${sql};\ncreate table b ();`)
    assert.equal(found.length, 1, found.join('\n'))
    assert.match(found[0] ?? '', message)
    assert.match(found[0] ?? '', /^38:3 .*`-- locks: …`$/)
    assert.deepEqual(serving(`${serves}-- locks: a is small\n${sql};`), [])
    assert.equal(serving(`${serves}create table b ();\n${sql};\n-- locks: too late\n`).length, 1)
  })
}

for (const sql of [
  'alter table a drop column b',
  'alter table a rename column b to c',
  'alter table a alter column b type bigint',
  'alter table a alter column b set not null',
  'drop table a',
]) {
  test(`a new migration needs a reason, and serves fewer programs, for: ${sql}`, () => {
    const why = '-- locks: unused since 38\n'
    assert.match(serving(`-- serves: 38\n${sql};`).join(), /^38:2 .*expand first and contract later, or say why/)
    assert.match(serving(`${serves}${why}${sql};`).join(), /^38:3 takes something away: raise `-- serves` above 37/)
    assert.deepEqual(serving(`-- serves: 38\n${why}${sql};`), [])
    // One that follows another contract step may serve the same programs.
    assert.deepEqual(serving(`-- serves: 38\n${why}${sql};`, `-- serves: 38\n${why}drop table b;`), [])
  })
}

test('a step of a new migration shuts one table at a time, so that none is shut while it waits for another', () => {
  const between = Array.from({ length: 30 }, () => `${serves}create table b ();`)
  const found = (sql: string) => serving(...between, `${serves}${sql}`)
  const [one, other] = ['alter table a add column e int;\n', 'alter table c add column e int;\n']
  const step = '-- step: in a transaction\n'
  assert.deepEqual(found(`${one}${other}`), [
    '68:3 waits for c while a is shut: give it a step of its own, `-- step: in a transaction`, ' +
      'or say why it may in a comment before it: `-- locks: …`',
  ])
  for (const [also, table] of [
    ['alter table c add constraint f foreign key (e) references d (id) not valid;', 'c'],
    ['create trigger t before insert on c for each row execute function f();', 'c'],
    ['drop index c_by_e;', 'the table of c_by_e'],
  ]) {
    assert.match(found(`${one}${also}`)[0] ?? '', new RegExp(`^68:3 waits for ${table} while a is shut`))
  }
  assert.match(found('alter table a add column e int references c (id);')[0] ?? '', /^68:2 waits for c while a is shut/)
  assert.deepEqual(found(`${one}alter table a drop constraint f;`), [])
  assert.deepEqual(found(`${one}${step}${other}`), [])
  assert.deepEqual(found(`${one}-- locks: nobody uses c yet\n${other}`), [])
  assert.deepEqual(
    found(`${one}alter table a add column f int;\ncreate table d (e int);\nalter table d add column g int;`),
    [],
  )
  assert.deepEqual(serving(`${serves}${one}${other}`), [], 'older ones are published')
})
