import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { addStep, changesOf, less, type Steps, stepAt } from './steps.rules.ts'

const steps = fc
  .uniqueArray(fc.tuple(fc.nat(30), fc.nat(3)), { selector: ([minute]) => minute, maxLength: 12 })
  .map((pairs) => {
    const edges: number[] = []
    for (const [minute, count] of pairs.toSorted(([a], [b]) => a - b)) addStep(edges, minute, count)
    return edges as Steps
  })

/** The count of a minute, by looking at every step. */
function plainCount(edges: Steps, minute: number): number {
  let count = 0
  for (let n = 0; n < edges.length; n += 2) if ((edges[n] as number) <= minute) count = edges[n + 1] as number
  return count
}

test('a step is added only where the count changes', () => {
  const edges: number[] = []
  for (const [minute, count] of [
    [1, 0],
    [2, 5],
    [3, 5],
    [4, 0],
  ] as const) {
    addStep(edges, minute, count)
  }
  assert.deepEqual(edges, [2, 5, 4, 0])
})

test('the count of each minute holds until the next step', () => {
  assert.deepEqual(stepAt([], 3), { count: 0, until: Number.POSITIVE_INFINITY })
  fc.assert(
    fc.property(steps, (edges) => {
      for (let minute = -1; minute <= 31; minute++) {
        const { count, until } = stepAt(edges, minute)
        assert.equal(count, plainCount(edges, minute))
        const later = edges.filter((one, n) => n % 2 === 0 && one > minute)
        assert.equal(until, later[0] ?? Number.POSITIVE_INFINITY)
      }
    }),
  )
})

test('the difference of two counts is that of each minute, and its changes add up to it', () => {
  fc.assert(
    fc.property(steps, steps, (a, b) => {
      const difference = less(a, b)
      const changes = changesOf(difference)
      for (let minute = 0; minute <= 31; minute++) {
        const expected = plainCount(a, minute) - plainCount(b, minute)
        assert.equal(plainCount(difference, minute), expected)
        const sum = changes.reduce((total, change) => (change.minute <= minute ? total + change.delta : total), 0)
        assert.equal(sum, expected)
      }
      assert.ok(changes.every(({ delta }) => delta !== 0))
      assert.equal(changes.length, difference.length / 2)
    }),
  )
})
