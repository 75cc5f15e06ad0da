import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { valueAt } from '../../live/steps.rules.ts'
import { type Lane, lanesOf, mostNodes, segmentsOf, segmentText, ticketSearch, tradeOf } from './lanes.rules.ts'
import { areaPath } from './view.rules.ts'

const minute = 60
type LaneEntry = { start_at: number; end_at: number; node_count: number }

const schedule = fc
  .array(fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 5 })), { maxLength: 8 })
  .map((parts) => {
    let at = 0
    return parts.map(([gap, length, node_count]): LaneEntry => {
      const start_at = at + gap * minute
      at = start_at + length * minute
      return { start_at, end_at: at, node_count }
    })
  })

const skuOf = { id: 'sku_1', alias: 'h100' }
const poolOf = { id: 'pool_1', name: 'main' }

function order(side: string, window: LaneEntry, filled: readonly LaneEntry[] = []) {
  return {
    id: `ordr_${side}`,
    side,
    pool: poolOf,
    sku: skuOf,
    limit_price_dollars_per_node_hour: '2.500000',
    allocation_schedule_delta: [window],
    filled_allocation_schedule_delta: filled,
  } as never
}

function laneFrom(owned: readonly LaneEntry[], orders: readonly never[] = [], kind = 'market'): Lane {
  const pools = [{ ...poolOf, kind, allocation_schedule: { total: [], by_sku: { sku_1: owned } } }] as never
  const [lane] = lanesOf({ pools, skus: [skuOf], orders, instances: [], procurements: [] }, 0)
  assert.ok(lane)
  return lane
}

test('a lane has what is owned, promised, free and used, and what open orders and procurements are about', () => {
  const owned = [{ start_at: 600, end_at: 6_000, node_count: 4 }]
  const sell = order('sell', { start_at: 1_200, end_at: 2_400, node_count: 3 }, [
    { start_at: 1_200, end_at: 2_400, node_count: 1 },
  ])
  const buy = order('buy', { start_at: 6_000, end_at: 7_200, node_count: 2 })
  const user = { id: 'inst_1', name: 'web', state: 'running', created_at: 700, pool: poolOf, sku: skuOf } as never
  const keep = { id: 'proc_1', name: 'keep', enabled: true, target: 4, managed_window_minutes: 60 }
  const pools = [{ ...poolOf, kind: 'market', allocation_schedule: { total: [], by_sku: { sku_1: owned } } }] as never
  const sources = { pools, skus: [], orders: [sell, buy], instances: [user] }
  const procurements = [{ ...keep, pool: poolOf, sku: skuOf }] as never
  const [lane, ...rest] = lanesOf({ ...sources, procurements }, 630)
  assert.ok(lane && rest.length === 0)
  assert.equal(lane.sku.alias, 'h100')
  assert.deepEqual(
    segmentsOf(lane, 0, 9_000).map(({ start, owned: all, promised, free, used, wanted }) => {
      return [start, all, promised, free, used, wanted]
    }),
    [
      [0, 0, 0, 0, 0, 0],
      [600, 4, 0, 4, 0, 0],
      [700, 4, 0, 4, 1, 0],
      [1_200, 4, 2, 2, 1, 0],
      [2_400, 4, 0, 4, 1, 0],
      [6_000, 0, 0, 0, 0, 2],
      [7_200, 0, 0, 0, 0, 0],
    ],
  )
  assert.deepEqual(lane.managed, [{ id: 'proc_1', start: 660, end: 4_260, nodes: 4, text: 'keep keeps 4 nodes' }])
  assert.deepEqual(
    lane.orders.map(({ text }) => text),
    ['an order sells 2 at $2.5', 'an order buys 2 at $2.5'],
  )
  assert.match(
    segmentText(segmentsOf(lane, 1_200, 2_400)[0] as never),
    /^4 owned, of which 2 promised and 2 free to sell; 1 in use$/,
  )
})

test('all lanes have one scale: six nodes are six times as high as one', () => {
  const lanes = [1, 6].map((node_count) => laneFrom([{ start_at: 600, end_at: 1_200, node_count }]))
  const most = mostNodes(lanes)
  const shown = { from: 0, to: 1_200, width: 120 }
  assert.equal(most, 6)
  assert.deepEqual(
    lanes.map(({ owned }) => areaPath(owned, shown, 54, most)),
    ['M60 54V45H120V54Z', 'M60 54V0H120V54Z'],
  )
  assert.equal(mostNodes([]), 1)
})

