import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { recordOf, tableOf } from './table.ts'

const plain = { header: true, width: undefined, dim: (text: string) => text }

const rows = [
  {
    id: 'inst_1',
    name: 'a',
    sku: { object: 'sku', id: 'sku_1', alias: 'h100' },
    created_at: 1_767_225_600,
    tags: null,
  },
  { id: 'inst_2', name: 'longer', sku: null, created_at: null, tags: { team: 'x' } },
]

test('columns are as wide as their widest cell, objects show their name or id, and times are in UTC', () => {
  assert.equal(
    tableOf(rows, ['id', 'name', 'sku', 'created_at', 'tags'], plain),
    [
      'ID      NAME    SKU   CREATED AT            TAGS',
      'inst_1  a       h100  2026-01-01 00:00:00Z  -',
      'inst_2  longer  -     -                     team=x',
    ].join('\n'),
  )
})

test('nested members have their own columns, and the header is optional', () => {
  assert.equal(tableOf(rows, ['sku.id', 'name'], { ...plain, header: false }), 'sku_1  a\n-      longer')
})

test('a record has a line for each member', () => {
  assert.equal(
    recordOf({ id: 'a', created_at: 0 }, ['id', 'created_at'], plain),
    'id          a\ncreated_at  1970-01-01 00:00:00Z',
  )
})

test('text cannot move the cursor, colour the terminal or add lines', () => {
  const nasty = '\u001b[31mred\u001b[0m\nnext\u0007\u202e'
  const shown = tableOf([{ name: nasty }], ['name'], plain)
  assert.equal(shown.split('\n').length, 2)
  for (const character of '\u001b\u0007\u202e') assert.ok(!shown.includes(character))
})

test('ids are never cut, other cells shrink, and columns without room are dropped from the right', () => {
  const wide = [{ id: 'x'.repeat(26), name: 'a-rather-long-name', state: 'awaiting_allocation', created_at: 0 }]
  const shown = (width: number, can_drop_columns: boolean) =>
    tableOf(wide, ['id', 'name', 'state', 'created_at'], { ...plain, header: false, width, can_drop_columns })
  assert.equal(shown(200, true), `${'x'.repeat(26)}  a-rather-long-name  awaiting_allocation  1970-01-01 00:00:00Z`)
  for (const width of [56, 60, 80]) {
    assert.ok(shown(width, true).startsWith(`${'x'.repeat(26)}  a-`))
    assert.ok([...shown(width, true)].length <= width)
  }
  assert.equal(shown(40, true), `${'x'.repeat(26)}  a-rather-lo…`)
  assert.equal(shown(10, true), 'x'.repeat(26))
  assert.match(shown(40, false), /1970/)
})

test('a table fits the terminal while its columns have room for a word', () => {
  const cells = fc.array(fc.record({ a: fc.string(), b: fc.string(), c: fc.string() }), { minLength: 1, maxLength: 5 })
  const check = (some: object[], width: number) => {
    const text = tableOf(some, ['a', 'b', 'c'], { ...plain, width })
    for (const line of text.split('\n')) assert.ok([...line].length <= Math.max(width, 28), line)
  }
  fc.assert(fc.property(cells, fc.integer({ min: 10, max: 120 }), check))
})
