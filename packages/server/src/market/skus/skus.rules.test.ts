import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  applyProperties,
  differs,
  hasOtherNeeds,
  presentBenchmarks,
  refuseBelowOverrides,
  refusePartners,
  type SkuProperties,
  tighterLimits,
  writtenProperties,
} from './skus.rules.ts'

const catalogue = new Map([
  ['region:eu-north-1', 'Northern Europe'],
  ['infiniband_fabric:fabric-1', 'Fabric one'],
])

function applied(before: object, written: object) {
  const result = applyProperties(before, writtenProperties(written), catalogue)
  assert.ok('properties' in result)
  return result.properties
}

function refused(before: object, written: object): (string | null | undefined)[] {
  const result = applyProperties(before, writtenProperties(written), catalogue)
  assert.ok('refusal' in result)
  return [result.refusal.code, result.refusal.field]
}

test('a plain value gets its display text from the catalogue or its number, and a given text is kept', () => {
  const written = { supports_public_ipv4: false, memory_bytes: 1536 * 2 ** 20, region: 'eu-north-1', num_vcpus: 8 }
  assert.deepEqual(Object.entries(applied({}, written)), [
    ['region', { value: 'eu-north-1', display_value: 'Northern Europe' }],
    ['num_vcpus', { value: 8, display_value: '8' }],
    ['memory_bytes', { value: 1536 * 2 ** 20, display_value: '1536 MiB' }],
    ['supports_public_ipv4', { value: false, display_value: 'No' }],
  ])
  const own = { region: { value: 'eu-north-1', display_value: 'The north' }, local_storage_bytes: 0 }
  assert.deepEqual(applied({}, own), {
    region: { value: 'eu-north-1', display_value: 'The north' },
    local_storage_bytes: { value: 0, display_value: '0 bytes' },
  })
})

test('a value that the catalogue lacks is refused, except for the built-in kinds of RDMA', () => {
  assert.deepEqual(refused({}, { region: 'nowhere' }), ['reference_not_found', 'region'])
  assert.deepEqual(refused({}, { rdma_type: 'token-ring' }), ['reference_not_found', 'rdma_type'])
  assert.deepEqual(applied({}, { rdma_type: 'roce' }), { rdma_type: { value: 'roce', display_value: 'RoCE' } })
})

test('a fabric requires InfiniBand, also when only one of the two changes', () => {
  const woven = { rdma_type: 'infiniband', infiniband_fabric: 'fabric-1' }
  const both = applied({}, woven)
  assert.equal(both.infiniband_fabric, 'fabric-1')
  assert.deepEqual(refused({}, { infiniband_fabric: 'fabric-1' }), ['not_applicable', 'infiniband_fabric'])
  assert.deepEqual(refused(both, { rdma_type: null }), ['not_applicable', 'infiniband_fabric'])
  assert.deepEqual(applied(both, { rdma_type: null, infiniband_fabric: null }), {})
})

test('properties differ by their values, not by their order', () => {
  const one = applied({}, { num_vcpus: 1, memory_bytes: 2 })
  const same = applied({}, { memory_bytes: 2, num_vcpus: 1 })
  assert.equal(differs(one, same), false)
  assert.equal(differs(one, applied(one, { num_vcpus: 3 })), true)
  assert.equal(differs(one, applied(one, { memory_bytes: null })), true)
})

test('a SKU has other needs if its hardware or the exception from it changes, and not by its texts and places', () => {
  const before = { properties: applied({}, { num_vcpus: 8, region: 'eu-north-1' }) as SkuProperties, simulated: false }
  const changed = (written: object, simulated = false) =>
    hasOtherNeeds(before, { properties: applied(before.properties, written) as SkuProperties, simulated })
  assert.equal(changed({}), false)
  assert.equal(changed({ num_vcpus: { value: 8, display_value: 'eight' }, region: null }), false)
  assert.equal(changed({}, true), true)
  for (const written of [{ num_vcpus: 4 }, { num_vcpus: null }, { memory_bytes: 1 }, { rdma_type: 'roce' }]) {
    assert.equal(changed(written), true, JSON.stringify(written))
  }
})

test('a change of a SKU is refused only for the properties of which it allows less than before', () => {
  const before = applied({}, { num_vcpus: 4, memory_bytes: 2 ** 30, rdma_type: 'roce' }) as SkuProperties
  const override = applied({}, { num_vcpus: 8, memory_bytes: 2 ** 30, rdma_type: 'roce' }) as SkuProperties
  const fieldOf = (written: object) => {
    const after = applied(before, written) as SkuProperties
    const overrides = [{ account_id: 'one', properties: override }]
    return refuseBelowOverrides(after, overrides, tighterLimits(before, after))?.field
  }
  // The override already promises more processors, as those from before overrides were compared may.
  assert.equal(fieldOf({ num_vcpus: 6 }), undefined)
  assert.equal(fieldOf({ num_vcpus: null }), undefined)
  assert.equal(fieldOf({ memory_bytes: 2 ** 31 }), undefined)
  assert.equal(fieldOf({ local_storage_bytes: 1 }), undefined)
  assert.equal(fieldOf({ num_vcpus: 2 }), 'num_vcpus')
  assert.equal(fieldOf({ memory_bytes: 2 ** 29 }), 'memory_bytes')
  assert.equal(fieldOf({ rdma_type: 'infiniband' }), 'rdma_type')
})

test('a SKU that partners supply is not kept to the operator, and each of their hosts is named', () => {
  assert.equal(refusePartners([]), undefined)
  const refusal = refusePartners([{ id: 'host_1' }, { id: 'host_2' }])
  assert.deepEqual([refusal?.code, refusal?.field], ['in_use', 'operator_hosts_only'])
  assert.deepEqual(
    refusal?.details,
    ['host_1', 'host_2'].map((id) => {
      return { field: 'operator_hosts_only', code: 'in_use', message: `A partner owns the host ${id}.` }
    }),
  )
})

test('benchmarks are a member of a SKU only where there are some, with their keys in order', () => {
  assert.deepEqual(presentBenchmarks({ benchmarks: null, benchmark_figures: [] }), {})
  assert.deepEqual(presentBenchmarks({ benchmarks: [], benchmark_figures: [] }), {})
  const figures = { measured_at: 5, host_count: 2, median: '3', lowest: '1', unit: 'GB/s', name: 'copy' }
  const { benchmarks } = presentBenchmarks({ benchmarks: [figures], benchmark_figures: ['copy GB/s'] })
  assert.deepEqual(benchmarks, [figures])
  const keys = benchmarks?.flatMap((one) => Object.keys(one))
  assert.deepEqual(keys, ['name', 'unit', 'lowest', 'median', 'host_count', 'measured_at'])
})

test('figures that were summed up before the SKU named others are not shown', () => {
  const old = { name: 'BEST GPUS', unit: 'GB/s', lowest: '1', median: '3', host_count: 2, measured_at: 5 }
  const named = { ...old, name: 'copy' }
  const shown = (benchmark_figures: string[]) => presentBenchmarks({ benchmarks: [old, named], benchmark_figures })
  assert.deepEqual(shown(['copy GB/s']), { benchmarks: [named] })
  assert.deepEqual([shown([]), shown(['copy GB'])], [{}, {}])
})
