import assert from 'node:assert/strict'
import { instanceStates } from '@bourse/api/fleet/instance-states.ts'
import { test } from 'vitest'
import { hasNode, nameFilter, stateChoices, stateFilter, tagFilter } from './instance-filters.rules.ts'

test('a filter of tags is a key or a pair, one of names a part of them or a pattern', () => {
  assert.deepEqual(tagFilter(' team=research '), { tag: 'team=research' })
  assert.deepEqual(tagFilter('team'), { tag_key: 'team' })
  assert.deepEqual(tagFilter('team='), { tag_key: 'team' })
  assert.deepEqual(tagFilter(''), {})
  assert.deepEqual([nameFilter('web'), nameFilter('web-*'), nameFilter('')], [{ name: '*web*' }, { name: 'web-*' }, {}])
})

test('what has ended is listed only where it is asked for, and each state can be', () => {
  assert.deepEqual(stateFilter('live'), { state: ['awaiting_allocation', 'running', 'failed'] })
  assert.deepEqual([stateFilter('all'), stateFilter('')], [{}, {}])
  assert.deepEqual(Object.keys(instanceStates).filter(hasNode), ['running', 'failed'])
  assert.deepEqual(stateFilter('terminated'), { state: ['terminated'] })
  assert.deepEqual(Object.keys(stateChoices).toSorted(), ['all', 'live', ...Object.keys(instanceStates)].toSorted())
})
