import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  binarySizeOf,
  bytesOf,
  counted,
  dollarsOf,
  nodeHoursOf,
  nodeMinutesOf,
  percentOfPoints,
  windowTexts,
} from './amounts.ts'

test('dollars have at least two decimals, all that are not zero, and groups of thousands', () => {
  const cases = { '0.000000': '$0.00', '165.450000': '$165.45', '0.000017': '$0.000017', '1234567.5': '$1,234,567.50' }
  for (const [text, shown] of Object.entries(cases)) assert.equal(dollarsOf(text), shown)
  assert.equal(dollarsOf('-2.000000'), '-$2.00')
})

test('a window is shown in UTC, and in the local time where that is another', () => {
  const noon = Date.UTC(2026, 0, 31, 12) / 1000
  assert.deepEqual(windowTexts(noon, noon + 3600, 'UTC'), { utc: '2026-01-31 12:00 – 13:00 UTC (1 h)' })
  assert.deepEqual(windowTexts(noon, noon + 86_400, 'Asia/Tokyo'), {
    utc: '2026-01-31 12:00 – 2026-02-01 12:00 UTC (1 d)',
    local: '2026-01-31 21:00 – 2026-02-01 21:00 Asia/Tokyo',
  })
})

test('counts are words', () => {
  assert.deepEqual([counted(1, 'node'), counted(1200, 'node')], ['1 node', '1,200 nodes'])
  assert.deepEqual(
    [nodeHoursOf(60), nodeHoursOf(20), nodeHoursOf(0)],
    ['1 node-hour', '0.33 node-hours', '0 node-hours'],
  )
  assert.equal(nodeMinutesOf([{ start_at: 0, end_at: 3600, node_count: 2 }]), 120)
})

test('bytes are the shortest exact number, or rounded to one decimal', () => {
  const cases: [number, string][] = [
    [0, '0 bytes'],
    [1, '1 byte'],
    [512, '512 bytes'],
    [1024, '1 KiB'],
    [30_000_000_000_000, '30 TB'],
    [2 ** 41, '2 TiB'],
    [80 * 2 ** 30, '80 GiB'],
    [1_500_000, '1500 kB'],
    [1_234_567_890, '1.1 GiB'],
  ]
  for (const [bytes, text] of cases) assert.equal(bytesOf(bytes), text)
})

test('a binary size keeps all of its bytes', () => {
  const cases: [number, string][] = [
    [0, '0 bytes'],
    [1, '1 byte'],
    [1_610_612_736, '1536 MiB'],
    [2 ** 41, '2 TiB'],
    [1_000_000, '1000000 bytes'],
  ]
  for (const [bytes, text] of cases) assert.equal(binarySizeOf(bytes), text)
})

test('basis points are percent', () => {
  assert.deepEqual([125, 10_000, 5].map(percentOfPoints), ['1.25 %', '100 %', '0.05 %'])
})
