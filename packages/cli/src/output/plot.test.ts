import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { type Canvas, depthPlot, heatPlot, type PriceSpan, pricePlot } from './plot.ts'

const plain: Canvas = { width: 40, dim: String, bidColour: String, askColour: String }

function widthOf(line: string): number {
  return Math.max(...line.split('\n').map((part) => [...part].length))
}

test('depth is a ladder with the best ask and the best bid on both sides of the spread', () => {
  const lines = depthPlot(
    {
      asks: [
        { price: 2, nodes: 2 },
        { price: 2.5, nodes: 4 },
      ],
      bids: [
        { price: 1.5, nodes: 1 },
        { price: 1, nodes: 0.5 },
      ],
    },
    { ...plain, width: 34 },
  )
  assert.deepEqual(lines, [
    `ask  2.5000    4  ${'█'.repeat(16)}`,
    `ask  2.0000    2  ${'█'.repeat(8)}`,
    '     spread 0.5000 (25.0 %)',
    `bid  1.5000    1  ${'█'.repeat(4)}`,
    `bid  1.0000  0.5  ${'█'.repeat(2)}`,
  ])
})

test('the plot reports a side without orders, and an empty book', () => {
  const one = [{ price: 2, nodes: 1 }]
  assert.match(depthPlot({ asks: one, bids: [] }, plain).join('\n'), /no bids$/)
  assert.match(depthPlot({ asks: [], bids: one }, plain).join('\n'), /^ +no asks/)
  assert.deepEqual(depthPlot({ asks: [], bids: [] }, plain), ['There are no bids or asks in this window.'])
})

test('each side has its own colour', () => {
  const level = [{ price: 1, nodes: 1 }]
  const painted = {
    ...plain,
    bidColour: (text: string) => `<w>${text}</w>`,
    askColour: (text: string) => `<o>${text}</o>`,
  }
  const lines = depthPlot({ asks: level, bids: level }, painted)
  assert.match(lines[0] ?? '', /<o>█+<\/o>$/)
  assert.match(lines.at(-1) ?? '', /<w>█+<\/w>$/)
})

test('a price plot shows highs above, lows below, a dot at the mean, and a gap without trades', () => {
  const spans: PriceSpan[] = [
    { at: 0, low: 1, high: 3, mean: 2 },
    { at: 7_200, low: 3, high: 3, mean: 3 },
  ]
  const lines = pricePlot(spans, { seconds: 3_600, height: 3, canvas: { ...plain, width: 13 } })
  assert.deepEqual(lines, [
    '3.0000 ┤ │ ●',
    '2.0000 ┤ ●',
    '1.0000 ┤ │',
    '       └────\n         1970-01-01 00:00  1970-01-01 02:00 UTC',
  ])
  assert.deepEqual(pricePlot([], { seconds: 60, height: 3, canvas: plain }), ['Nothing was traded.'])
})

test('for any market, a plot has the maximum width and the requested rows', () => {
  const price = fc.double({ min: 0.001, max: 999_999, noNaN: true })
  const level = fc.record({ price, nodes: fc.integer({ min: 1, max: 100_000 }) })
  const sides = fc.record({ asks: fc.array(level, { maxLength: 8 }), bids: fc.array(level, { maxLength: 8 }) })
  fc.assert(
    fc.property(sides, fc.integer({ min: 40, max: 120 }), (book, width) => {
      const lines = depthPlot(book, { ...plain, width })
      for (const line of lines) assert.ok(widthOf(line) <= Math.max(width, 48), line)
    }),
  )
  const times = fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 })
  const drawn = fc.tuple(times, fc.array(price, { minLength: 400, maxLength: 400 }))
  fc.assert(
    fc.property(drawn, fc.integer({ min: 40, max: 120 }), fc.integer({ min: 2, max: 20 }), (seen, width, height) => {
      const [at, prices] = seen
      const spans = at
        .sort((a, b) => a - b)
        .map((hour, index): PriceSpan => {
          const [one, other] = [prices[index] ?? 1, prices[index + 200] ?? 1]
          return { at: hour * 3_600, low: Math.min(one, other), high: Math.max(one, other), mean: (one + other) / 2 }
        })
      const lines = pricePlot(spans, { seconds: 3_600, height, canvas: { ...plain, width } })
      assert.equal(lines.length, height + 1)
      for (const line of lines.slice(0, -1)) assert.ok(widthOf(line) <= width, line)
      assert.ok(lines.slice(0, -1).some((line) => line.includes('●')))
    }),
    { numRuns: 50 },
  )
})

const cellsOf = (...prices: (number | undefined)[]) => {
  return prices.map((price, index) => ({ at: index * 3_600, price, nodes: price === undefined ? 0 : index }))
}

test('a heat map is a line of shades for each row, with a dot where nothing is offered', () => {
  const rows = [
    { label: 'a100', cells: cellsOf(1, 2, undefined, 4) },
    { label: 'h100-west', cells: cellsOf(undefined, 3, 5, 2) },
    { label: 'b200', cells: cellsOf(undefined, undefined, undefined, undefined) },
  ]
  assert.deepEqual(heatPlot(rows, { ...plain, width: 80 }), [
    'a100       ░▒·█ 1.0000  3 nodes',
    'h100-west  ·▓█▒ 2.0000  3 nodes',
    'b200       ····',
    '         └─────\n           1970-01-01 00:00  1970-01-01 03:00 UTC',
    '░ 1.0000 … █ 5.0000  · nothing offered',
  ])
})

test('cells of a heat map that share a column show the cheapest, and a map without rows says so', () => {
  const row = { label: 'a', cells: cellsOf(4, 1, undefined, 4) }
  assert.equal(heatPlot([row], { ...plain, width: 22 })[0], 'a  ░█ 1.0000  3 nodes')
  assert.deepEqual(heatPlot([], plain), ['No SKU fits.'])
  assert.equal(heatPlot([{ label: 'a', cells: cellsOf(2, 2) }], plain)[0], 'a  ░░ 2.0000  1 node')
})
