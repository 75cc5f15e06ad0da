import assert from 'node:assert/strict'
import type { Pool, Usage } from '@bourse/sdk'
import { daySeconds } from '@bourse/text/time/units.ts'
import fc from 'fast-check'
import { test } from 'vitest'
import { allocationSteps, beginnings, daysLeft, inOrderOfEnd, noticedFirst, spentSince } from './overview.rules.ts'

const pool = (...total: [number, number | null, number][]) =>
  ({
    allocation_schedule: {
      total: total.map(([start_at, end_at, node_count]) => ({ start_at, end_at, node_count })),
      by_sku: {},
    },
  }) as unknown as Pool
const usage = (period_start: number, bought_dollars: string, sold_dollars = '0') =>
  ({ period_start, bought_dollars, sold_dollars }) as Usage

test('steps add all pools and leave out what does not change', () => {
  const pools = [pool([0, 600, 2], [600, null, 3]), pool([300, 600, 1])]
  assert.deepEqual(allocationSteps(pools, 100, 10_000), [
    { at: 100, nodes: 2 },
    { at: 300, nodes: 3 },
  ])
  assert.deepEqual(allocationSteps([], 100, 200), [{ at: 100, nodes: 0 }])
})

test('at each minute, the steps say what the schedules say', () => {
  const entry = fc.tuple(fc.nat(50), fc.option(fc.integer({ min: 51, max: 100 })), fc.nat(9))
  fc.assert(
    fc.property(fc.array(fc.array(entry, { maxLength: 4 }), { maxLength: 4 }), fc.nat(99), (schedules, at) => {
      const pools = schedules.map((entries) => pool(...entries))
      const shown = allocationSteps(pools, 0, 100).findLast((step) => step.at <= at)?.nodes
      const sum = schedules
        .flat()
        .reduce((n, [from, to, nodes]) => n + (from <= at && at < (to ?? 1000) ? nodes : 0), 0)
      assert.equal(shown, sum)
    }),
  )
})

test('money lasts as long as the pace of seven days says', () => {
  const now = 100 * daySeconds + 3_600
  const rows = [usage(100 * daySeconds, '7'), usage(95 * daySeconds, '9', '2'), usage(90 * daySeconds, '1000')]
  assert.equal(spentSince(rows, 100 * daySeconds), 7)
  assert.equal(daysLeft(rows, '20', now), 10)
  assert.equal(daysLeft([], '20', now), undefined)
  assert.equal(daysLeft(rows, '-5', now), 0)
})

test('days and months begin in UTC', () => {
  const now = Date.UTC(2026, 10, 23, 14, 35) / 1000
  assert.deepEqual(beginnings(now), { day: Date.UTC(2026, 10, 23) / 1000, month: Date.UTC(2026, 10, 1) / 1000 })
})

test('of the instances that got notice those that got it first are named, whatever the order of the list', () => {
  const running = ['newest', 'oldest', 'middle'].map((id) => ({ id })) as never
  const { shown, more } = noticedFirst(running, ['newest', 'middle', 'gone', 'oldest'], 2)
  assert.deepEqual([shown.map(({ id }) => id), more], [['oldest', 'middle'], 1])
})

test('they stand in the order in which they end, without those whose notice was withdrawn', () => {
  const instance = (id: string, notice_at: number | null, deadline_at: number | null = null) =>
    ({ id, name: `name of ${id}`, termination: { notice_at, deadline_at } }) as never
  assert.deepEqual(inOrderOfEnd([instance('late', 1, 900), instance('none', null), instance('first', 2, 300)]), [
    { id: 'first', name: 'name of first', deadline_at: 300 },
    { id: 'late', name: 'name of late', deadline_at: 900 },
  ])
  assert.deepEqual(inOrderOfEnd([{ id: 'gone', name: 'gone' } as never]), [])
})
