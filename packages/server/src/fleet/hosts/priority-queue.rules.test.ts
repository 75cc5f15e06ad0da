import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { sized } from '../../../test/support/size.ts'
import { peek, put, queueOf, take } from './priority-queue.rules.ts'

const ascending = (a: number, b: number) => a - b

test('a queue returns its items in order, including items that are added later', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.array(fc.integer()), (first, later) => {
      const queue = queueOf([...first], ascending)
      for (const item of later) put(queue, item)
      const taken: number[] = []
      while (peek(queue) !== undefined) taken.push(take(queue) as number)
      assert.deepEqual(taken, [...first, ...later].toSorted(ascending))
    }),
    { numRuns: sized(2_000) },
  )
})

test('an empty queue returns nothing', () => {
  const queue = queueOf<number>([], ascending)
  assert.equal(peek(queue), undefined)
  assert.equal(take(queue), undefined)
  put(queue, 7)
  assert.equal(take(queue), 7)
  assert.equal(take(queue), undefined)
})
