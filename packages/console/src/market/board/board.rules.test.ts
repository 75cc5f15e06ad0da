import assert from 'node:assert/strict'
import type { OrderbookBoardRow, Pool, Sku } from '@bourse/sdk'
import { test } from 'vitest'
import {
  boardLine,
  changeText,
  costOf,
  dayLabels,
  flagText,
  heatAreas,
  heatOf,
  heldWindow,
  hoursAfter,
  labelledWindows,
  markedWindow,
  ownWindows,
  partsOf,
  priceText,
  shownPartOf,
  shownPast,
  spanOf,
  unitText,
} from './board.rules.ts'

const hour = 3_600
const at = (day: number, hours: number, minutes = 0) => new Date(2026, 10, day, hours, minutes).getTime() / 1000
const gpus = { num_accelerators: { value: 8, display_value: '8' } }
const sku = { object: 'sku', id: 'sku_1', alias: 'h100-west', ...gpus } as Sku

function rowOf(asked: readonly (string | null)[], traded: readonly (string | null)[] = [null]): OrderbookBoardRow {
  return {
    sku,
    halted: false,
    best_bid_dollars_per_node_hour: null,
    best_ask_dollars_per_node_hour: null,
    spread_dollars_per_node_hour: null,
    last_price_dollars_per_node_hour: null,
    change_bps: null,
    free_node_count: 0,
    traded_dollars_per_node_hour: [...traded],
    asked_dollars_per_node_hour: [...asked],
    offered_node_counts: asked.map((price) => (price === null ? 0 : 9)),
  }
}

test('prices are for a GPU where a SKU has some, else for a node', () => {
  assert.equal(priceText('18.051300', partsOf(sku, 'gpu')), '$2.25')
  assert.equal(priceText('18.051300', partsOf(sku, 'node')), '$18.05')
  assert.deepEqual([unitText(sku, 'gpu'), unitText(sku, 'node'), unitText({}, 'gpu')], ['/GPU-h', '/node-h', '/node-h'])
  assert.equal(partsOf({}, 'gpu'), 1)
  assert.deepEqual([-180, 40, 0, 3].map(changeText), ['−1.8 %', '+0.4 %', '0.0 %', '0.0 %'])
})

test('a line joins hours without trades, goes on until now, and breaks where nothing is offered', () => {
  const { past, ahead } = boardLine(rowOf(['2', null, '2'], ['2', null, '2', null]), { passed: 0.5, pastHours: 3 }, 40)
  assert.equal(past, 'M0.5 20L2.5 20H3.5')
  assert.equal(ahead, 'M3.5 20H4M5 20H6')
  assert.equal(boardLine(rowOf([null], ['2', '2', '2', null]), { passed: 0, pastHours: 3 }, 40).points, '')
  assert.equal(
    boardLine(rowOf([null], ['2', ...new Array(9).fill(null)]), { passed: 0, pastHours: 9 }, 40).points,
    'M0.5 20h0',
  )
  assert.deepEqual(boardLine(rowOf([null]), { passed: 0, pastHours: 0 }, 40), { past: '', ahead: '', points: '' })
})

test('lines begin with the day of the first trade of any row, and no later than a day ago', () => {
  const traded = (ago: number | undefined) => {
    const prices: (string | null)[] = new Array(169).fill(null)
    if (ago !== undefined) prices[168 - ago] = '2'
    return rowOf(['2'], prices)
  }
  const past = [[], [3], [30, 60], [168]].map((agos) => shownPast([traded(undefined), ...agos.map(traded)]))
  assert.deepEqual(past, [24, 24, 72, 168])
  assert.equal(boardLine(traded(30), { passed: 0, pastHours: 48 }, 40).points, 'M18.5 20h0')
})

