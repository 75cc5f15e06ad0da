import assert from 'node:assert/strict'
import { countsOf, type HostHardware, type HostRdmaPort } from '@bourse/api/fleet/hardware.ts'
import type { HostFacts } from '@bourse/api/fleet/hosts.ts'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { hasLostHardware } from './lost-hardware.rules.ts'

const gibibyte = 2 ** 30
const node = (index: number, memory_bytes: number) => ({
  node: index,
  threads: 32,
  memory_bytes,
  free_2mib_pages: 0,
  free_1gib_pages: 0,
})
const device = (index: number) => ({
  pci: `0000:0${index}:00.0`,
  numa_node: 0,
  iommu_group: index,
  driver: null,
  pcie_generation: 5,
  pcie_lanes: 16,
})
const port = (name: string, change: Partial<HostRdmaPort> = {}): HostRdmaPort => ({
  device: name,
  port: 1,
  link_layer: 'infiniband',
  state: 'ACTIVE',
  gigabits_per_second: 400,
  numa_node: 0,
  guid: null,
  subnet_prefix: null,
  functions: [`0000:${name}:00.0`],
  ...change,
})
const nvswitch = (index: number) => ({ pci: `0001:0${index}:00.0`, numa_node: 0, iommu_group: 900 + index })
const model: Omit<HostHardware['accelerators'][number], 'devices'> = {
  kind: 'h100',
  name: 'H100',
  form_factor: 'sxm5',
  memory_bytes: 80 * gibibyte,
  pci_id: '10de:2330',
  subsystem_id: null,
  bar_bytes: 2 ** 37,
  pcie_generation_max: 5,
  pcie_lanes_max: 16,
}
const whole: HostHardware = {
  processors: { model: 'Test processor', sockets: 2, cores: 32, threads: 64, features: ['avx2'] },
  memory_bytes: 256 * gibibyte,
  numa_nodes: [node(0, 128 * gibibyte), node(1, 128 * gibibyte)],
  storage: { size_bytes: 2 ** 42, free_bytes: 2 ** 42, is_rotational: false, is_read_only: false },
  accelerators: [{ ...model, devices: [device(1), device(2)] }],
  rdma: [port('a1'), port('a2')],
  nvswitches: [nvswitch(1), nvswitch(2)],
  is_iommu_on: true,
  is_secure_boot_on: false,
  is_kvm_usable: true,
  kernel: '6.1.0',
  qemu: '7.2.22',
  problems: [],
}
const factsOf = (hardware: HostHardware): HostFacts => ({
  hostname: 'rack-1',
  network: 'full',
  host_address: '192.0.2.7',
  public_ipv4s: [],
  ...countsOf(hardware),
  hardware,
})
/** The members of the hardware after a change. Without a member: an agent of an older version does not report it. */
type HardwareChange = Omit<Partial<HostHardware>, 'nvswitches'> & {
  nvswitches?: HostHardware['nvswitches'] | undefined
}
const changed = (change: HardwareChange) => ({ ...whole, ...change }) as HostHardware
const devices = (...list: HostHardware['accelerators'][number]['devices']) => [{ ...model, devices: list }]

const losses: Readonly<Record<string, HardwareChange>> = {
  'fewer threads': { processors: { ...whole.processors, threads: 63 } },
  'less memory': { memory_bytes: 240 * gibibyte },
  'less memory of a NUMA node': { numa_nodes: [node(0, 128 * gibibyte), node(1, 120 * gibibyte)] },
  'a NUMA node': { numa_nodes: [node(0, 256 * gibibyte)] },
  'less storage': { storage: { ...whole.storage, size_bytes: 2 ** 41 } },
  'storage that can be written': { storage: { ...whole.storage, is_read_only: true } },
  'the IOMMU': { is_iommu_on: false },
  'an accelerator': { accelerators: devices(device(1)) },
  'all accelerators': { accelerators: [] },
  'an accelerator at its address': { accelerators: devices(device(1), { ...device(2), pci: '0000:09:00.0' }) },
  'the IOMMU group of an accelerator': { accelerators: devices(device(1), { ...device(2), iommu_group: null }) },
  'a model': { accelerators: [{ ...model, pci_id: '10de:20b0', devices: [device(1), device(2)] }] },
  'an NVSwitch': { nvswitches: [nvswitch(1)] },
  'an RDMA port': { rdma: [port('a1')] },
  'the rate of an RDMA port': { rdma: [port('a1'), port('a2', { gigabits_per_second: 100 })] },
  'the link layer of an RDMA port': { rdma: [port('a1'), port('a2', { link_layer: 'ethernet' })] },
  'a function of an InfiniBand adapter': { rdma: [port('a1'), port('a2', { functions: [] })] },
}

