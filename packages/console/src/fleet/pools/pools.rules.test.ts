import assert from 'node:assert/strict'
import { test } from 'vitest'
import { momentText } from '../../ui/values.rules.ts'
import { ownedText, readTransfer } from './pools.rules.ts'

const now = 1_800_000_000
const range = (from: number, to: number | null, node_count: number) => {
  return { start_at: now + from, end_at: to === null ? null : now + to, node_count }
}
const poolWith = (by_sku: Record<string, ReturnType<typeof range>[]>) => ({ id: 'a', allocation_schedule: { by_sku } })
const reader = { now, skuName: (id: string) => `sku-${id}` }

test('a pool says what it owns now, or from when on it owns something', () => {
  const both = poolWith({ s: [range(-60, 600, 2)], t: [range(-60, null, 3)], u: [range(60, 120, 9)] })
  assert.equal(ownedText(both, reader), `3 × sku-t, 2 × sku-s until ${momentText(now + 600)}`)
  const later = poolWith({ s: [range(7_200, 9_000, 4)], t: [range(3_600, null, 1)], u: [range(-900, -60, 1)] })
  assert.equal(ownedText(later, reader), `1 × sku-t from ${momentText(now + 3_600)}`)
  assert.equal(ownedText(poolWith({}), reader), '')
})

test('a transfer is a count of nodes and a window in words, also one without end', () => {
  assert.deepEqual(readTransfer({ nodes: '2', window: 'now for 2h' }, now), {
    delta: [{ start_at: now, end_at: now + 7_200, node_count: 2 }],
  })
  assert.deepEqual(readTransfer({ nodes: '1', window: 'now until never' }, now), {
    delta: [{ start_at: now, end_at: null, node_count: 1 }],
  })
})

test('what cannot be moved is said at its field, both fields at once', () => {
  const wrong = (texts: object) => Object.keys((readTransfer(texts, now) as { wrong?: object }).wrong ?? {})
  assert.deepEqual(wrong({ nodes: '', window: '' }), ['nodes', 'window'])
  assert.deepEqual(wrong({ nodes: '-1', window: 'now for 2h' }), ['nodes'])
  assert.deepEqual(wrong({ nodes: '1.5', window: 'whenever' }), ['nodes', 'window'])
  assert.deepEqual(wrong({ nodes: '2', window: 'now for 2h' }), [])
})