test('a few cents are drawn as few, and a fifth fills the height', () => {
  const ys = (asked: readonly string[]) => {
    return [...boardLine(rowOf(asked), { passed: 0, pastHours: 0 }, 100).ahead.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(
      ([, y]) => Number(y),
    )
  }
  const [low = 0, high = 0] = ys(['18.05', '18.10'])
  assert.ok(low - high < 5, `${low} ${high}`)
  assert.deepEqual(ys(['2', '2.4']), [88, 12])
})

test('colours are against the mean of the SKU itself, and as many as a fifth is', () => {
  assert.deepEqual(
    [1.6, 1.9, 2, 2.01, 2.2, 2.9].map((price) => heatOf(price, 2)),
    [-4, -1, 0, 0, 2, 4],
  )
  assert.deepEqual(heatAreas(rowOf(['2', '2', null, '2'])), [
    { heat: 0, path: 'M0 0H2V1H0ZM3 0H4V1H3Z' },
    { heat: 'none', path: 'M2 0H3V1H2Z' },
  ])
})

test('days have their labels, and today only where there is room for it', () => {
  const days = (from: number) => dayLabels({ current: from, hours: 168 }).map(({ hour: place }) => place)
  assert.deepEqual(days(at(20, 6)), [0, 18, 42, 66, 90, 114, 138])
  assert.deepEqual(days(at(20, 11)), [13, 37, 61, 85, 109, 133])
  assert.deepEqual(days(at(20, 20)), [4, 28, 52, 76, 100, 124, 148])
  assert.deepEqual(days(at(20, 0)), [0, 24, 48, 72, 96, 120, 144])
})

test('own windows are what all pools own, within what is shown', () => {
  const pool = (ranges: readonly [number, number | null, number][]) =>
    ({
      allocation_schedule: {
        by_sku: { sku_1: ranges.map(([start_at, end_at, node_count]) => ({ start_at, end_at, node_count })) },
      },
    }) as unknown as Pool
  const pools = [pool([[0, 5 * hour, 2]]), pool([[3 * hour, null, 1]])]
  assert.deepEqual(ownWindows(pools, 'sku_1', { current: 2 * hour, hours: 6 }), [
    { start: 2 * hour, end: 3 * hour, nodes: 2 },
    { start: 3 * hour, end: 5 * hour, nodes: 3 },
    { start: 5 * hour, end: 8 * hour, nodes: 1 },
  ])
  assert.deepEqual(ownWindows(pools, 'sku_2', { current: 0, hours: 6 }), [])
  const own = [
    { start: 0, end: hour, nodes: 1 },
    { start: hour, end: 2 * hour, nodes: 3 },
  ]
  assert.deepEqual(labelledWindows(own, { current: 0, hours: 6 }), [{ at: 2 * hour, nodes: 3, isOn: false }])
})

test('a window that is owned to the end of the strip has its number on its bar', () => {
  const range = { current: 0, hours: 100 }
  const own = [
    { start: 0, end: 5 * hour, nodes: 3 },
    { start: 5 * hour, end: 100 * hour, nodes: 8 },
  ]
  assert.deepEqual(labelledWindows(own, range), [{ at: 7.5 * hour, nodes: 8, isOn: true }])
})

test('of a window only what is within the strip is marked', () => {
  const range = { current: 10 * hour, hours: 5 }
  assert.deepEqual(shownPartOf({ start: 0, end: 11 * hour }, range), { start: 10 * hour, end: 11 * hour })
  assert.deepEqual(shownPartOf({ start: 14 * hour, end: 90 * hour }, range), { start: 14 * hour, end: 15 * hour })
  assert.equal(shownPartOf({ start: 15 * hour, end: 16 * hour }, range), undefined)
})

test('marked hours are drawn whole, and the window of a draft where it has one', () => {
  const range = { current: 36_000, hours: 168 }
  assert.deepEqual(spanOf(range, { from: 3, to: 1 }), { start: 39_600, end: 50_400 })
  assert.deepEqual(heldWindow({ start: '39600', end: '43200' }), { start: 39_600, end: 43_200 })
  for (const draft of [
    undefined,
    {},
    { start: '', end: '600' },
    { start: '600', end: '600' },
    { start: 'now', end: '9' },
  ]) {
    assert.equal(heldWindow(draft), undefined)
  }
})

test('the flag says window, nodes, cost and price, and what is missing', () => {
  const current = at(27, 9)
  const range = { current, hours: 8 }
  const row = rowOf(['18', '18', '18', '20', null, '18', '18', '18'])
  const flag = (from: number, to: number, nodes: number, now = current - hour) => {
    const window = markedWindow(range, { from, to }, now)
    const cost = costOf(row, { from, to }, { ...window, current, nodes })
    return flagText(row, { ...window, nodes, cost, unit: 'gpu' })
  }
  assert.equal(flag(2, 0, 8), 'Fri 27, 09:00–12:00 · 8 nodes · ≈ $432 · $2.25/GPU-h')
  assert.equal(flag(2, 3, 1), 'Fri 27, 11:00–13:00 · 1 node · ≈ $38.00 · $2.37/GPU-h')
  assert.equal(flag(0, 0, 1, current + 1_800), 'Fri 27, 09:31–10:00 · 1 node · ≈ $8.70 · $2.25/GPU-h')
  assert.match(flag(3, 5, 1), /nothing offered in a part of it$/)
  assert.match(flag(0, 1, 20), /only 9 offered all the time$/)
  const sold = flagText(row, {
    start: current,
    end: current + hour,
    nodes: 2,
    cost: undefined,
    unit: 'gpu',
    side: 'sell',
  })
  assert.equal(sold, 'Fri 27, 09:00–10:00 · 2 nodes')
})

test('keys walk over hours and days, and Shift marks', () => {
  const keys = { hours: 168, isExtending: false }
  assert.deepEqual(hoursAfter('ArrowRight', { from: 0, to: 0 }, keys), { from: 1, to: 1 })
  assert.deepEqual(hoursAfter('PageUp', { from: 2, to: 3 }, { ...keys, isExtending: true }), { from: 2, to: 27 })
  assert.deepEqual(hoursAfter('End', { from: 2, to: 3 }, keys), { from: 167, to: 167 })
  assert.deepEqual(hoursAfter('ArrowLeft', { from: 0, to: 0 }, keys), { from: 0, to: 0 })
  assert.equal(hoursAfter('Enter', { from: 0, to: 0 }, keys), undefined)
})
