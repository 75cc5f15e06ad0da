import assert from 'node:assert/strict'
import { test } from 'node:test'
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
