import assert from 'node:assert/strict'
import { test } from 'vitest'
import { nightOf, readKinds, readNumber, roundsOf } from './plan.ts'

const all = ['cut', 'kill', 'stop'] as const

test('a seed gives each kind once, and the same order every time', () => {
  const orders = Array.from({ length: 20 }, (_, seed) => roundsOf(seed, all).map(({ kind }) => kind))
  for (const order of orders) assert.deepEqual(order.toSorted(), [...all])
  assert.ok(new Set(orders.map(String)).size > 1, 'seeds differ in their order')
  assert.deepEqual(roundsOf(7, all), roundsOf(7, all))
})

test('a night goes through one seed after the other', () => {
  const night = nightOf(5, all)
  const rounds = Array.from({ length: 6 }, () => night.next().value)
  assert.deepEqual(
    rounds.map((round) => round?.seed),
    [5, 5, 5, 6, 6, 6],
  )
})

test('kinds are read in the order of the report, and an unknown one is named with those that exist', () => {
  assert.deepEqual(readKinds(undefined, all), all)
  assert.deepEqual(readKinds('stop,cut', all), ['cut', 'stop'])
  assert.throws(() => readKinds('stop,fire', all), /Unknown kinds of faults: fire\. The kinds are cut, kill, stop\./)
})

test('a number outside of its bounds is refused by the name of its option', () => {
  const bounds = { min: 1, max: 60 }
  assert.equal(readNumber('minutes', '60', bounds), 60)
  for (const text of ['0', '61', '1.5', '', 'x', '-1'])
    assert.throws(() => readNumber('minutes', text, bounds), /--minutes is a whole number from 1 to 60, not/)
})
