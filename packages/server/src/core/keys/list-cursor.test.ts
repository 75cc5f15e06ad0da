import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { createSeededRandom } from '../base/random.ts'
import { makeKeys } from './key-files.ts'
import { createCursorKeys, loadKeys } from './keys.ts'
import { type ListScope, openListCursor, sealListCursor } from './list-cursor.ts'

const roots = loadKeys(makeKeys('operator', createSeededRandom('list cursor'))).cursor_roots
const rows = [
  { key_id: 1, ended: true, history: 1 },
  { key_id: 2, ended: false, history: 1 },
]
const keys = createCursorKeys(roots, rows)
const skus: ListScope = { prefix: 'skuc', list: 'skus', account_id: 'acme', filters: {} }
const ends = { first: [1_790_000_000, 'sku_a'], last: [1_790_000_009, 'sku_z'] }

const text = fc.string({ unit: 'binary' })
const scope = fc.record({
  prefix: fc.constantFrom('skuc', 'instc', 'txc'),
  list: fc.stringMatching(/^[a-z_]{1,12}$/),
  account_id: fc.stringMatching(/^[a-z0-9][a-z0-9-]{2,39}$/),
  filters: fc.dictionary(fc.stringMatching(/^[a-z_]{1,12}$/), fc.oneof(text, fc.array(text, { maxLength: 3 }))),
})
const sortKeys = fc.array(
  fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.maxSafeInteger().filter((n) => !Object.is(n, -0)),
  ),
)

test('a cursor decodes to both ends of its page, for its own list', () => {
  fc.assert(
    fc.property(scope, sortKeys, sortKeys, (list, first, last) => {
      const cursor = sealListCursor(keys, list, { first, last })
      assert.match(cursor, /^[a-z]+c_[A-Za-z0-9_-]+$/)
      assert.deepEqual(openListCursor(keys, list, cursor), { first, last })
    }),
  )
})

test('cursors stay valid after rotations and ended generations', () => {
  const cursor = sealListCursor(keys, skus, ends)
  const later = createCursorKeys(roots, [
    ...rows.map(({ key_id }) => ({ key_id, ended: true, history: 1 })),
    { key_id: 9, ended: false, history: 1 },
  ])
  assert.deepEqual(openListCursor(later, skus, cursor), ends)
})

test('the order of parameters and of repeated values does not matter', () => {
  const cursor = sealListCursor(keys, { ...skus, filters: { state: ['b', 'a'], region: 'x' } }, ends)
  const read = { ...skus, filters: { region: 'x', state: ['a', 'b'], absent: undefined } }
  assert.deepEqual(openListCursor(keys, read, cursor), ends)
})

test('a cursor is invalid for any other list, account, prefix or filter', () => {
  const scopes: ListScope[] = [
    skus,
    { ...skus, prefix: 'skavc' },
    { ...skus, list: 'sku_availability' },
    { ...skus, account_id: 'other' },
    { ...skus, filters: { include_deleted: 'true' } },
    { ...skus, filters: { include_deleted: 'false' } },
    { ...skus, filters: { include_deleted: '' } },
    { ...skus, filters: { include_deleted: ['true'] } },
    { ...skus, filters: { include_deleted: [] } },
    { ...skus, filters: { a: 'b","c' } },
    { ...skus, filters: { a: ['b', 'c'] } },
    { ...skus, filters: { a: ['b'], c: [] } },
  ]
  for (const [i, made] of scopes.entries()) {
    const cursor = sealListCursor(keys, made, ends)
    for (const [k, read] of scopes.entries()) {
      const body = cursor.slice(made.prefix.length)
      assert.deepEqual(openListCursor(keys, read, read.prefix + body), i === k ? ends : undefined, JSON.stringify(read))
    }
  }
})

test('no changed bit, byte or length of a cursor is accepted', () => {
  const cursor = sealListCursor(keys, skus, ends)
  const bytes = Buffer.from(cursor.slice(5), 'base64url')
  const encode = (changed: Buffer) => `skuc_${changed.toString('base64url')}`
  assert.deepEqual(openListCursor(keys, skus, encode(bytes)), ends)
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
    assert.equal(openListCursor(keys, skus, encode(changed)), undefined)
  }
  for (let length = 0; length < bytes.length; length++) {
    assert.equal(openListCursor(keys, skus, encode(bytes.subarray(0, length))), undefined)
  }
  for (const more of [' ', '\0', ']']) {
    assert.equal(openListCursor(keys, skus, encode(Buffer.concat([bytes, Buffer.from(more)]))), undefined)
  }
})

test('other encodings of a genuine cursor are not accepted', () => {
  const cursor = sealListCursor(keys, skus, ends)
  const foreign = createCursorKeys(loadKeys(makeKeys('operator', createSeededRandom('x'))).cursor_roots, rows)
  assert.equal(openListCursor(foreign, skus, cursor), undefined)
  assert.equal(
    openListCursor(createCursorKeys(roots, [{ key_id: 5, ended: false, history: 1 }]), skus, cursor),
    undefined,
  )
  const body = cursor.slice(5)
  const spellings = [
    `${cursor}=`,
    `${cursor} `,
    ` ${cursor}`,
    `${cursor}\n`,
    body,
    `SKUC_${body}`,
    'skuc_',
    '',
    'skuc_%00',
  ]
  spellings.push(`skuc_${body.slice(0, 9)} ${body.slice(9)}`, `skuc_${body.slice(0, 9)}.${body.slice(9)}`)
  spellings.push(`skuc_${body}${'A'.repeat(10_000)}`)
  for (const spelling of spellings) assert.equal(openListCursor(keys, skus, spelling), undefined, spelling)
  const standard = Buffer.from(body, 'base64url').toString('base64')
  if (standard !== body) assert.equal(openListCursor(keys, skus, `skuc_${standard}`), undefined)
})
