import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { lengthText, readLength, readTypedOrder, readTypedWindow } from './typed-order.rules.ts'

/** Thursday, 2026-10-22 12:00:25 UTC. */
const now = 1_792_670_425
const aliases = ['h100-west', 'a100.north', '8x']

function read(text: string) {
  const reading = readTypedOrder(text, { now, aliases })
  return 'order' in reading ? reading.order : reading.problem
}

test('nodes, side, SKU, price and switches stand in any order around the window', () => {
  const window = readTypedWindow('tomorrow 9am for 6h', now)
  assert.deepEqual(read('8 nodes tomorrow 9am for 6h'), { nodes: 8, ...window })
  assert.deepEqual(read('sell 2 nodes of h100-west tomorrow 9am for 6h at $1,200.50 standing'), {
    ...{ side: 'sell', nodes: 2, sku: 'h100-west', limit: '1200.50', standing: true },
    ...window,
  })
  assert.deepEqual(read('BUY 4x A100.north partial limit 2.5'), {
    ...{ side: 'buy', nodes: 4, sku: 'a100.north', limit: '2.5', partial: true },
  })
  assert.deepEqual(read('1 node'), { nodes: 1 })
  assert.deepEqual(read('for 90m'), { length: 5_400 })
  assert.deepEqual(read(''), {})
})

test('what cannot be read is named', () => {
  const cases: [string, RegExp][] = [
    ['8 nodes 9am for 6h', /which day/],
    ['8 nodes tomorrow 9am for soon', /not understood/],
    ['8 nodes tomorrow 9am for 90 s', /whole minutes/],
    ['8 nodes whenever', /"whenever" is not understood/],
    ['20000 nodes now for 1h', /10,000/],
    ['now for 1h at $2,50', /ambiguous/],
    ['tomorrow 9am to today 9am', /ends before/],
    ['2026-02-30 09:00 for 1h', /no day/],
    ['tomorrow 25:00 for 1h', /no time/],
  ]
  for (const [text, problem] of cases) assert.match(String(read(text)), problem, text)
})

test('lengths have whole minutes', () => {
  assert.deepEqual(
    ['6h', '1.5h', '1d 2h', '2 weeks', '90 minutes'].map(readLength),
    [21_600, 5_400, 93_600, 1_209_600, 5_400],
  )
  for (const text of ['', '6', '0h', '2h 1d', '1.001h', '9999d', '6h ']) assert.equal(readLength(text), undefined, text)
})

test('every length that is shown can be typed', () => {
  const lengths = fc.integer({ min: 1, max: 1_000_000 })
  fc.assert(fc.property(lengths, (minutes) => assert.equal(readLength(lengthText(minutes * 60)), minutes * 60)))
  assert.equal(lengthText(95_400), '1d 2h 30m')
})
