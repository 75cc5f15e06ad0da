import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type HostHardware, isSameHardware } from './hardware.ts'

const node = {
  node: 0,
  threads: 16,
  memory_bytes: 2 ** 36,
  free_2mib_pages: 0,
  free_1gib_pages: 8,
  total_1gib_pages: 8,
}
const device = {
  pci: '0000:17:00.0',
  numa_node: 0,
  iommu_group: 5,
  driver: 'nvidia',
  pcie_generation: 5,
  pcie_lanes: 16,
}
const model = {
  kind: 'h100',
  name: 'NVIDIA H100',
  form_factor: 'pcie',
  memory_bytes: 80 * 2 ** 30,
  pci_id: '10de:2331',
  subsystem_id: null,
  bar_bytes: 2 ** 37,
  pcie_generation_max: 5,
  pcie_lanes_max: 16,
  devices: [device],
}
const storage = { size_bytes: 2 ** 42, free_bytes: 2 ** 41, is_rotational: false, is_read_only: false }
const hardware: HostHardware = {
  processors: { model: 'A processor', sockets: 1, cores: 8, threads: 16, features: [] },
  memory_bytes: 2 ** 36,
  numa_nodes: [node],
  storage,
  accelerators: [model],
  rdma: [],
  is_iommu_on: true,
  is_secure_boot_on: null,
  is_kvm_usable: true,
  kernel: '6.1.0',
  qemu: null,
  problems: [],
}
const isSameAs = (change: Partial<HostHardware>) => isSameHardware(hardware, { ...hardware, ...change })
const withDevice = (change: Partial<typeof device>) => ({
  accelerators: [{ ...model, devices: [{ ...device, ...change }] }],
})

test('what machines use does not make other hardware', () => {
  assert.ok(isSameAs({ storage: { ...storage, free_bytes: 0 } }))
  assert.ok(isSameAs({ numa_nodes: [{ ...node, free_1gib_pages: 0, free_2mib_pages: 3 }] }))
  assert.ok(isSameAs(withDevice({ driver: 'vfio-pci' })))
  assert.ok(isSameAs(withDevice({ pcie_generation: 1 })), 'an idle accelerator has a slower link')
  assert.ok(isSameAs(withDevice({ pcie_lanes: 8 })))
})

test('everything else does', () => {
  assert.ok(!isSameAs({ storage: { ...storage, size_bytes: 2 ** 41 } }))
  assert.ok(!isSameAs({ numa_nodes: [{ ...node, total_1gib_pages: 4 }] }))
  assert.ok(!isSameAs(withDevice({ iommu_group: 6 })))
  assert.ok(!isSameAs({ accelerators: [{ ...model, devices: [] }] }))
  assert.ok(!isSameAs({ kernel: '6.2.0' }))
})
