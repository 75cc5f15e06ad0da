import assert from 'node:assert/strict'
import { lengthOf } from '@bourse/text/formats/durations.ts'
import fc from 'fast-check'
import { test } from 'vitest'
import { readLength, readTypedOrder, readTypedWindow } from './typed-order.rules.ts'

/** Thursday, 2026-10-22 12:00:25 UTC. */
const now = 1_792_670_425
const aliases = ['h100-west', 'a100.north', '8x']

function read(text: string) {
  const reading = readTypedOrder(text, { now, aliases })
  return reading.problem ?? reading.order
}

test('nodes, side, SKU, price and switches stand in any order around the window', () => {
  const window = readTypedWindow('tomorrow 9am for 6h', now)
  assert.deepEqual(read('8 nodes tomorrow 9am for 6h'), { nodes: 8, ...window })
  assert.deepEqual(read('sell 2 nodes of h100-west tomorrow 9am for 6h at $1,200.50 standing'), {
    side: 'sell',
    nodes: 2,
    sku: 'h100-west',
    limit: '1200.50',
    standing: true,
    ...window,
  })
  assert.deepEqual(read('BUY 4x A100.north partial limit 2.5'), {
    side: 'buy',
    nodes: 4,
    sku: 'a100.north',
    limit: '2.5',
    partial: true,
  })
  assert.deepEqual(read('1 node'), { nodes: 1 })
  assert.deepEqual(read('for 90m'), { length: 5_400 })
  assert.deepEqual(read(''), {})
})

test('what cannot be read is named', () => {
  const cases: [string, RegExp][] = [
    ['8 nodes 9am for 6h', /which day/],
    ['8 nodes tomorrow 9am for soon', /“soon” is not understood\. The rest is filled in/],
    ['8 nodes tomorrow 9am for 90 s', /whole minutes/],
    ['8 nodes whenever', /“whenever” is not understood/],
    ['8 nodes tomorow 9am for 6h', /“tomorow” is not understood: did you mean tomorrow\? The rest/],
    ['20000 nodes now for 1h', /10,000/],
    ['now for 1h at $2,50', /ambiguous/],
    ['now for 1h at $2.1234567', /never rounded/],
    ['tomorrow 9am to today 9am', /ends before/],
    ['2026-02-30 09:00 for 1h', /has no day 30/],
    ['tomorrow 25:00 for 1h', /no hour 25/],
  ]
  for (const [text, problem] of cases) assert.match(String(read(text)), problem, text)
})

test('what is understood is kept beside what is not', () => {
  const kept = (text: string) => readTypedOrder(text, { now, aliases }).order
  const window = readTypedWindow('tomorrow 9am for 6h', now)
  assert.deepEqual(kept('8 nodes please tomorrow 9am for 6h'), { nodes: 8, ...window })
  assert.deepEqual(kept('8 nodes tomorow 9am for 6h at $2'), { nodes: 8, limit: '2', length: 21_600 })
  assert.deepEqual(kept('8 nodes tomorrow 9am for soon'), { nodes: 8, start: window.start })
  assert.deepEqual(kept('8 nodes tomorrow 9am for'), { nodes: 8, start: window.start })
  assert.deepEqual(kept('2 h100-west whenever until friday 18:00'), {
    nodes: 2,
    sku: 'h100-west',
    ...readTypedWindow('until friday 18:00', now),
  })
  assert.deepEqual(kept('20000 nodes of h100-west now for 1h'), { sku: 'h100-west' })
  assert.deepEqual(kept('8 nodes 9am'), { nodes: 8 })
})

test('now stays now, and words for days are those of every program', () => {
  assert.deepEqual(read('2 nodes now for 6h'), { nodes: 2, start: 'now', length: 21_600 })
  assert.deepEqual(read('2 nodes now'), { nodes: 2, start: 'now' })
  assert.deepEqual(read('8 h100-west tonight'), { nodes: 8, sku: 'h100-west', ...readTypedWindow('tonight', now) })
  assert.deepEqual(read('next weekend under $2'), { limit: '2', ...readTypedWindow('next weekend', now) })
  assert.deepEqual(read('jan 5 9am for 6h'), readTypedWindow('2027-01-05 09:00 for 6h', now))
})

test('a window is read as everywhere: in weeks, other zones, ISO intervals, and with what programs print', () => {
  const at = (text: string) => Date.parse(text) / 1_000
  const cases: [string, { start?: number; end?: number; length?: number }][] = [
    ['2026-12-01 09:00 UTC for 1w', { start: at('2026-12-01T09:00Z'), end: at('2026-12-08T09:00Z') }],
    ['2026-12-01 9am America/New_York for 1h', { start: at('2026-12-01T14:00Z'), end: at('2026-12-01T15:00Z') }],
    ['2026-12-01 09:00 +05:30 for 1h', { start: at('2026-12-01T03:30Z'), end: at('2026-12-01T04:30Z') }],
    ['2026-12-01T09:00Z/2026-12-01T12:00Z', { start: at('2026-12-01T09:00Z'), end: at('2026-12-01T12:00Z') }],
    ['2026-12-01 12:00 – 13:00 UTC (1 h)', { start: at('2026-12-01T12:00Z'), end: at('2026-12-01T13:00Z') }],
    ['1796115600 for 1h', { start: 1_796_115_600, end: 1_796_119_200 }],
    ['2026-12-01T09:00Z', { start: at('2026-12-01T09:00Z') }],
    ['for 2 weeks', { length: 1_209_600 }],
  ]
  for (const [text, window] of cases) assert.deepEqual(read(`2 nodes ${text}`), { nodes: 2, ...window }, text)
  assert.match(String(read('2 nodes now until never')), /needs an end/)
  assert.match(String(read('next monday for 1h')), /two days/)
})

test('lengths have whole minutes', () => {
  assert.deepEqual(
    ['6h', '1.5h', '1d 2h', '2 weeks', '90 minutes'].map(readLength),
    [21_600, 5_400, 93_600, 1_209_600, 5_400],
  )
  for (const text of ['', '6', '0h', '2h 1d', '1.001h', '120', '6h ']) assert.equal(readLength(text), undefined, text)
})

test('every length that is shown can be typed', () => {
  const lengths = fc.integer({ min: 1, max: 1_000_000 })
  fc.assert(fc.property(lengths, (minutes) => assert.equal(readLength(lengthOf(minutes * 60)), minutes * 60)))
})
