import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import {
  areaPath,
  labelledTicks,
  numberX,
  rangeOf,
  shownPart,
  snapped,
  ticksOf,
  timeAt,
  type View,
  xOf,
  type Zoom,
  zoomedAt,
  zoomOf,
  zooms,
} from './view.rules.ts'

const names = Object.keys(zooms) as Zoom[]
const zoom = fc.constantFrom(...names)
const start = fc.integer({ min: 1_700_000_000, max: 1_900_000_000 })
const width = fc.integer({ min: 320, max: 4_000 })
const view = fc.tuple(zoom, start, width).map(([name, at, pixels]) => {
  return { name, view: { ...rangeOf(name, String(at), at), width: pixels } satisfies View }
})

test('a range has the span of its zoom, begins at a full hour or day, and without a place shows now', () => {
  fc.assert(
    fc.property(zoom, start, (name, now) => {
      const { from, to } = rangeOf(name, '', now)
      assert.ok(from % zooms[name].edge === 0 && to - from === zooms[name].span && from <= now && now < to)
    }),
  )
  assert.deepEqual(rangeOf('hour', '1800000030', 0), { from: 1_800_000_000, to: 1_800_003_600 })
  assert.deepEqual(rangeOf('hour', 'x', 3_600), { from: 3_000, to: 6_600 })
  assert.equal(rangeOf('day', '1800000000', 0, 1_800).from % 3_600, 1_800)
  assert.deepEqual(['day', 'century'].map(zoomOf), ['day', 'week'])
})

test('another zoom keeps now in its place, or else what is in the middle', () => {
  const now = 1_800_000_000
  const week = { from: now - 60_480, to: now - 60_480 + zooms.week.span }
  assert.equal(zoomedAt('day', week, now), String(now - 8_640))
  const later = { from: now + 1_000, to: now + 1_000 + zooms.week.span }
  assert.equal(zoomedAt('day', later, now), String(now + 1_000 + (zooms.week.span - zooms.day.span) / 2))
})

test('labels that the edge would cut are left out', () => {
  const shown = { from: 5_400, to: 91_800, width: 800 }
  const { ticks } = ticksOf(shown, () => 0)
  const labelled = labelledTicks(ticks, shown)
  assert.ok(labelled.length > 3 && labelled.length < ticks.length)
  for (const { at } of labelled) assert.ok(xOf(shown, at) + 76 <= 800)
})

test('a place and its moment lead to each other', () => {
  fc.assert(
    fc.property(view, fc.double({ min: 0, max: 1, noNaN: true }), ({ view: shown }, part) => {
      const x = part * shown.width
      assert.ok(Math.abs(xOf(shown, timeAt(shown, x)) - x) < 1e-3)
    }),
  )
})

test('what is dragged is rounded to the grain of local time, and drawn to near edges', () => {
  const offset = fc.constantFrom(0, 3_600, -18_000, 20_700)
  fc.assert(
    fc.property(view, fc.double({ min: 0, max: 1, noNaN: true }), offset, ({ name, view: shown }, part, seconds) => {
      const { grain } = zooms[name]
      const x = part * shown.width
      const at = snapped(shown, x, name, [], seconds)
      assert.equal((((at + seconds) % grain) + grain) % grain, 0)
      assert.ok(Math.abs(at - timeAt(shown, x)) <= grain / 2 + 1)
      const edge = Math.round(timeAt(shown, x))
      assert.equal(snapped(shown, x, name, [edge], seconds), edge)
    }),
  )
})

test('ticks are round in local time, ascending, inside, and far enough apart', () => {
  fc.assert(
    fc.property(view, fc.constantFrom(0, 3_600, -12_600), ({ view: shown }, offset) => {
      const { ticks, step } = ticksOf(shown, () => offset)
      for (const [index, { at, isDay }] of ticks.entries()) {
        assert.ok(at >= shown.from && at < shown.to)
        assert.equal((at + offset) % step, 0)
        assert.equal(isDay, (at + offset) % 86_400 === 0)
        if (index > 0) assert.ok(xOf(shown, at) - xOf(shown, ticks[index - 1]?.at ?? 0) >= 75)
      }
    }),
  )
})

test('ticks of days stay at midnight where the clocks change', () => {
  const change = 1_800_000_000 - (1_800_000_000 % 86_400)
  const shown = { from: change - 2 * 86_400, to: change + 5 * 86_400, width: 700 }
  const offsetAt = (at: number) => (at < change + 3_600 ? 3_600 : 7_200)
  const { ticks } = ticksOf(shown, offsetAt)
  assert.ok(ticks.length >= 6)
  for (const { at } of ticks) assert.equal((at + offsetAt(at)) % 86_400, 0)
})

test('the number of a bar stands beside the line of now', () => {
  assert.deepEqual(
    [0, 101, 110, 115, 120, 400].map((nowX) => numberX(100, nowX)),
    [105, 105, 114, 119, 105, 105],
  )
})

test('paths and bars stay within the lane', () => {
  const steps = fc
    .array(fc.tuple(fc.integer({ min: -200_000, max: 9_000_000 }), fc.integer({ min: 0, max: 50 })), { maxLength: 20 })
    .map((all) => all.toSorted((a, b) => a[0] - b[0]))
  fc.assert(
    fc.property(view, steps, ({ view: shown }, relative) => {
      const moved = relative.map(([at, value]) => [shown.from + at, value] as const)
      const path = areaPath(moved, shown, 40, 50)
      for (const [, axis, text] of path.matchAll(/([MHV])(-?[\d.]+)/g)) {
        const most = axis === 'V' ? 40 : shown.width
        assert.ok(Number(text) >= 0 && Number(text) <= most, `${axis}${text}`)
      }
      const [at, end] = [moved[0]?.[0] ?? 0, moved.at(-1)?.[0] ?? 0]
      const part = shownPart(shown, at, end)
      if (part) assert.ok(part.x >= 0 && part.width > 0 && part.x + part.width <= shown.width + 0.2)
    }),
  )
  const shown = { from: 0, to: 100, width: 100 }
  assert.equal(areaPath([], shown, 40, 4), '')
  assert.equal(
    areaPath(
      [
        [20, 2],
        [60, 0],
      ],
      shown,
      40,
      4,
    ),
    'M20 40V20H60V40Z',
  )
  assert.deepEqual(shownPart(shown, 40, null), { x: 40, width: 60 })
  assert.equal(shownPart(shown, 200, 300), undefined)
})
