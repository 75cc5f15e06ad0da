import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { openDatabase, statement } from './db.ts'

const database = await createTestDatabase()
const open = openDatabase(database.target)
const session = await open.session()
afterAll(async () => {
  session.release()
  await open[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

test('a repeated statement gives the same result, with all types of columns and parameters', async () => {
  const values = statement<Record<string, unknown>>(
    'test.values',
    `select $1::text as text, $2::bigint as number, $3::numeric as amount, $4::text[] as list, $5::boolean as truth,
       $6::jsonb as object, $7::bytea as bytes, null::text as nothing, n from generate_series(1, $8::bigint) n`,
  )
  const params = ['ä"', 7, 12n, ['a,b', 'c"d', null], true, { a: [1] }, Buffer.from([0, 255]), 2]
  const expected = [1, 2].map((n) => ({
    text: 'ä"',
    number: 7,
    amount: 12n,
    list: ['a,b', 'c"d', null],
    truth: true,
    object: { a: [1] },
    bytes: Buffer.from([0, 255]),
    nothing: null,
    n,
  }))
  for (let i = 0; i < 3; i++) assert.deepEqual(await session.rows(values, params), expected)
  assert.deepEqual(await session.rows(values, [...params.slice(0, -1), 0]), [])
  assert.equal(await session.run(values, params), 2)
})

test('a repeated write returns the number of changed rows', async () => {
  const insert = statement(
    'test.insert',
    'insert into versions (name, value) select $1 || n, 1 from generate_series(1, $2) n',
  )
  const remove = statement('test.remove', 'delete from versions where name like $1')
  for (const count of [3, 5, 0]) {
    assert.equal(await session.run(insert, ['test-', count]), count)
    assert.equal(await session.run(remove, ['test-%']), count)
  }
})

test('a repeated statement that fails does not affect others', async () => {
  const divide = statement<{ result: number }>('test.divide', 'select 12 / $1::integer as result')
  const large = statement<{ large: number }>('test.large', 'select $1::bigint as large')
  assert.deepEqual(await session.rows(divide, [3]), [{ result: 4 }])
  assert.deepEqual(await session.rows(large, [1]), [{ large: 1 }])
  const sent = [
    session.rows(divide, [0]),
    session.rows(divide, [4]),
    session.rows(large, ['9007199254740993']),
    session.rows(divide, ['x']),
    session.rows(large, [2]),
  ]
  const [zero, four, unsafe, odd, two] = await Promise.allSettled(sent)
  assert.equal(zero?.status === 'rejected' && zero.reason.code, '22012')
  assert.deepEqual(four, { status: 'fulfilled', value: [{ result: 3 }] })
  assert.match(unsafe?.status === 'rejected' ? unsafe.reason.message : '', /read it with a cast to numeric/)
  assert.equal(odd?.status === 'rejected' && odd.reason.code, '22P02')
  assert.deepEqual(two, { status: 'fulfilled', value: [{ large: 2 }] })
})

test('statements of a pipelined batch fail from the first failure on, and change nothing', async () => {
  const insert = statement('test.insert_one', 'insert into versions (name, value) values ($1, $2)')
  const count = statement<{ count: number }>('test.count', "select count(*) from versions where name like 'flight-%'")
  const send = (values: readonly unknown[]) => [
    session.command('begin'),
    ...values.map((value, n) => session.run(insert, [`flight-${n}`, value])),
    session.rows(count),
    session.command('commit'),
  ]
  // The first run on a connection uses the driver's own code.
  for (let i = 0; i < 2; i++) {
    assert.deepEqual(await Promise.all(send([])), ['BEGIN', [{ count: 0 }], 'COMMIT'])
    const ends = await Promise.allSettled(send([1, 'x', 3]))
    assert.equal(await session.command('rollback'), 'ROLLBACK')
    const outcomes = ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason.code))
    assert.deepEqual(outcomes.slice(0, 5), ['BEGIN', 1, '22P02', '22P02', '22P02'])
    assert.deepEqual(await session.rows(count), [{ count: 0 }])
  }
  assert.deepEqual(await Promise.all(send([1, 2])), ['BEGIN', 1, 1, [{ count: 2 }], 'COMMIT'])
})

test('a statement name has one text', async () => {
  await session.rows(statement('test.name', 'select 1 as n'))
  await assert.rejects(session.rows(statement('test.name', 'select 2 as n')), /must be unique/)
  assert.deepEqual(await session.rows(statement('test.name', 'select 1 as n')), [{ n: 1 }])
})
