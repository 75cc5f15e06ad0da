import assert from 'node:assert/strict'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { test } from 'vitest'
import { plainStyle } from '../cells.ts'
import { columnOf } from './columns.ts'
import { type TableOptions, tableOf } from './table.ts'
import type { ObjectType, ValueType } from './value-types.ts'

const text: ValueType = { kind: 'text' }
const sku: ObjectType = {
  kind: 'object',
  members: new Map([
    ['object', text],
    ['id', text],
    ['alias', text],
  ]),
  isWindow: false,
}
const members = new Map<string, ValueType>([
  ['id', { kind: 'id', of: 'instance', isOwn: true }],
  ['name', text],
  ['state', { kind: 'word', words: ['running'], isOpen: true }],
  ['sku', sku],
  ['price_dollars_per_node_hour', { kind: 'money' }],
  ['amount_dollars', { kind: 'money' }],
  ['node_count', { kind: 'number', of: undefined }],
  ['created_at', { kind: 'time', of: 'moment' }],
  ['tags', { kind: 'map', of: text, keys: undefined }],
  ['steps', { kind: 'list', of: text }],
])
const type: ObjectType = { kind: 'object', members, isWindow: false }
const plain: TableOptions = { header: true, width: undefined, style: plainStyle, dim: String }

function table(rows: readonly unknown[], names: readonly string[], options: Partial<TableOptions> = {}) {
  return tableOf({ rows, type, columns: names.map((name) => columnOf(name, type)) }, { ...plain, ...options })
}

function lines(rows: readonly unknown[], names: readonly string[], options: Partial<TableOptions> = {}): string[] {
  return table(rows, names, options)?.text.split('\n') ?? []
}

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

test('columns are as wide as their widest cell, objects show their name, and times are in UTC', () => {
  assert.deepEqual(lines(rows, ['id', 'name', 'sku', 'created_at', 'tags']), [
    'ID      NAME    SKU   CREATED AT            TAGS',
    'inst_1  a       h100  2026-01-01 00:00:00Z  -',
    'inst_2  longer  -     -                     team=x',
  ])
})

test('nested members have their own columns, and the header is optional', () => {
  assert.deepEqual(lines(rows, ['sku.id', 'name'], { header: false }), ['sku_1  a', '-      longer'])
})

test('numbers are on the right, and amounts have their points below each other', () => {
  const paid = [
    { amount_dollars: '1234.500000', node_count: 2, price_dollars_per_node_hour: '18.000000' },
    { amount_dollars: '-0.000017', node_count: 100, price_dollars_per_node_hour: null },
  ]
  assert.deepEqual(lines(paid, ['amount_dollars', 'node_count', 'price_dollars_per_node_hour']), [
    '       AMOUNT  NODE COUNT  PRICE $/NODE-H',
    '$1,234.500000           2          $18.00',
    '   -$0.000017         100               -',
  ])
})

test('a cell with several lines leaves the others of its row empty, and a long one says how many are left out', () => {
  const long = Array.from({ length: 12 }, (_, index) => `step-${index}-${'x'.repeat(20)}`)
  const shown = lines([{ name: 'a', steps: long }], ['name', 'steps'], { header: false })
  assert.equal(shown.length, 8)
  assert.match(shown[0] as string, /^a {2}step-0-x+$/)
  assert.match(shown[1] as string, /^ {3}step-1-x+$/)
  assert.equal(shown.at(-1), '   … 5 more')
  const exact = { ...plainStyle, exact: true }
  assert.equal(lines([{ name: 'a', steps: long }], ['name', 'steps'], { header: false, style: exact }).length, 12)
})

test('text cannot move the cursor, colour the terminal or add lines', () => {
  const nasty = '\u001b[31mred\u001b[0m\nnext\u0007\u202e'
  const shown = lines([{ name: nasty }], ['name'])
  assert.equal(shown.length, 2)
  for (const character of '\u001b\u0007\u202e') assert.ok(!shown.join('').includes(character))
})

