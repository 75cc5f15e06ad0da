import assert from 'node:assert/strict'
import { limitNames, limits } from '@bourse/api/iam/limits.ts'
import { test } from 'vitest'
import { isNear, limitText, limitTitle, usedShare } from './limits.rules.ts'

test('a limit is written as people write what it counts', () => {
  assert.equal(limitText(1_099_511_627_776, 'bytes'), '1 TiB')
  assert.equal(limitText(10_000, 'node_hours'), '10,000 node-hours')
  assert.equal(limitText(2_000, 'count'), '2,000')
  assert.equal(limitTitle({ name: 'firewall_rules', scope: 'each' }), 'rules of each firewall')
  assert.equal(limitTitle({ name: 'reserved_node_hours', scope: 'account' }), 'reserved node-hours')
  assert.equal(limitTitle({ name: 'infiniband_partitions', scope: 'account' }), 'InfiniBand partitions')
  const titles = limitNames.map((name) => limitTitle({ name, scope: limits[name].scope }))
  assert.deepEqual(
    titles.filter((title) => /_|bytes|undefined/.test(title)),
    [],
  )
})

test('a limit of which little is left is pointed out, one that nothing counts for is not', () => {
  assert.equal(usedShare({ value: 50, used: 12 }), 0.24)
  assert.equal(usedShare({ value: null, used: 12 }), undefined)
  assert.equal(usedShare({ value: 50, used: null }), undefined)
  assert.equal(usedShare({ value: 2, used: 3 }), 1)
  assert.equal(usedShare({ value: 0, used: 0 }), 0)
  assert.deepEqual(
    [40, 39].map((used) => isNear({ value: 50, used })),
    [true, false],
  )
  assert.equal(isNear({ value: 0, used: 0 }), false)
})