const others: Readonly<Record<string, HardwareChange>> = {
  'other software': { kernel: '6.12.9', qemu: null, is_kvm_usable: null, is_secure_boot_on: true },
  'facts that a newer agent reports': {
    delivery: { is_root: true, is_vfio_loaded: true, has_uefi: true },
    slot_checks: [{ slot: 0, checked_at: 1, is_good: false }],
  },
  problems: { problems: ['the fan is loud'] },
  'more threads, memory and storage': {
    processors: { ...whole.processors, threads: 128 },
    memory_bytes: 512 * gibibyte,
    numa_nodes: [node(0, 256 * gibibyte), node(1, 256 * gibibyte)],
    storage: { ...whole.storage, size_bytes: 2 ** 43 },
  },
  'more devices': {
    accelerators: [...devices(device(1), device(2), device(3))],
    rdma: [...whole.rdma, port('a3', { gigabits_per_second: 100 })],
  },
  'memory that another kernel keeps for itself': {
    memory_bytes: 252 * gibibyte,
    numa_nodes: [node(0, 126 * gibibyte), node(1, 126 * gibibyte)],
  },
  'huge pages that are set aside': {
    numa_nodes: whole.numa_nodes.map((one) => ({ ...one, total_1gib_pages: 100 })),
  },
  'other numbers of IOMMU groups, and an idle link': {
    accelerators: devices({ ...device(1), iommu_group: 77, pcie_generation: 1 }, { ...device(2), iommu_group: 78 }),
  },
  'a table of models that knows more': {
    accelerators: [{ ...model, kind: 'h100-sxm', devices: [device(1), device(2)] }],
  },
  'other names of RDMA ports': {
    rdma: [
      { ...port('a2'), device: 'b1' },
      { ...port('a1'), device: 'b2' },
    ],
  },
  'an agent that does not report functions and NVSwitches': {
    rdma: ['a1', 'a2'].map((name) => {
      const { functions: _, ...rest } = port(name)
      return rest
    }),
    nvswitches: undefined,
  },
}

describe('what a host has lost', () => {
  for (const [name, change] of Object.entries(losses)) {
    test(`${name}: a loss`, () => {
      assert.equal(hasLostHardware(factsOf(whole), changed(change)), true)
    })
  }

  for (const [name, change] of Object.entries(others)) {
    test(`${name}: no loss`, () => assert.equal(hasLostHardware(factsOf(whole), changed(change)), false))
  }

  test('nothing of a host that reports the same, whatever it has', () => {
    const some = fc.constantFrom(...Object.values(losses), ...Object.values(others))
    fc.assert(
      fc.property(some, some, (one, other) => {
        const hardware = changed({ ...one, ...other })
        assert.equal(hasLostHardware(factsOf(hardware), structuredClone(hardware)), false)
      }),
    )
  })

  test('a loss stays one beside any gain and other software', () => {
    const { 'less storage': _, ...rest } = losses
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(rest)), (loss) => {
        const gain = { storage: { ...whole.storage, size_bytes: 2 ** 44 }, kernel: '6.12.9', problems: ['new'] }
        const hardware = changed({ ...gain, ...loss })
        assert.equal(hasLostHardware(factsOf(whole), hardware), true)
      }),
    )
  })

  test('counts by the older facts if the agent has reported no hardware before', () => {
    const { hardware: _, ...facts } = factsOf(whole)
    assert.equal(hasLostHardware(facts, whole), false)
    for (const name of ['fewer threads', 'less memory', 'less storage', 'an accelerator']) {
      assert.equal(hasLostHardware(facts, changed(losses[name] as HardwareChange)), true, name)
    }
    assert.equal(
      hasLostHardware(facts, changed(losses['an NVSwitch'] as HardwareChange)),
      false,
      'it had reported none',
    )
  })
})
