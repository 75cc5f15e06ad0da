import assert from 'node:assert/strict'
import { test } from 'vitest'
import { compareContents } from './backup-contents.rules.ts'

const wanted = {
  before_transaction: '800',
  day: '2026-11-29',
  ledger: [
    { book: 'credit', rows: 3, amount_micros: '500' },
    { book: 'funding', rows: 1, amount_micros: '-500' },
  ],
  event_positions: '12',
  images: 0,
}

test('each difference of a restored copy is a sentence', () => {
  assert.deepEqual(compareContents(wanted, wanted), [])
  const [credit, funding] = wanted.ledger
  assert.ok(credit && funding)
  const found = {
    ledger: [
      { ...credit, amount_micros: '499' },
      { ...funding, book: 'fees' },
    ],
    event_positions: '11',
  }
  assert.deepEqual(compareContents(wanted, found), [
    'the ledger of credit has 3 rows with a sum of 499 micro-dollars, ' +
      'and the backup had 3 rows with a sum of 500 micro-dollars',
    'the ledger of funding has no row, and the backup had 1 rows with a sum of -500 micro-dollars',
    'the ledger of fees has 1 rows with a sum of -500 micro-dollars, and the backup had no row',
    'the event logs have 11 events, and the backup had 12',
  ])
  assert.deepEqual(compareContents(wanted, { ...wanted, event_positions: null }), [], 'the day is closed')
  assert.deepEqual(compareContents({ ...wanted, event_positions: null }, wanted), [])
})
