import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { columnOf, pathsOf } from './columns.ts'
import { nearest } from './nearest.ts'
import { readSort } from './order.ts'
import type { ObjectType, ValueType } from './value-types.ts'

const text: ValueType = { kind: 'text' }
const sku: ObjectType = {
  kind: 'object',
  members: new Map([
    ['id', text],
    ['alias', text],
  ]),
  isWindow: false,
}
const type: ObjectType = {
  kind: 'object',
  isWindow: false,
  members: new Map<string, ValueType>([
    ['object', text],
    ['name', text],
    ['amount_dollars', { kind: 'money' }],
    ['created_at', { kind: 'time', of: 'moment' }],
    ['sku', sku],
    ['skus', { kind: 'list', of: sku }],
    ['tags', { kind: 'map', of: text, keys: undefined }],
  ]),
}

function sorted(by: string, rows: readonly Record<string, unknown>[]): unknown[] {
  return rows.toSorted(readSort(by, type)).map(({ n }) => n)
}

test('rows are sorted by several columns, each rising or falling, and rows without a value come last', () => {
  const rows = [
    { n: 1, name: 'node-10', created_at: 5 },
    { n: 2, name: 'node-2', created_at: 5 },
    { n: 3, name: 'node-2', created_at: 7 },
    { n: 4, name: null, created_at: 9 },
  ]
  assert.deepEqual(sorted('name', rows), [2, 3, 1, 4])
  assert.deepEqual(sorted('name,-created_at', rows), [3, 2, 1, 4])
  assert.deepEqual(sorted('-name', rows), [1, 2, 3, 4])
  assert.deepEqual(sorted('name', rows.toReversed()), [3, 2, 1, 4])
  assert.deepEqual(sorted('-name,created_at', rows.toReversed()), [1, 2, 3, 4])
  assert.deepEqual(sorted('-created-at, name', rows), [4, 3, 2, 1])
})

test('money is sorted as an amount, and an object by its name', () => {
  const amounts = ['9.000000', '10.000000', '-1.000000', '9007199254740993.000001', '-5.000000']
  const rows = amounts.map((amount_dollars, n) => ({ n, amount_dollars }))
  assert.deepEqual(sorted('amount_dollars', rows), [4, 2, 0, 1, 3])
  const named = ['b', 'a'].map((alias, n) => ({ n, sku: { id: `sku_${n}`, alias } }))
  assert.deepEqual(sorted('sku', named), [1, 0])
  assert.deepEqual(sorted('-sku.alias', named), [0, 1])
})

test('the order of rows that are equal stays, and falling is the reverse of rising', () => {
  const check = (created: number[]) => {
    const rows = created.map((created_at, n) => ({ n, created_at }))
    const rising = rows.toSorted(readSort('created_at', type))
    for (const [index, row] of rising.entries()) {
      const before = rising[index - 1]
      if (!before) continue
      assert.ok(before.created_at < row.created_at || (before.created_at === row.created_at && before.n < row.n))
    }
    const falling = rows.toSorted(readSort('-created_at', type)).map((row) => row.created_at)
    assert.deepEqual(
      falling.toReversed(),
      rising.map((row) => row.created_at),
    )
  }
  fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 12 }), check))
})

test('an unknown column and one without an order are refused', () => {
  for (const wrong of ['nmae', '-', 'sku.none']) assert.throws(() => readSort(wrong, type), /There is no column/, wrong)
  for (const many of ['tags', 'skus', 'skus.alias']) assert.throws(() => readSort(many, type), /has no order/, many)
})

test('columns are found by their paths, also written with hyphens, and the nearest one is named', () => {
  assert.equal(columnOf('created-at', type).name, 'created_at')
  assert.equal(columnOf('tags.my-team', type).name, 'tags.my-team')
  assert.deepEqual(pathsOf(type).slice(-5), ['sku.id', 'sku.alias', 'skus', 'skus.id', 'skus.alias', 'tags'].slice(-5))
  assert.equal(nearest('create_at', pathsOf(type))[0], 'created_at')
  assert.deepEqual(nearest('zzzzzzzzzzzz', pathsOf(type)), [])
  assert.throws(
    () => columnOf('nmae', type),
    (error: Error & { remedy?: string }) => {
      assert.match(error.remedy ?? '', /^Did you mean name\? Columns: name, amount_dollars, .*Write nested ones/)
      return true
    },
  )
})
