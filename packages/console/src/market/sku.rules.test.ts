import assert from 'node:assert/strict'
import type { Pool, Sku } from '@bourse/sdk'
import { test } from 'vitest'
import { findPool, findSku, poolsFor, skuFacts, skuLine } from './sku.rules.ts'

const value = (display_value: string) => ({ value: display_value, display_value })
const sku = {
  object: 'sku',
  id: 'sku_1',
  alias: 'h100',
  accelerator: value('NVIDIA H100'),
  num_accelerators: { value: 8, display_value: '8' },
  region: value('US West'),
} as Sku

function poolOf(id: string, kind: Pool['kind'], steps: [number, number | null, number][] = []): Pool {
  const by_sku = { sku_1: steps.map(([start_at, end_at, node_count]) => ({ start_at, end_at, node_count })) }
  return { id, name: `name of ${id}`, kind, resource_path: `svc:${id}`, allocation_schedule: { by_sku } } as never
}

test('a SKU is told by its machine and its region', () => {
  assert.equal(skuLine(sku), '8 × NVIDIA H100 · US West')
  assert.equal(
    skuLine({ object: 'sku', id: 'sku_2', alias: '', num_vcpus: { value: 4, display_value: '4' } }),
    '4 vCPUs',
  )
  assert.deepEqual(
    skuFacts(sku).map(([name]) => name),
    ['Accelerator', 'Accelerators', 'Region'],
  )
})

test('a buyer sees that hardware is simulated, who supplies hosts, and what was measured', () => {
  const figure = { name: 'memory_bandwidth', unit: 'GB/s', lowest: '300', median: '312.5', measured_at: 0 }
  const shown = {
    ...sku,
    simulated: true as const,
    operator_hosts_only: true as const,
    benchmarks: [
      { ...figure, host_count: 1 },
      { ...figure, unit: 'GiB/s', host_count: 2 },
    ],
  }
  assert.equal(skuLine(shown), '8 × NVIDIA H100 · US West · simulated')
  assert.deepEqual(skuFacts(shown).slice(3), [
    ['Hardware', 'Simulated: hosts need not have it'],
    ['Hosts', 'Only of the operator of the platform'],
    ['memory bandwidth, GB/s', 'At least 300, median 312.5 (1 host)'],
    ['memory bandwidth, GiB/s', 'At least 300, median 312.5 (2 hosts)'],
  ])
})

test('SKUs and pools are found by id before name', () => {
  const named = { ...sku, id: 'sku_2', alias: 'sku_1' } as Sku
  assert.equal(findSku([named, sku], 'sku_1'), sku)
  assert.equal(findSku([named, sku], 'h100'), sku)
  assert.equal(findSku([{ ...sku, alias: '' } as Sku], ''), undefined)
  const pools = [poolOf('pool_1', 'market')]
  assert.equal(findPool(pools, 'svc:pool_1'), pools[0])
  assert.equal(findPool(pools, 'name of pool_1'), pools[0])
})

test('a sell names pools that can sell, the owners of the SKU first', () => {
  const pools = [poolOf('a', 'market'), poolOf('b', 'read_only'), poolOf('c', 'originating', [[0, null, 1]])]
  assert.deepEqual(
    poolsFor(pools, 'buy', 'sku_1').map(({ id }) => id),
    ['a'],
  )
  assert.deepEqual(
    poolsFor(pools, 'sell', 'sku_1').map(({ id }) => id),
    ['c', 'a'],
  )
})
