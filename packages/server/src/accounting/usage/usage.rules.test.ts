import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  emptySums,
  groupUsage,
  type PlaceHours,
  type PlaceUsage,
  periodEnd,
  periodStart,
  refuseUsageRange,
  usageOfPlace,
} from './usage.rules.ts'
import type { UsageCell } from './usage-fold.rules.ts'

const second = (text: string) => Date.parse(text) / 1000
const day = second('2026-02-28T00:00:00Z')
const hour = 3_600

test('periods are those of UTC', () => {
  const time = second('2026-02-28T13:14:15Z')
  const cases = [
    ['hour', '2026-02-28T13:00:00Z', '2026-02-28T14:00:00Z'],
    ['day', '2026-02-28T00:00:00Z', '2026-03-01T00:00:00Z'],
    ['month', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
  ] as const
  for (const [granularity, start, end] of cases) {
    assert.equal(periodStart(time, granularity), second(start))
    assert.equal(periodEnd(second(start), granularity), second(end))
  }
})

test('a range has whole periods, in order, and not too many', () => {
  const refusal = (from: number, to: number, granularity: 'hour' | 'day') => {
    const { code, field, message } = refuseUsageRange({ from, to }, granularity) ?? {}
    return [code, field, message]
  }
  const none = [undefined, undefined, undefined]
  const end = (days: number) => day + days * 86_400
  const unaligned = 'The time must be the beginning of a hour in UTC.'
  assert.deepEqual(refusal(day + 1, end(1), 'hour'), ['not_aligned', 'from', unaligned])
  assert.deepEqual(refusal(day, end(1) - 1, 'hour'), ['not_aligned', 'to', unaligned])
  assert.deepEqual(refusal(day, day, 'day').slice(0, 2), ['invalid_range', 'to'])
  assert.deepEqual(refusal(end(1), day, 'day').slice(0, 2), ['invalid_range', 'to'])
  assert.deepEqual(refusal(day, end(31), 'hour'), none)
  assert.deepEqual(refusal(day, end(31) + hour, 'hour'), [
    'range_too_long',
    'to',
    'The range may have at most 31 days by hour.',
  ])
  assert.deepEqual(refusal(day, end(400), 'day'), none)
  assert.deepEqual(refusal(day, end(401), 'day'), ['range_too_long', 'to', 'The range may have at most 400 days.'])
})

const noCell = { owned_nodes: 0, owned_minutes: 0, run_nodes: 0, run_minutes: 0 }
const noMoney = { bought_micros: 0n, sold_micros: 0n, cost_micros: 0n }

function placeOf(hours: Record<number, Partial<UsageCell>>, owned_before = 0, run_before = 0): PlaceHours {
  const cells = Object.entries(hours).map(([n, cell]) => {
    return [day / hour + Number(n), { ...noCell, ...noMoney, ...cell } as UsageCell] as const
  })
  return { pool_id: 'pool_1', sku_id: 'sku_1', owned_before, run_before, hours: new Map(cells) }
}

const usageOf = (place: PlaceHours, now: number, granularity: 'hour' | 'day' = 'hour') =>
  usageOfPlace(place, { from: day, to: day + 86_400 }, { granularity, now }).map(({ period, ...sums }) => ({
    hour: (period - day) / hour,
    ...sums,
  }))
const place = { pool_id: 'pool_1', sku_id: 'sku_1' }
const later = day + 5 * 86_400

test('nodes that come in an hour count for its rest and the hours after, and hours without any are left out', () => {
  const hours = {
    1: { owned_nodes: 2, owned_minutes: 60, run_nodes: 1, run_minutes: 20, bought_micros: 5n },
    3: { owned_nodes: -2, owned_minutes: -120, run_nodes: -1, run_minutes: -60, cost_micros: 3n, sold_micros: 4n },
  }
  const expected = [
    { hour: 1, ...place, ...noMoney, allocated: 60, used: 20, bought_micros: 5n },
    { hour: 2, ...place, ...noMoney, allocated: 120, used: 60 },
    { hour: 3, ...place, allocated: 0, used: 0, bought_micros: 0n, sold_micros: 4n, cost_micros: 3n },
  ]
  assert.deepEqual(usageOf(placeOf(hours), later), expected)
  assert.deepEqual(usageOf(placeOf(hours), later, 'day'), [
    { hour: 0, ...place, allocated: 180, used: 80, bought_micros: 5n, sold_micros: 4n, cost_micros: 3n },
  ])
})

test('each sum alone makes a row', () => {
  const alone: Partial<UsageCell>[] = [
    { owned_minutes: 1 },
    { bought_micros: 1n },
    { sold_micros: 1n },
    { cost_micros: 1n },
  ]
  for (const cell of alone) assert.deepEqual(usageOf(placeOf({ 4: cell }), later).length, 1)
  assert.deepEqual(usageOf(placeOf({ 4: {} }), later), [])
})

test('instances count to the running minute, and in no hour for more than is allocated', () => {
  const used = (now: number, owned: number) => usageOf(placeOf({}, owned, 1), now).map((row) => row.used)
  const all = new Array(24).fill(60)
  assert.deepEqual(used(later, 1), all)
  assert.deepEqual(used(later, 2), all)
  // The minute that runs counts whole.
  const now = day + 2 * hour + 30 * 60 + 59
  assert.deepEqual(used(now, 1).slice(0, 4), [60, 60, 31, 0])
  assert.deepEqual(used(day + 2 * hour, 1).slice(0, 4), [60, 60, 1, 0])
  assert.deepEqual(used(day + 3 * hour - 1, 1).slice(0, 4), [60, 60, 60, 0])
  assert.deepEqual(
    usageOf(placeOf({}, 0, 1), later).map((row) => row.used),
    [],
  )
  assert.deepEqual(
    usageOf(placeOf({}, 1, 3), later).map((row) => row.used),
    all,
  )
})

test('rows are added up by period and group, in the order of both', () => {
  const row = (changes: Partial<PlaceUsage>): PlaceUsage => ({ ...place, period: 0, ...emptySums(), ...changes })
  const rows = [
    row({ period: 60, allocated: 1 }),
    row({ pool_id: 'pool_2', allocated: 20, used: 2, bought_micros: 3n, sold_micros: 4n, cost_micros: 5n }),
    row({ sku_id: 'sku_2', used: 7 }),
    row({ allocated: 1, used: 1, bought_micros: 1n, sold_micros: 1n, cost_micros: 1n }),
  ]
  const pools = new Map([
    ['pool_1', { workspace_id: 'wksp_1', tags: { team: 'a' } }],
    ['pool_2', { workspace_id: 'wksp_1', tags: null }],
  ])
  const grouped = (...names: string[]) =>
    groupUsage(rows, names, (id) => pools.get(id) as { workspace_id: string; tags: null })
  const first = { allocated: 21, used: 3, bought_micros: 4n, sold_micros: 5n, cost_micros: 6n }
  const second = { ...emptySums(), used: 7 }
  const last = { period: 60, ...emptySums(), allocated: 1 }
  assert.deepEqual(grouped(), [
    { period: 0, group: {}, ...first, used: 10 },
    { ...last, group: {} },
  ])
  assert.deepEqual(grouped('sku'), [
    { period: 0, group: { sku: 'sku_1' }, ...first },
    { period: 0, group: { sku: 'sku_2' }, ...second },
    { ...last, group: { sku: 'sku_1' } },
  ])
  assert.deepEqual(
    grouped('pool', 'workspace', 'tag:team').map(({ period, group }) => [period, group]),
    [
      [0, { pool: 'pool_1', workspace: 'wksp_1', 'tag:team': 'a' }],
      [0, { pool: 'pool_2', workspace: 'wksp_1', 'tag:team': null }],
      [60, { pool: 'pool_1', workspace: 'wksp_1', 'tag:team': 'a' }],
    ],
  )
  assert.deepEqual(
    grouped('tag:other').map(({ group }) => group),
    [{ 'tag:other': null }, { 'tag:other': null }],
  )
})
