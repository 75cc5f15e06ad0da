import assert from 'node:assert/strict'
import { machineHardwareOf } from '@bourse/api/fleet/attestation.ts'
import { fitOf, needsOf } from '@bourse/api/fleet/fit.ts'
import { countsOf } from '@bourse/api/fleet/hardware.ts'
import { test } from 'vitest'
import { simulatedHardware } from './simulated-hardware.rules.ts'

test('a SKU that asks for more than any machine has gets what the facts of a host hold', () => {
  const most = Number.MAX_SAFE_INTEGER
  const sku = { num_vcpus: { value: 65_536 }, memory_bytes: { value: most }, local_storage_bytes: { value: most } }
  for (const slots of [1, 3, 64]) {
    const { processors, memory_bytes, storage, numa_nodes } = simulatedHardware(sku, slots)
    assert.deepEqual([processors.threads, processors.cores], [65_536, 32_768])
    assert.deepEqual([memory_bytes, storage.size_bytes, storage.free_bytes], [most, most, most])
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
    assert.equal(sum(numa_nodes.map(({ threads }) => threads)), 65_536)
    assert.equal(sum(numa_nodes.map((node) => node.memory_bytes)), most)
  }
})

test('each slot has an InfiniBand function of its own, which the attestation of its machine names', () => {
  const rdma_type = { value: 'infiniband' }
  const sku = { accelerator: { value: 'h100', display_value: 'H100' }, num_accelerators: { value: 4 }, rdma_type }
  const none = { num_vcpus: null, memory_bytes: null, storage_bytes: null }
  for (const slots of [1, 8, 9, 64]) {
    const hardware = simulatedHardware(sku, slots)
    const { fits, slots: assigned } = fitOf({ ...countsOf(hardware), hardware }, needsOf(sku), slots)
    assert.ok(fits)
    const own = assigned.map(({ rdma = [] }) => rdma)
    assert.ok(own.every((functions) => functions.length > 0))
    const addresses = [...own.flat(), ...assigned.flatMap(({ accelerators }) => accelerators.map(({ pci }) => pci))]
    assert.equal(new Set(addresses).size, addresses.length)
    const [pci] = own.at(-1) as [string]
    const shown = machineHardwareOf(hardware, none, [pci])
    assert.deepEqual(
      shown.rdma?.map((one) => [one.pci, one.link_layer, one.gigabits_per_second]),
      [[pci, 'infiniband', 400]],
    )
  }
})

test('RoCE is shared, so no machine has a function of it', () => {
  const { rdma } = simulatedHardware({ rdma_type: { value: 'roce' } }, 4)
  assert.deepEqual([rdma.length, rdma[0]?.link_layer, rdma[0]?.functions], [1, 'ethernet', undefined])
})
