import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEventMemory } from './event-memory.ts'
import { wrongActorsOf } from './filled-orders.ts'

test('an event that reads otherwise than before is told, one with another cursor is not', () => {
  const memory = openEventMemory()
  const event = { id: 'evt_1', action: 'order.filled', actor: { type: 'system' }, cursor: 'evtc_a' }
  assert.equal(memory.meet(event), undefined)
  assert.equal(memory.meet({ ...event, cursor: 'evtc_b' }), undefined)
  assert.match(memory.meet({ ...event, actor: { type: 'token' } } as typeof event) ?? '', /^events\.frozen: /)
})

test('who filled an order is its sender where it was filled when it was placed, else the system', () => {
  const [atOnce, rested] = ['ordr_1', 'ordr_2']
  const by = (id: string, actor_token_id: string | null) => ({ id, created_by_token_id: 'tokn_1', actor_token_id })
  const judge = (...orders: ReturnType<typeof by>[]) => wrongActorsOf(orders, new Set([atOnce]))
  assert.deepEqual(judge(by(atOnce, 'tokn_1'), by(rested, null)), [])
  assert.equal(judge(by(atOnce, null), by(atOnce, 'tokn_2'), by(rested, 'tokn_1')).length, 3)
})
