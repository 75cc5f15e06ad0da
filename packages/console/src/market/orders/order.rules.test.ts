import assert from 'node:assert/strict'
import type { Order, PriceBucket } from '@bourse/sdk'
import { test } from 'vitest'
import {
  advantagePercent,
  againstMarketText,
  averagePrice,
  boughtOf,
  filledHours,
  filledPercent,
  filledText,
  filledWindow,
  isOpen,
  nodeMinutes,
  orderTitle,
  placedBy,
  ruleText,
  windowOf,
} from './order.rules.ts'
import { againTicket, amendTicket, extendingTicket, sellingTicket } from './order-tickets.rules.ts'

const order = {
  id: 'ordr_1',
  side: 'sell',
  state: 'partially_filled',
  sku: { id: 'sku_1', alias: 'h100-west' },
  pool: { id: 'pool_1' },
  allow_standing: true,
  allow_partial: false,
  limit_price_dollars_per_node_hour: '10.500000',
  allocation_schedule_delta: [{ start_at: 6_000, end_at: 9_600, node_count: 3 }],
  filled_allocation_schedule_delta: [{ start_at: 6_000, end_at: 9_600, node_count: 1 }],
  filled_before_allocation_schedule_delta: [],
  total: { start_at: 6_000, end_at: 9_600, node_count: 3 },
} as unknown as Order

test('a part of an order is filled in whole percent, and 100 is all of it', () => {
  assert.equal(nodeMinutes(order.allocation_schedule_delta), 180)
  assert.equal(filledPercent(order), 33)
  assert.equal(filledPercent({ ...order, allocation_schedule_delta: [] }), 0)
  assert.deepEqual(windowOf(order), { start: 6_000, end: 9_600, nodes: 3 })
  assert.equal(isOpen(order), true)
  assert.equal(isOpen({ state: 'filled' }), false)
})

test('an amended order begins with its total, from now on where it has begun', () => {
  assert.deepEqual(amendTicket(order, 0), {
    side: 'sell',
    sku: 'sku_1',
    pool: 'pool_1',
    nodes: '3',
    start: '6000',
    end: '9600',
    limit: '10.5',
    standing: '1',
    amends: 'ordr_1',
  })
  assert.equal(amendTicket(order, 6_130).start, '6120')
  const round = { ...order, limit_price_dollars_per_node_hour: '100.000000' }
  assert.equal(amendTicket(round, 0).limit, '100')
})

test('an order is called by its side, its total and its SKU', () => {
  assert.equal(orderTitle(order), 'Sell 3 × h100-west')
  assert.equal(orderTitle({ ...order, side: 'buy', sku: { ...order.sku, alias: '' } }), 'Buy 3 × sku_1')
})

test('the same order again is all of it, and replaces nothing', () => {
  const again = againTicket(order, 5_990)
  assert.deepEqual([again.nodes, again.start, again.end, again.amends], ['3', '6000', '9600', undefined])
  const begun = againTicket(order, 6_000)
  assert.deepEqual([begun.start, begun.end], ['now', '+3600'])
})

test('what was bought is kept as long again, or what is left of it is sold', () => {
  const bought = boughtOf({ ...order, side: 'buy' })
  assert.deepEqual(bought, { start: 6_000, end: 9_600, nodes: 1 })
  assert.ok(bought)
  const place = { sku: 'sku_1', pool: 'pool_1', nodes: '1' }
  assert.deepEqual(extendingTicket(order, bought), { ...place, side: 'buy', start: '9600', end: '13200' })
  assert.deepEqual(sellingTicket(order, bought, 5_000), { ...place, side: 'sell', start: '6000', end: '9600' })
  assert.deepEqual(sellingTicket(order, bought, 6_130), { ...place, side: 'sell', start: 'now', end: '9600' })
  // In all of the window there are as many nodes as in its least part.
  const parts = [
    { start_at: 6_000, end_at: 7_200, node_count: 3 },
    { start_at: 7_200, end_at: 9_600, node_count: 2 },
  ]
  const inParts = boughtOf({ side: 'buy', filled_allocation_schedule_delta: parts })
  assert.deepEqual(inParts, { start: 6_000, end: 9_600, nodes: 2 })
  assert.equal(boughtOf(order), undefined)
  assert.equal(boughtOf({ side: 'buy', filled_allocation_schedule_delta: [] }), undefined)
  const gap = parts.map((part, index) => (index === 0 ? { ...part, end_at: 7_140 } : part))
  assert.equal(boughtOf({ side: 'buy', filled_allocation_schedule_delta: gap }), undefined)
})

