import assert from 'node:assert/strict'
import type { Pool, Usage } from '@bourse/sdk'
import { daySeconds } from '@bourse/text/time/units.ts'
import fc from 'fast-check'
import { test } from 'vitest'
import {
  allocationSteps,
  beginnings,
  counted,
  courseCharts,
  daysLeft,
  doneSteps,
  inOrderOfEnd,
  isAllZero,
  lastsText,
  nextBegin,
  nextEnd,
  noticedFirst,
  spendCharts,
  spentSince,
} from './home.rules.ts'

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
  const [pool, sku] = [{ id: 'pool_1' }, { id: 'sku_1' }]
  const instance = (id: string, notice_at: number | null, deadline_at: number | null = null) =>
    ({ id, name: `name of ${id}`, pool, sku, termination: { notice_at, deadline_at } }) as never
  assert.deepEqual(inOrderOfEnd([instance('late', 1, 900), instance('none', null), instance('first', 2, 300)]), [
    { id: 'first', name: 'name of first', pool, sku, deadline_at: 300 },
    { id: 'late', name: 'name of late', pool, sku, deadline_at: 900 },
  ])
  assert.deepEqual(inOrderOfEnd([{ id: 'gone', name: 'gone' } as never]), [])
})

const skuPool = (name: string, by_sku: Record<string, [number, number | null, number][]>) =>
  ({
    id: `pool_${name}`,
    name,
    kind: 'market',
    allocation_schedule: {
      total: [],
      by_sku: Object.fromEntries(
        Object.entries(by_sku).map(([sku, entries]) => [
          sku,
          entries.map(([start_at, end_at, node_count]) => ({ start_at, end_at, node_count })),
        ]),
      ),
    },
  }) as unknown as Pool

test('what ends next is the first reduction of any pool, with what it loses then', () => {
  const pools = [
    skuPool('late', { sku_1: [[0, 900, 2]] }),
    skuPool('first', {
      sku_1: [
        [0, 600, 5],
        [600, null, 2],
      ],
      sku_2: [[0, 600, 1]],
    }),
  ]
  assert.deepEqual(nextEnd(pools, 100), {
    pool: { id: 'pool_first', name: 'first', kind: 'market' },
    sku: 'sku_1',
    at: 600,
    lost: 3,
  })
})

test('nothing ends where all is owned on, begins only later, or ends in more than a week', () => {
  assert.equal(nextEnd([], 0), undefined)
  assert.equal(
    nextEnd(
      [
        skuPool('on', {
          sku_1: [
            [0, 500, 1],
            [500, null, 1],
          ],
        }),
      ],
      0,
    ),
    undefined,
  )
  assert.equal(nextEnd([skuPool('later', { sku_1: [[300, null, 1]] })], 0), undefined)
  const week = 7 * daySeconds
  assert.equal(nextEnd([skuPool('far', { sku_1: [[0, week + 60, 1]] })], 0), undefined)
  assert.equal(nextEnd([skuPool('near', { sku_1: [[0, week, 1]] })], 0)?.at, week)
})

test('what begins next is the first gain of any pool, however much is owned before', () => {
  const pools = [
    skuPool('late', { sku_1: [[900, 1_000, 2]] }),
    skuPool('first', {
      sku_1: [
        [0, 600, 2],
        [600, 700, 1],
        [700, null, 5],
      ],
    }),
  ]
  assert.deepEqual(nextBegin(pools, 100), { sku: 'sku_1', at: 700, nodes: 4 })
  assert.equal(nextBegin(pools, 900), undefined)
  assert.equal(nextBegin([skuPool('far', { sku_1: [[8 * daySeconds, null, 1]] })], 0), undefined)
})

test('money lasts until a day, soon until a time, and no date is named for a pace that changes long before', () => {
  const now = new Date(2026, 10, 28, 9, 12).getTime() / 1000
  assert.deepEqual(
    [undefined, 0, 1.5, 16, 366].map((days) => lastsText(days, now)),
    [
      '',
      'at this pace until Nov 28, 09:12',
      'at this pace until Nov 29, 21:12',
      'at this pace until Dec 14',
      'at this pace for more than a year',
    ],
  )
})

test('a count has its noun, and says where there are more', () => {
  assert.deepEqual(
    [
      counted(1, 'node'),
      counted(0, 'node'),
      counted(2, 'node'),
      counted(100, 'order', true),
      counted(1, 'order', true),
    ],
    ['1 node', '0 nodes', '2 nodes', '100+ orders', '1+ orders'],
  )
})

test('the course of nodes goes on until its end, with the instances of now as a line beside it', () => {
  const { times, series } = courseCharts([pool([0, 600, 3], [600, null, 1])], 2, { from: 100, until: 1_000 })
  assert.deepEqual(times, [100, 600, 1_000])
  assert.deepEqual(
    series.map(({ values }) => values),
    [
      [3, 1, 1],
      [2, 2, 2],
    ],
  )
})

test('each day has its bar, also one without spending, and none is below zero', () => {
  const today = 100 * daySeconds
  const rows = [usage(today, '7'), usage(today - daySeconds, '1', '4'), usage(today - 3 * daySeconds, '2', '0.5')]
  const { times, series } = spendCharts(rows, { today, days: 4 })
  assert.deepEqual(
    times,
    [97, 98, 99, 100].map((day) => day * daySeconds),
  )
  assert.deepEqual(series[0]?.values, [1.5, 0, 0, 7])
  assert.equal(isAllZero(series), false)
  assert.equal(isAllZero(spendCharts([], { today, days: 4 }).series), true)
})

test('a first step is done by what a session of the person did, not by the seed or by others', () => {
  const event = (action: string, id?: string) =>
    ({ action, actor: id === undefined ? { type: 'system' } : { type: 'token', id } }) as never
  const events = [
    event('token.created'),
    event('order.created', 'tokn_other'),
    event('instance.created', 'tokn_mine'),
    event('instance.updated', 'tokn_mine'),
  ]
  assert.deepEqual(doneSteps(events, new Set(['tokn_mine'])), ['instance.created'])
  assert.deepEqual(doneSteps([], new Set(['tokn_mine'])), [])
})
