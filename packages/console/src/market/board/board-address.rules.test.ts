import assert from 'node:assert/strict'
import type { OrderbookBoardRow, Sku } from '@bourse/sdk'
import { test } from 'vitest'
import { boardDefaults, bookWindow, nodesOf, openRowOf, shownSkus } from './board-address.rules.ts'

const skuOf = (id: string, alias = '') => ({ id, alias }) as unknown as Sku
const many = Array.from({ length: 40 }, (_, index) => skuOf(`sku_${index}`, `kind-${index}`))
const at = (change: Partial<typeof boardDefaults>) => ({ ...boardDefaults, ...change })

test('the board chooses its rows itself, unless something is searched for or is none of its first rows', () => {
  assert.equal(shownSkus(many, at({})), undefined)
  assert.equal(shownSkus(many, at({ sku: 'kind-31' })), undefined)
  assert.deepEqual(shownSkus(many, at({ sku: 'kind-32' })), ['sku_32'])
  assert.deepEqual(shownSkus(many, at({ find: 'KIND-39' })), ['sku_39'])
  assert.equal(shownSkus(many, at({ find: 'kind' }))?.length, 32)
  assert.deepEqual(shownSkus(many, at({ find: 'nothing' })), [])
})

test('the row of the address is open, by its id or its alias, or else the first one', () => {
  const rows = [skuOf('sku_1'), skuOf('sku_2', 'two')].map((sku) => ({ sku }) as OrderbookBoardRow)
  const opened = ['', 'sku_2', 'two', 'three'].map((given) => openRowOf(rows, given)?.sku.id)
  assert.deepEqual(opened, ['sku_1', 'sku_2', 'sku_2', undefined])
  assert.equal(openRowOf([], ''), undefined)
})

test('a number of nodes is a whole one that an order may have, whatever the address says', () => {
  assert.deepEqual(
    ['', '0', '-3', '2.7', '99999', 'many'].map((nodes) => nodesOf({ nodes })),
    [1, 1, 1, 2, 10_000, 1],
  )
})

test('a book is read for the window of the address, or for the next full hour', () => {
  const windowOf = (change: Partial<typeof boardDefaults>) => bookWindow(at(change), 'sku_1', 7_300)
  assert.deepEqual(windowOf({}), { sku: 'sku_1', start: 10_800, end: 14_400 })
  assert.deepEqual(windowOf({ start: '600', minutes: '1440' }), { sku: 'sku_1', start: 600, end: 600 + 86_400 })
  assert.equal(windowOf({ start: '601', minutes: '61' }).end, 14_400)
})