test('orders tell who placed them: an automation, a person by name, a program', () => {
  const created_by = { object: 'principal', type: 'token', id: 'tokn_1', name: 'ci' } as const
  const by = (fields: Partial<Order>) => placedBy({ ...order, managed_by: null, created_by, ...fields } as Order)
  assert.deepEqual(by({}), { type: 'token', id: 'tokn_1', name: 'ci' })
  // Its name is that of the person, which is read by its id.
  assert.equal(by({ created_by: { ...created_by, name: 'session-Dls29f0tZ536' } as never }).name, undefined)
  const manager = { object: 'procurement', id: 'proc_1', name: 'nightly' } as never
  assert.deepEqual(by({ managed_by: manager }), { type: 'procurement', id: 'proc_1', name: 'nightly' })
})

test('a fill is told from when until when', () => {
  const [first] = order.allocation_schedule_delta
  assert.match(filledWindow([first as never]), /\d\d:40–\d\d:40$/)
  assert.equal(filledWindow([]), '')
})

test('what is filled is told in nodes where the windows are the same, else in node-hours', () => {
  const filled = (own: object[], before: object[] = []) =>
    filledText({
      ...order,
      filled_allocation_schedule_delta: own as never,
      filled_before_allocation_schedule_delta: before as never,
    })
  const nodes = (node_count: number) => ({ start_at: 6_000, end_at: 9_600, node_count })
  assert.equal(filled([nodes(1)]), '1 of 3 is filled and stays.')
  assert.equal(filled([nodes(2)]), '2 of 3 are filled and stay.')
  assert.equal(filled([nodes(1)], [nodes(1)]), '2 of 3 are filled and stay.')
  assert.equal(filled([{ ...nodes(3), end_at: 7_800 }]), '1.5 of 3 node-hours are filled and stay.')
  assert.equal(filled([]), '')
})

test('the price of the market is the average of its trades by volume', () => {
  const bucket = (node_minutes: number, total_dollars: string) => ({ node_minutes, total_dollars }) as PriceBucket
  assert.equal(averagePrice([bucket(60, '1.000000'), bucket(180, '9.000000')]), 2.5)
  assert.equal(averagePrice([]), undefined)
})

test('a buyer who pays less and a seller who gets more did better than the market', () => {
  assert.equal(advantagePercent({ side: 'buy' }, 9, 10), 10)
  assert.equal(advantagePercent({ side: 'sell' }, 9, 10), -10)
  assert.equal(advantagePercent({ side: 'buy' }, 9, 0), 0)
  assert.equal(againstMarketText(10), '10 % better than the market')
  assert.equal(againstMarketText(-2.5), '2.5 % worse than the market')
  assert.equal(againstMarketText(0), 'as the market')
})

test('the rule of an order follows both switches', () => {
  const texts = [true, false].flatMap((allow_standing) =>
    [true, false].map((allow_partial) => ruleText({ allow_standing, allow_partial })),
  )
  assert.equal(new Set(texts).size, 4)
  assert.equal(ruleText({ allow_standing: false, allow_partial: false }), 'All or nothing, at once')
})

test('orders of one SKU that were filled in the same days ask for the same block of hours', () => {
  const half = 100 * 3_600
  const one = filledHours([20 * half + 10, 20 * half + 7_300])
  assert.deepEqual(one, { first: 20 * half, until: 20 * half + 3 * 3_600, since: 20 * half })
  assert.equal(filledHours([21 * half - 1, 21 * half + 1]).since, one.since)
  assert.ok(filledHours([21 * half - 1, 30 * half]).until <= one.since + 2 * half)
})