test('lanes are sorted, and orders of another pool make no lane of this one', () => {
  const pool = (id: string, name: string, skus: string[]) => {
    const by_sku = Object.fromEntries(skus.map((sku) => [sku, [{ start_at: 0, end_at: null, node_count: 1 }]]))
    return { id, name, kind: 'market', allocation_schedule: { total: [], by_sku } } as never
  }
  const pools = [pool('pool_2', 'b', ['sku_2', 'sku_10']), pool('pool_1', 'a', [])]
  const skus = [
    { id: 'sku_2', alias: 'x2' },
    { id: 'sku_10', alias: 'x10' },
  ]
  const orders = [order('buy', { start_at: 0, end_at: 60, node_count: 1 })]
  const lanes = lanesOf({ pools, skus, orders, instances: [], procurements: [] }, 0)
  assert.deepEqual(
    lanes.map(({ pool: { name }, sku }) => `${name} ${sku.alias}`),
    ['a h100', 'b x2', 'b x10'],
  )
})

test('the order of a drag lies within it and in the future, and sells only what is free', () => {
  const drag = fc.tuple(fc.nat(250), fc.nat(250)).map(([a, b]) => ({ begin: a * minute, end: b * minute }))
  const kinds = fc.constantFrom('market', 'originating', 'read_only')
  fc.assert(
    fc.property(schedule, drag, fc.nat(4_000), kinds, fc.nat(120), (owned, moved, now, kind, sold) => {
      const window = { start_at: sold * minute, end_at: (sold + 20) * minute, node_count: 2 }
      const lane = laneFrom(
        owned.length > 0 ? owned : [{ start_at: 0, end_at: 60, node_count: 1 }],
        [order('sell', window)],
        kind,
      )
      const trade = tradeOf(lane, moved, now)
      if ('refused' in trade) return
      const { side, start, end, nodes } = trade
      assert.ok(start > now && end > start && nodes >= 1, JSON.stringify(trade))
      assert.ok(start >= Math.min(moved.begin, moved.end) && end <= Math.max(moved.begin, moved.end))
      assert.ok(start % minute === 0 && end % minute === 0)
      assert.ok(kind === 'market' || (kind === 'originating' && side === 'sell'))
      for (let at = start; at < end; at += minute) {
        if (side === 'sell') assert.ok((valueAt(lane.free, at) ?? 0) >= nodes)
        else assert.equal(valueAt(lane.owned, at) ?? 0, 0)
      }
    }),
    { numRuns: 400 },
  )
})

test('a drag sells free nodes, extends beyond the end, and is refused with a reason', () => {
  const owned = [{ start_at: 600, end_at: 6_000, node_count: 4 }]
  const lane = laneFrom(owned, [order('sell', { start_at: 1_200, end_at: 2_400, node_count: 4 })])
  const dragged = (begin: number, end: number, other = lane) => tradeOf(other, { begin, end }, 0)
  assert.deepEqual(dragged(2_400, 9_000), { side: 'sell', start: 2_400, end: 6_000, nodes: 4 })
  assert.deepEqual(dragged(6_000, 9_000), { side: 'buy', start: 6_000, end: 9_000, nodes: 4 })
  assert.deepEqual(dragged(9_000, 6_000), { side: 'buy', start: 6_000, end: 9_000, nodes: 4 })
  assert.deepEqual(dragged(120, 900), { side: 'buy', start: 120, end: 600, nodes: 4 })
  assert.match(JSON.stringify(dragged(1_200, 2_400)), /promised/)
  assert.match(JSON.stringify(tradeOf(lane, { begin: 700, end: 900 }, 5_000)), /passed/)
  assert.match(JSON.stringify(dragged(700, 900, laneFrom(owned, [], 'read_only'))), /granted/)
  assert.match(JSON.stringify(dragged(7_000, 8_000, laneFrom(owned, [], 'originating'))), /only sells/)
  const trade = dragged(2_400, 3_600)
  assert.ok('side' in trade)
  assert.deepEqual(ticketSearch(lane, trade), {
    side: 'sell',
    sku: 'sku_1',
    pool: 'pool_1',
    nodes: '4',
    start: '2400',
    end: '3600',
  })
})
