import assert from 'node:assert/strict'
import { getStatement } from '@bourse/api/billing/statements.ts'
import { getHost } from '@bourse/api/fleet/hosts.ts'
import { getSku } from '@bourse/api/market/skus.ts'
import { test } from 'vitest'
import { plainStyle } from '../cells.ts'
import { recordOf } from './records.ts'
import { type ObjectType, typeOf } from './value-types.ts'

const noon = Date.UTC(2026, 0, 31, 12) / 1000

function record(schema: object, value: Record<string, unknown>, style = plainStyle): string[] {
  const type = typeOf(schema) as ObjectType
  const columns = [...type.members].filter(([name]) => name in value).map(([name, own]) => ({ name, type: own }))
  return recordOf({ value, type, columns }, { style, dim: String }).split('\n')
}

test('a record has a line for each member, and for each member of an object in it', () => {
  const value = {
    id: 'host_1',
    sku: { object: 'sku', id: 'sku_1', alias: 'h100-west' },
    facts: { hostname: 'a', memory_bytes: 2 ** 36, accelerators: ['H100', 'H100'] },
    tunnel: null,
    created_at: noon,
  }
  assert.deepEqual(record(getHost.response as object, value), [
    'id                  host_1',
    'sku                 h100-west',
    'facts.hostname      a',
    'facts.memory_bytes  64 GiB',
    'facts.accelerators  H100 × 2',
    'tunnel              -',
    'created_at          2026-01-31 12:00:00Z',
  ])
})

test('a figure of a benchmark is one line, of a host and of a SKU', () => {
  const figure = { name: 'memory_bandwidth', unit: 'GB/s' }
  const benchmark = { measured_at: 0, figures: [{ ...figure, value: '312.5' }] }
  assert.deepEqual(record(getHost.response as object, { benchmark }), [
    'benchmark.measured_at  1970-01-01 00:00:00Z',
    'benchmark.figures      memory_bandwidth 312.5 GB/s',
  ])
  const ofSku = { ...figure, lowest: '300', median: '312.5', host_count: 3, measured_at: 0 }
  assert.deepEqual(record(getSku.response as object, { benchmarks: [ofSku, { ...ofSku, host_count: 1 }] }), [
    'benchmarks  memory_bandwidth 312.5 GB/s (3 hosts, the lowest 300, since 1970-01-01 00:00:00Z)',
    '            memory_bandwidth 312.5 GB/s (1 host, since 1970-01-01 00:00:00Z)',
  ])
})

test('the hardware of a host is one line', () => {
  const accelerators = [{ kind: 'h100', name: 'NVIDIA H100 SXM5 80 GB', devices: Array(8).fill({}) }]
  const hardware = { accelerators, numa_nodes: [{}, {}], storage: {} }
  assert.deepEqual(record(getHost.response as object, { facts: { hostname: 'a', hardware } }), [
    'facts.hostname  a',
    'facts.hardware  8 × NVIDIA H100 SXM5 80 GB, 2 NUMA nodes',
  ])
})

test('a moment has its age besides', () => {
  const style = { ...plainStyle, times: 'age', now: noon + 7200 } as const
  assert.deepEqual(record(getHost.response as object, { created_at: noon }, style), [
    'created_at  2026-01-31 12:00:00Z (2 h ago)',
  ])
})

test('the lines of a statement are a table with their amounts', () => {
  const line = (sku: string | null, purchases_dollars: string) => ({ sku, workspace: null, purchases_dollars })
  const value = { month: '2026-01', lines: [line('sku_1', '108.300000'), line(null, '0.000000')] }
  const style = { ...plainStyle, names: new Map([['sku_1', 'h100-west']]) }
  assert.deepEqual(record(getStatement.response as object, value, style), [
    'month  2026-01',
    'lines',
    '  SKU        WORKSPACE  PURCHASES',
    '  h100-west  -            $108.30',
    '  -          -              $0.00',
  ])
  assert.deepEqual(record(getStatement.response as object, { lines: [] }), ['lines  -'])
})
