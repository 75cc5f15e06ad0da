import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { cancel, fillsOf, openBookFixture, place, placeAll, restingOf } from '../../../test/market/book-fixtures.ts'
import { missedBy, printFailure, runDifferential } from '../../../test/market/differential.ts'
import { sized } from '../../../test/support/size.ts'

/** Reliability G24 at the size of every commit; `scripts/differential.ts` runs any size and seed. */
const commands = sized(500_000, 25_000)

test('the order book agrees with the naive book after each of many random commands', () => {
  const { tally, failure } = runDifferential({ commands: commands, seed: 24 })
  assert.equal(failure && printFailure(failure), undefined)
  assert.deepEqual(missedBy(tally), [], 'these never happened, so the run has not tested them')
})

describe('regressions from the differential run', () => {
  test('an all-or-nothing pair may match although an earlier partial order gets nothing', () => {
    const fixture = openBookFixture()
    placeAll(fixture, ['b1 ann buy 1x[0,3) @1', 'b2 bob buy 1x[0,4) @1 whole'])
    // s1 is matched with b1 first, and the rest cannot fill b2; on the second try b2 takes all of s1.
    place(fixture, 's1 dan sell 1x[0,4) @1 whole')
    assert.deepEqual(fillsOf(fixture), ['b2-s1 1x[0,4) @1'])
    assert.deepEqual(restingOf(fixture), ['b1 1x[0,3)'])
  })

  test('cancelling an all-or-nothing order may let two others match', () => {
    const fixture = openBookFixture()
    placeAll(fixture, ['s1 ann sell 1x[0,2) @1 whole', 's2 bob sell 2x[0,2) @2 whole', 's3 bob sell 2x[2,4) @2'])
    place(fixture, 'b1 cat buy 2x[0,4) @2 whole')
    assert.deepEqual(fillsOf(fixture), [])
    cancel(fixture, 's1')
    assert.deepEqual(fillsOf(fixture), ['b1-s2 2x[0,2) @2', 'b1-s3 2x[2,4) @2'])
  })
})
