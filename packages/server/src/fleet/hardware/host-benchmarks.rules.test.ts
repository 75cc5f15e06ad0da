import assert from 'node:assert/strict'
import { test } from 'vitest'
import { countsFrom, refuseRepeated, summarizeBenchmarks } from './host-benchmarks.rules.ts'

const measured = (value: string, measured_at = 100, unit = 'GB/s') => ({
  measured_at,
  figures: [{ name: 'memory_bandwidth', value, unit }],
})
const sum = (...values: string[]) => summarizeBenchmarks(values.map((value, index) => measured(value, 100 + index)))

test('a figure of a SKU is the lowest of its hosts and their median, with the oldest date', () => {
  const figure = { name: 'memory_bandwidth', unit: 'GB/s' }
  assert.deepEqual(sum('9', '10.5', '100'), [
    { ...figure, lowest: '9', median: '10.5', host_count: 3, measured_at: 100 },
  ])
  assert.equal(sum('4', '3', '2', '1')[0]?.median, '2')
  assert.deepEqual(
    sum('0.1', '0.09').map(({ lowest }) => lowest),
    ['0.09'],
  )
  assert.deepEqual(summarizeBenchmarks([]), [])
})

test('figures with other units are others, and a SKU shows no more than 32', () => {
  const both = summarizeBenchmarks([measured('1'), measured('1', 100, 'GiB/s')])
  assert.deepEqual(
    both.map(({ unit, host_count }) => [unit, host_count]),
    [
      ['GB/s', 1],
      ['GiB/s', 1],
    ],
  )
  const many = Array.from({ length: 40 }, (_, index) => measured('1', 100, `u${index}`))
  assert.equal(summarizeBenchmarks(many).length, 32)
})

test('two figures of one name are refused, and 90 days count', () => {
  const { figures } = measured('1')
  assert.equal(refuseRepeated(figures), undefined)
  assert.equal(refuseRepeated([...figures, ...figures])?.field, 'figures.1.name')
  assert.equal(countsFrom(100 * 86_400), 10 * 86_400)
})
