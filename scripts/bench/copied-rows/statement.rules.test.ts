import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type CopiedTable, copyStatement, countsOf, firstNumber } from './statement.rules.ts'

const id = { name: 'id', kind: 'text', is_indexed: true, is_renewed: true } as const
const size = { name: 'size', kind: 'int8', is_indexed: false, is_renewed: false } as const

const table: CopiedTable = {
  schema: 'bench_copies_4',
  name: 'pools',
  inserts: 1,
  updates: 0.5,
  deletes: 0,
  templates: 3,
  columns: [id, size],
  key: ['id'],
}

test('the rows of fractions of an operation add up, and no statement changes a row twice', () => {
  const counts = [0, 1, 2, 3].map((from) => countsOf(table, from, from + 1).updates)
  assert.deepEqual(counts, [0, 1, 0, 1])
  assert.equal(countsOf(table, 0, 100).inserts, 100)
  assert.equal(countsOf(table, 0, 100).updates, 3)
})

test('a row that is inserted has a new key and the other values of a template', () => {
  const text = copyStatement([table])
  assert.ok(text.includes('insert into "bench_copies_4"."pools" ("id", "size")'), text)
  assert.ok(text.includes(`select left(t."id", 5) || lpad(n::text, 21, '0'), t."size" from`), text)
  assert.ok(text.includes('join "bench_copies_4"."pools_templates" t on t.bench_number = n % 3'), text)
})

test('an update changes a value with an index where a column outside of the key has one', () => {
  assert.ok(copyStatement([table]).includes('set "size" = x."size" from'))
  const indexed = { ...table, columns: [id, { ...size, is_indexed: true }] }
  assert.ok(copyStatement([indexed]).includes('set "size" = 1000000000 + n % 1000000000 from'))
})

test('rows that change need an index that identifies them, and new values a type that they are known for', () => {
  assert.throws(() => copyStatement([{ ...table, key: [] }]), /Rows of pools are changed, and no index identifies them/)
  const strange = { ...table, columns: [{ ...id, kind: 'other' as const }] }
  assert.throws(() => copyStatement([strange]), /The column id has a type that no new value is known for/)
})

test('numbers of new rows stay exact', () => {
  assert.ok(firstNumber + 1e12 < Number.MAX_SAFE_INTEGER)
})
