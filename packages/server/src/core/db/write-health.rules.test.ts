import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { FailureCause } from './failure-causes.ts'
import { afterProbe, afterRefusal, healthy } from './write-health.rules.ts'

function refusals(...writes: readonly (readonly [FailureCause, number])[]) {
  return writes.reduce((health, [cause, at]) => afterRefusal(health, cause, at), healthy).broken
}

test('two writes that are refused for one cause within five seconds are a problem', () => {
  assert.equal(refusals(['disk_full', 0]), undefined)
  assert.deepEqual(refusals(['disk_full', 0], ['disk_full', 5_000]), { cause: 'disk_full', at: 5_000 })
  assert.equal(refusals(['disk_full', 0], ['disk_full', 5_001]), undefined)
  assert.equal(refusals(['disk_full', 0], ['read_only', 1], ['unreachable', 2], ['starting_up', 3]), undefined)
  assert.deepEqual(refusals(['disk_full', 0], ['read_only', 1], ['disk_full', 2]), { cause: 'disk_full', at: 2 })
})

test('causes that concern some writes only are no problem of the database', () => {
  const some = ['lock_timeout', 'statement_timeout', 'no_free_connection', 'too_many_connections', 'other'] as const
  for (const cause of some) assert.equal(refusals([cause, 0], [cause, 1], [cause, 2]), undefined, cause)
  const all = ['disk_full', 'read_only', 'starting_up', 'unconfirmed', 'unreachable', 'unsafe_settings'] as const
  for (const cause of all) assert.deepEqual(refusals([cause, 0], [cause, 1]), { cause, at: 1 })
})

test('a problem lasts until a probe succeeds that began after the last refusal, or five seconds after it', () => {
  const broken = afterRefusal(afterRefusal(healthy, 'disk_full', 0), 'disk_full', 1)
  assert.deepEqual(afterProbe(broken, 5_000).broken, { cause: 'disk_full', at: 1 })
  const again = afterRefusal(broken, 'disk_full', 4_000)
  assert.deepEqual(afterProbe(again, 5_001).broken, { cause: 'disk_full', at: 4_000 })
  assert.equal(afterProbe(broken, 5_001).broken, undefined)
  const standby = afterRefusal(afterRefusal(healthy, 'read_only', 0), 'read_only', 100)
  assert.deepEqual(afterProbe(standby, 99).broken, { cause: 'read_only', at: 100 })
  assert.equal(afterProbe(standby, 100).broken, undefined)
  assert.equal(afterProbe(healthy, 5_001), healthy)
})
