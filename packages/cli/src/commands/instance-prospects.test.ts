import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type Explained, prospectOf } from './instance-prospects.ts'

const as_of = 1_792_670_400

function waitingFor(code: string, next_allocation_at: number | null): Explained {
  return { as_of, waiting: { reasons: [{ code, message: 'The pool is empty.' }], next_allocation_at } }
}

test('a wait is hopeless where the pool is empty until after its end, and only then', () => {
  const isHopeless = (explained: Explained) => prospectOf(explained, 600).obstacle !== undefined
  assert.equal(isHopeless(waitingFor('no_allocation', null)), true)
  assert.equal(isHopeless(waitingFor('no_allocation', as_of + 601)), true)
  assert.equal(isHopeless(waitingFor('no_allocation', as_of + 600)), false)
  assert.equal(isHopeless(waitingFor('outranked', null)), false)
  assert.equal(isHopeless(waitingFor('no_free_host', null)), false)
  assert.equal(isHopeless({ as_of, waiting: null }), false)
  assert.equal(isHopeless({ as_of, waiting: { reasons: [], next_allocation_at: null } }), false)
})

test('a wait says its reason, and a hopeless one when the next allocation begins and how to wait for it', () => {
  assert.equal(prospectOf(waitingFor('outranked', null), 600).reason, 'It waits: The pool is empty.')
  assert.equal(prospectOf({ as_of, waiting: null }, 600).reason, undefined)
  const { obstacle = '' } = prospectOf(waitingFor('no_allocation', as_of + 7_200), 600)
  assert.match(obstacle, /^The pool is empty\. .*begins at 2026-10-22 14:00 UTC.* in 2 h.*--timeout 125m/)
})
