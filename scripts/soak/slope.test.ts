import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createSeededRandom } from '../../packages/server/src/core/base/random.ts'
import { type Point, slopeOf, windowSlopes } from './slope.ts'

const line = (length: number, valueAt: (index: number) => number): Point[] =>
  Array.from({ length }, (_, index) => ({ minute: index / 6, value: valueAt(index) }))

test('the slope of a line is in units a minute, upwards and downwards', () => {
  assert.equal(slopeOf(line(60, () => 200)), 0)
  assert.ok(Math.abs((slopeOf(line(60, (index) => 200 + index / 6)) ?? 0) - 1) < 1e-9)
  assert.ok(Math.abs((slopeOf(line(61, (index) => 200 - (3 * index) / 6)) ?? 0) + 3) < 1e-9)
})

test('no slope comes from one point, or from points of one moment', () => {
  assert.equal(slopeOf([]), undefined)
  assert.equal(slopeOf([{ minute: 1, value: 5 }]), undefined)
  assert.equal(slopeOf([5, 9].map((value) => ({ minute: 1, value }))), undefined)
})

test('a saw of collections and single peaks do not hide or make a slope', () => {
  const random = createSeededRandom('saw')
  const saw = (index: number) => (index % 17) + random.integer(5) + (index % 29 === 0 ? 120 : 0)
  const flat = slopeOf(line(300, (index) => 200 + saw(index))) as number
  const rising = slopeOf(line(300, (index) => 200 + saw(index) + (2 * index) / 6)) as number
  assert.ok(Math.abs(flat) < 0.05, `${flat}`)
  assert.ok(Math.abs(rising - 2) < 0.05, `${rising}`)
})

test('many points have the slope of their means', () => {
  const slope = slopeOf(line(9_000, (index) => (index % 2) * 50 + index / 6)) as number
  assert.ok(Math.abs(slope - 1) < 0.01, `${slope}`)
})

test('each window has its own slope, and one without two points has none', () => {
  const rising = line(121, (index) => (index < 60 ? index / 6 : 10))
  assert.deepEqual(
    windowSlopes(rising, 10).map(({ from, until, points, slope }) => [
      from,
      until,
      points,
      Math.round(slope * 1e6) / 1e6,
    ]),
    [
      [0, 10, 60, 1],
      [10, 20, 60, 0],
    ],
  )
})
