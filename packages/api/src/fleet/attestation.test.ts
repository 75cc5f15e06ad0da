import assert from 'node:assert/strict'
import { test } from 'vitest'
import { machineHardwareOf } from './attestation.ts'
import type { HostHardware } from './hardware.ts'

const port = (device: string, number: number, functions?: string[]): HostHardware['rdma'][number] => ({
  device,
  port: number,
  link_layer: 'infiniband',
  state: 'ACTIVE',
  gigabits_per_second: 400,
  numa_node: 1,
  guid: 'a088:c203:0088:280e',
  subnet_prefix: null,
  ...(functions ? { functions } : {}),
})
const host: HostHardware = {
  processors: { model: 'A processor', sockets: 1, cores: 1, threads: 1, features: [] },
  memory_bytes: 0,
  numa_nodes: [],
  storage: { size_bytes: 0, free_bytes: 0, is_rotational: null, is_read_only: false },
  accelerators: [],
  rdma: [port('mlx5_0', 1, ['0000:18:00.0']), port('mlx5_0', 2, ['0000:18:00.0']), port('mlx5_1', 1)],
  nvswitches: [7, 8].map((bus) => ({ pci: `0000:0${bus}:00.0`, numa_node: 0, iommu_group: 39 })),
  is_iommu_on: true,
  is_secure_boot_on: null,
  is_kvm_usable: null,
  kernel: '6.1.0',
  qemu: null,
  problems: [],
}
const none = { num_vcpus: null, memory_bytes: null, storage_bytes: null }

test('a machine is shown with its RDMA functions and its NVSwitches, each once and without ids of the adapter', () => {
  const { rdma, nvswitches } = machineHardwareOf(host, none, ['0000:18:00.0', '0000:07:00.0'])
  const shown = { pci: '0000:18:00.0', link_layer: 'infiniband', gigabits_per_second: 400, numa_node: 1 }
  assert.deepEqual(rdma, [shown])
  assert.deepEqual(nvswitches, [{ pci: '0000:07:00.0', numa_node: 0 }])
  const bare = machineHardwareOf(host, none, [])
  assert.ok(!('rdma' in bare) && !('nvswitches' in bare))
})
