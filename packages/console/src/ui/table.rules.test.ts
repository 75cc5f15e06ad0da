import assert from 'node:assert/strict'
import { test } from 'vitest'
import { csvOf, cut, freshKeys, nextSort, sorted } from './table.rules.ts'

type TestRow = { name: string | null; price: string }
const columns = [
  { id: 'name', title: 'Name', value: ({ name }: TestRow) => name },
  { id: 'price', title: 'Price', value: ({ price }: TestRow) => price },
]
const rows: TestRow[] = [
  { name: 'web-10', price: '9.5' },
  { name: null, price: '10' },
  { name: 'web-9', price: '-1' },
]

test('numbers in texts sort by their size, names by the numbers in them, and nothing comes last', () => {
  assert.deepEqual(
    sorted(rows, columns, 'name').map(({ name }) => name),
    ['web-9', 'web-10', null],
  )
  assert.deepEqual(
    sorted(rows, columns, '-price').map(({ price }) => price),
    ['10', '9.5', '-1'],
  )
  assert.equal(sorted(rows, columns, ''), rows)
  assert.equal(sorted(rows, columns, 'unknown'), rows)
})

test('a heading that is pressed three times has no sort again', () => {
  const once = nextSort('', 'name')
  const twice = nextSort(once, 'name')
  assert.deepEqual([once, twice, nextSort(twice, 'name')], ['name', '-name', ''])
  assert.equal(nextSort('-name', 'price'), 'price')
})

test('CSV quotes what it has to, and no text becomes a formula', () => {
  const csv = csvOf(
    [
      { name: '=1+1', price: '-5' },
      { name: 'a,"b"\n', price: '' },
    ],
    columns,
  )
  assert.equal(csv, `Name,Price\r\n'=1+1,-5\r\n"a,""b""\n",\r\n`)
})

test('of a long list the first items are shown, and the others are counted', () => {
  assert.deepEqual(cut(['a', 'b', 'c'], 2), { shown: ['a', 'b'], more: 1 })
  assert.deepEqual(cut(['a', 'b'], 2), { shown: ['a', 'b'], more: 0 })
  assert.deepEqual(cut([], 2), { shown: [], more: 0 })
})

test('rows that came above known ones are fresh; the next part of a list, and another list, are not', () => {
  assert.deepEqual([...freshKeys(new Set(['a', 'b']), ['d', 'a', 'c', 'b'])], ['d', 'c'])
  assert.deepEqual([...freshKeys(new Set(['a', 'b']), ['a', 'b', 'c'])], [])
  assert.deepEqual([...freshKeys(new Set(['a']), ['x', 'y'])], [])
  assert.deepEqual([...freshKeys(new Set(), ['a'])], [])
})
