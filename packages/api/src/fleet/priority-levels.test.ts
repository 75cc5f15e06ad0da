import assert from 'node:assert/strict'
import { test } from 'vitest'
import { byStartOrder, byVictimOrder, type PriorityLevel } from './priority-levels.ts'

const one = (id: string, priority_level: PriorityLevel, created_at: number) => ({ id, priority_level, created_at })
const low = one('inst_1', 'yield', 5)
const normal = one('inst_2', 'normal', 3)
const later = one('inst_3', 'normal', 4)
const beside = one('inst_4', 'normal', 4)
const high = one('inst_5', 'critical', 9)
const all = [beside, low, high, later, normal]

test('the highest priority starts first, and of one priority the oldest, then the lowest id', () => {
  assert.deepEqual(all.toSorted(byStartOrder), [high, normal, later, beside, low])
  assert.deepEqual(all.toReversed().toSorted(byStartOrder), [high, normal, later, beside, low])
})

test('the lowest priority ends first, and of one priority the newest, then the lowest id', () => {
  assert.deepEqual(all.toSorted(byVictimOrder), [low, later, beside, normal, high])
  assert.deepEqual(all.toReversed().toSorted(byVictimOrder), [low, later, beside, normal, high])
})