test('a narrow terminal cuts text, then leaves columns out, and where too little is left has no table', () => {
  const name = 'a-rather-long-name-of-an-instance'
  const wide = [{ id: 'x'.repeat(26), name, state: 'awaiting_allocation', created_at: 0 }]
  const names = ['id', 'name', 'state', 'created_at']
  const shown = (width: number, droppable: readonly string[] = []) =>
    table(wide, names, { header: false, width, droppable })
  assert.equal(shown(200)?.text, `${'x'.repeat(26)}  ${name}  awaiting_allocation  1970-01-01 00:00:00Z`)
  assert.equal(shown(90)?.text, `${'x'.repeat(26)}  a-rather-long-name…  awaiting_allocation  1970-01-01 00:00:00Z`)
  const without = shown(66, ['created_at', 'state'])
  assert.deepEqual(without?.dropped, ['created_at'])
  assert.equal(without?.text, `${'x'.repeat(26)}  a-rather-long-na…  awaiting_allocation`)
  assert.equal(shown(66), undefined)
})

test('a wide column that is left out makes room for narrow ones', () => {
  const row = [{ name: 'a', state: 'running', steps: ['x'.repeat(30)], node_count: 2 }]
  const shown = table(row, ['name', 'state', 'steps', 'node_count'], {
    width: 26,
    droppable: ['node_count', 'state', 'steps'],
  })
  assert.deepEqual(shown?.dropped, ['state', 'node_count'])
  const fixed = table([{ ...row[0], created_at: 0 }], ['name', 'node_count', 'created_at'], {
    width: 20,
    droppable: ['node_count', 'created_at'],
  })
  assert.deepEqual(fixed?.dropped, ['created_at'])
})

test('headers are wrapped at their words before a column is left out', () => {
  const row = [{ name: 'a', node_count: 1, amount_dollars: '1.000000' }]
  assert.deepEqual(lines(row, ['name', 'node_count', 'amount_dollars'], { width: 19 }), [
    '       NODE',
    'NAME  COUNT  AMOUNT',
    'a         1   $1.00',
  ])
})

const anyRow = fc.record({
  id: fc.stringMatching(/^inst_[a-z0-9]{3,21}$/),
  name: fc.string({ unit: 'grapheme', maxLength: 40 }),
  state: fc.constantFrom('running', 'failed', 'awaiting_allocation'),
  amount_dollars: fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }).map((micros) => {
    const digits = String(micros < 0n ? -micros : micros).padStart(7, '0')
    return `${micros < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
  }),
  node_count: fc.nat(),
  created_at: fc.integer({ min: 0, max: 4_000_000_000 }),
})
const all = ['id', 'name', 'state', 'amount_dollars', 'node_count', 'created_at']

test('a table is never wider than the terminal, and never cuts money, times, numbers, ids and states', () => {
  const check = (some: Record<string, unknown>[], width: number) => {
    const shown = table(some, all, { width, droppable: ['name', 'created_at', 'node_count'] })
    if (shown === undefined) return
    for (const line of shown.text.split('\n')) assert.ok(stringWidth(line) <= width, `${stringWidth(line)} ${line}`)
    const kept = all.filter((name) => name !== 'name' && !shown.dropped.includes(name))
    for (const row of some) {
      for (const name of kept) {
        const [whole = ''] = lines([row], [name], { header: false })
        const bare = name === 'amount_dollars' ? whole.replace(/0+$/, '') : whole
        assert.ok(shown.text.includes(bare.trim()), `${name} ${bare}\n${shown.text}`)
      }
    }
  }
  fc.assert(fc.property(fc.array(anyRow, { minLength: 1, maxLength: 6 }), fc.integer({ min: 20, max: 160 }), check))
})

test('columns begin at the same place in all lines, also after wide characters', () => {
  const check = (names: string[]) => {
    const some = names.map((name) => ({ name, state: 'running' }))
    const shown = lines(some, ['name', 'state'], { header: false })
    const starts = shown.map((line) => stringWidth(line.slice(0, line.lastIndexOf('running'))))
    assert.equal(new Set(starts).size, 1, shown.join('\n'))
  }
  const wide = fc.stringMatching(/^[a-z漢字仮名é]{1,12}$/)
  fc.assert(fc.property(fc.array(wide, { minLength: 1, maxLength: 6 }), check))
})
