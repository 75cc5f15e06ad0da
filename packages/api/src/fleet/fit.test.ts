import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { fitOf, hostReserveBytes, misfitsOf, needsOf } from './fit.ts'
import { assignSlots, type FitFacts, type SkuNeeds } from './fit-slots.ts'
import type { HostAcceleratorModel, HostHardware } from './hardware.ts'

const gib = 2 ** 30

/** Accelerators on NUMA nodes: `[4, 4]` are four on node 0 and four on node 1. */
function model(nodes: readonly number[], change: Partial<HostAcceleratorModel> = {}): HostAcceleratorModel {
  const devices = nodes.flatMap((count, node) =>
    Array.from({ length: count }, (_, index) => ({
      pci: `0000:${(node * 16 + index).toString(16).padStart(2, '0')}:00.0`,
      numa_node: node,
      iommu_group: node * 100 + index,
      driver: 'vfio-pci',
      pcie_generation: 5,
      pcie_lanes: 16,
    })),
  )
  return {
    kind: 'h100',
    name: 'NVIDIA H100 SXM5 80 GB',
    form_factor: 'sxm5',
    memory_bytes: 80 * gib,
    pci_id: '10de:2330',
    subsystem_id: null,
    bar_bytes: 2 ** 37,
    pcie_generation_max: 5,
    pcie_lanes_max: 16,
    ...change,
    devices: change.devices ?? devices,
  }
}

function host(nodes: readonly number[], change: Partial<HostHardware> = {}): FitFacts {
  const hardware: HostHardware = {
    processors: { model: 'A processor', sockets: 2, cores: 64, threads: 128, features: [] },
    memory_bytes: 1024 * gib,
    numa_nodes: [],
    storage: { size_bytes: 4096 * gib, free_bytes: 4096 * gib, is_rotational: false, is_read_only: false },
    accelerators: nodes.some((count) => count > 0) ? [model(nodes)] : [],
    rdma: [],
    is_iommu_on: true,
    is_secure_boot_on: null,
    is_kvm_usable: true,
    kernel: '6.1.0',
    qemu: null,
    problems: [],
    ...change,
  }
  const { processors, memory_bytes, storage } = hardware
  return { cpu_count: processors.threads, memory_bytes, storage_bytes: storage.size_bytes, hardware }
}

const none: SkuNeeds = {
  vcpus: null,
  memory_bytes: null,
  storage_bytes: null,
  accelerators: null,
  rdma: null,
  is_simulated: false,
}
const gpus = (count: number, kind = 'h100', form: string | null = null): SkuNeeds => ({
  ...none,
  accelerators: { count, kind, form },
})
const messages = (facts: FitFacts, needs: SkuNeeds, slots = 1) =>
  misfitsOf(fitOf(facts, needs, slots)).map(({ subject, message }) => `${subject}: ${message}`)

test('each fact that is short is named once, with both sides', () => {
  const small: FitFacts = { cpu_count: 1, memory_bytes: 0, storage_bytes: 0 }
  const needs = { ...gpus(8), vcpus: 128, memory_bytes: 1024 * gib, storage_bytes: 7 }
  assert.deepEqual(messages(small, needs, 64), [
    'processors: SKU asks for 128 vCPUs a slot, 8192 for 64 slots, host has 1',
    'memory: SKU asks for 1 TiB a slot, 64 TiB for 64 slots, host has 0 bytes for machines, 0 bytes in all',
    'storage: SKU asks for 7 bytes a slot, 448 bytes for 64 slots, host has 0 bytes',
    'accelerators: SKU asks for 8 × h100 a slot, 512 for 64 slots, host has 0; ' +
      'its agent reports no hardware, so update it',
  ])
  assert.deepEqual(messages(host([0]), gpus(8)), ['accelerators: SKU asks for 8 × h100 a slot, host has 0'])
  assert.deepEqual(messages(host([4, 4]), gpus(8, 'a100')), [
    'accelerators: SKU asks for 8 × a100 a slot, host has 0 (and 8 × h100 sxm5)',
  ])
})

test('a SKU without properties fits every host, and so does a simulated one', () => {
  const tiny: FitFacts = { cpu_count: 1, memory_bytes: 0, storage_bytes: 0 }
  assert.equal(fitOf(tiny, none, 64).fits, true)
  assert.equal(fitOf(tiny, { ...gpus(8), vcpus: 128, is_simulated: true }, 64).fits, true)
})

test('needs are multiplied by the slots', () => {
  const needs = { ...none, vcpus: 64, memory_bytes: 511 * gib, storage_bytes: 2048 * gib }
  assert.equal(fitOf(host([]), needs, 2).fits, true)
  assert.equal(fitOf(host([]), needs, 3).fits, false)
  assert.equal(fitOf(host([]), needs, 3).fitting_slots, 2)
  assert.equal(fitOf(host([8]), gpus(4), 2).fits, true)
  assert.equal(fitOf(host([8]), gpus(4), 3).fits, false)
})

test('the host keeps 2 GiB of its memory', () => {
  const needs = { ...none, memory_bytes: 1024 * gib - hostReserveBytes }
  assert.equal(fitOf(host([]), needs, 1).fits, true)
  assert.equal(fitOf(host([]), { ...needs, memory_bytes: needs.memory_bytes + 1 }, 1).fits, false)
})

test('a machine that huge pages have no room for does not fit, although the host has memory for it', () => {
  const node = { node: 0, threads: 0, memory_bytes: 1024 * gib, free_2mib_pages: 0, free_1gib_pages: 0 }
  const divided = host([], { numa_nodes: [{ ...node, total_1gib_pages: 960 }] })
  const needs = { ...none, memory_bytes: 500 * gib }
  assert.equal(fitOf(host([]), needs, 2).fits, true)
  assert.equal(fitOf(divided, needs, 2).fits, false)
  assert.equal(fitOf(divided, needs, 2).fitting_slots, 1)
})

test('a machine gets its accelerators from one NUMA node, or from nodes that only it uses', () => {
  assert.equal(fitOf(host([4, 4]), gpus(8), 1).fits, true)
  assert.equal(fitOf(host([3, 3]), gpus(2), 2).fits, true)
  assert.deepEqual(messages(host([3, 3]), gpus(2), 3), [
    'accelerators: SKU asks for 2 × h100 a slot, 6 for 3 slots, host has 6, ' +
      'but NUMA nodes divide them: 2 of 3 slots get theirs whole',
  ])
  assert.equal(fitOf(host([2, 2, 2, 2]), gpus(4), 2).fits, true)
  assert.equal(fitOf(host([3, 2, 2, 1]), gpus(4), 2).fits, true)
  assert.equal(fitOf(host([6, 4, 4]), gpus(6), 2).fits, true)
})

test('each slot gets its own accelerators, and names their NUMA nodes', () => {
  const assigned = assignSlots(host([4, 4]), gpus(2), 4)
  assert.deepEqual(
    assigned.map(({ numa }) => numa),
    [[0], [0], [1], [1]],
  )
  assert.equal(new Set(assigned.flatMap(({ accelerators }) => accelerators.map(({ pci }) => pci))).size, 8)
  assert.deepEqual(assignSlots(host([4, 4]), gpus(8), 1)[0]?.numa, [0, 1])
})

test('kind and form match without case; the memory and the generation of the form may be left out', () => {
  for (const [kind, form] of [
    ['h100', null],
    ['H100', 'SXM5'],
    ['h100-80gb', 'sxm'],
  ] as const) {
    assert.equal(fitOf(host([8]), gpus(8, kind, form), 1).fits, true, `${kind} ${form}`)
  }
  for (const [kind, form] of [
    ['h100-94gb', null],
    ['h10', null],
    ['h100', 'pcie'],
    ['h100', 'sxm4'],
  ] as const) {
    assert.equal(fitOf(host([8]), gpus(8, kind, form), 1).fits, false, `${kind} ${form}`)
  }
})

test('without an IOMMU, or an own IOMMU group, an accelerator counts for nothing', () => {
  assert.deepEqual(messages(host([8], { is_iommu_on: false }), gpus(8)), [
    'iommu: SKU asks for accelerators, the IOMMU of the host is off: turn it on in its firmware and its kernel',
  ])
  const devices = model([8]).devices.map((device, index) => ({ ...device, iommu_group: index < 2 ? 7 : index }))
  const shared = host([8], { accelerators: [model([8], { devices })] })
  assert.equal(fitOf(shared, gpus(8), 1).fits, true)
  assert.match(messages(shared, gpus(1), 8).join(), /host has 8; 3 share an IOMMU group, so they go to one machine/)
  const ungrouped = model([8]).devices.map((device) => ({ ...device, iommu_group: null }))
  assert.match(
    messages(host([8], { accelerators: [model([8], { devices: ungrouped })] }), gpus(8)).join(),
    /host has 0; 8 more without an IOMMU group/,
  )
})

test('RDMA is compared by its kind and by the rate of the fastest port', () => {
  const port = {
    device: 'mlx5_0',
    port: 1,
    link_layer: 'infiniband' as const,
    state: 'ACTIVE',
    gigabits_per_second: 400,
    numa_node: 0,
    guid: null,
    subnet_prefix: null,
  }
  const facts = host([], { rdma: [port] })
  const rdma = (type: string, gigabits_per_second: number | null) => ({ ...none, rdma: { type, gigabits_per_second } })
  assert.equal(fitOf(facts, rdma('infiniband', 400), 1).fits, true)
  assert.deepEqual(messages(facts, rdma('infiniband', 800)), [
    'rdma: SKU asks for infiniband at 800 Gbit/s, host has 1 of it, the fastest at 400 Gbit/s',
  ])
  assert.deepEqual(messages(facts, rdma('roce', null)), ['rdma: SKU asks for roce, host has none'])
})

test('the needs of a SKU are read from its properties', () => {
  const shown = <T>(value: T) => ({ value, display_value: `${value}` })
  assert.deepEqual(needsOf({}), none)
  assert.deepEqual(needsOf({ accelerator: shown('h100'), simulated: true }), { ...gpus(1), is_simulated: true })
  const rdma = { type: 'roce', gigabits_per_second: 100 }
  const sku = { num_vcpus: shown(8), rdma_type: shown('roce'), rdma_gigabits_per_second: shown(100) }
  assert.deepEqual(needsOf(sku), { ...none, vcpus: 8, rdma })
})

const count = fc.integer({ min: 1, max: 8 })
const hosts = fc.record({
  switches: fc.nat(2),
  pages: fc.array(fc.tuple(fc.nat(32), fc.nat(32)), { maxLength: 3 }),
  nodes: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 7 }),
  threads: fc.integer({ min: 1, max: 256 }),
  memory: fc.integer({ min: 0, max: 64 }),
  storage: fc.integer({ min: 0, max: 64 }),
})
const needs = fc.record({
  vcpus: fc.option(fc.integer({ min: 1, max: 32 })),
  memory: fc.option(fc.integer({ min: 0, max: 16 })),
  storage: fc.option(fc.integer({ min: 0, max: 16 })),
  accelerators: fc.option(count),
})
type HostSeed = typeof hosts extends fc.Arbitrary<infer T> ? T : never
type NeedSeed = typeof needs extends fc.Arbitrary<infer T> ? T : never

/** `pages`: of each NUMA node the gibibytes in huge pages and outside of them. */
function hostOf({ nodes, threads, memory, storage, switches, pages }: HostSeed): FitFacts {
  const facts = host(nodes, {
    nvswitches: Array.from({ length: switches }, (_, index) => {
      return { pci: `0001:0${index}:00.0`, numa_node: 0, iommu_group: 60_000 + index }
    }),
    numa_nodes: pages.map(([huge, ordinary], node) => {
      const pages = { free_2mib_pages: 0, free_1gib_pages: 0, total_1gib_pages: huge }
      return { node, threads: 0, memory_bytes: (huge + ordinary) * gib, ...pages }
    }),
  })
  const inNodes = pages.reduce((sum, [huge, ordinary]) => sum + huge + ordinary, 0)
  const all = (pages.length === 0 ? memory : inNodes) * gib
  return { ...facts, cpu_count: threads, memory_bytes: all, storage_bytes: storage * gib }
}

function needOf({ vcpus, memory, storage, accelerators }: NeedSeed): SkuNeeds {
  const bytes = (gibibytes: number | null) => (gibibytes === null ? null : gibibytes * gib)
  const wanted = accelerators === null ? null : { count: accelerators, kind: 'h100', form: null }
  return { ...none, vcpus, memory_bytes: bytes(memory), storage_bytes: bytes(storage), accelerators: wanted }
}

test('what fits is there: slots times needs never exceed the facts', () => {
  fc.assert(
    fc.property(hosts, needs, count, (seed, need, slots) => {
      const facts = hostOf(seed)
      const wanted = needOf(need)
      if (!fitOf(facts, wanted, slots).fits) return
      assert.ok((wanted.vcpus ?? 0) * slots <= facts.cpu_count)
      assert.ok(
        (wanted.memory_bytes ?? 0) === 0 || (wanted.memory_bytes ?? 0) * slots + hostReserveBytes <= facts.memory_bytes,
      )
      assert.ok((wanted.storage_bytes ?? 0) * slots <= facts.storage_bytes)
      const devices = fitOf(facts, wanted, slots).slots.flatMap(({ accelerators }) => accelerators)
      assert.equal(devices.length, (wanted.accelerators?.count ?? 0) * slots)
      assert.equal(new Set(devices.map(({ pci }) => pci)).size, devices.length)
    }),
  )
})

test('a slot that crosses NUMA nodes shares none of them', () => {
  fc.assert(
    fc.property(hosts, count, count, (seed, each, slots) => {
      const assigned = assignSlots(hostOf(seed), gpus(each), slots)
      for (const [index, { numa }] of assigned.entries()) {
        if (numa.length < 2) continue
        const others = assigned.filter((_, other) => other !== index).flatMap((slot) => slot.numa)
        assert.deepEqual(
          numa.filter((node) => others.includes(node)),
          [],
        )
      }
    }),
  )
})

test('more hardware never fits less', () => {
  const more = fc.record({
    node: fc.nat(6),
    devices: fc.nat(4),
    threads: fc.nat(64),
    memory: fc.nat(16),
    storage: fc.nat(16),
    switches: fc.nat(2),
    pages: fc.array(fc.tuple(fc.nat(8), fc.nat(8)), { minLength: 3, maxLength: 3 }),
  })
  fc.assert(
    fc.property(hosts, needs, count, more, (seed, need, slots, added) => {
      const nodes = seed.nodes.map((devices, node) => devices + (node === added.node ? added.devices : 0))
      const { threads, memory, storage } = added
      const larger = {
        nodes,
        switches: seed.switches + added.switches,
        pages: seed.pages.map(
          ([a, b], node) => [a + (added.pages[node]?.[0] ?? 0), b + (added.pages[node]?.[1] ?? 0)] as [number, number],
        ),
        threads: seed.threads + threads,
        memory: seed.memory + memory,
        storage: seed.storage + storage,
      }
      const before = fitOf(hostOf(seed), needOf(need), slots)
      const after = fitOf(hostOf(larger), needOf(need), slots)
      assert.ok(after.fitting_slots >= before.fitting_slots, JSON.stringify([seed, larger, need]))
    }),
  )
})

test('fewer slots never fit less', () => {
  fc.assert(
    fc.property(hosts, needs, count, (seed, need, slots) => {
      if (!fitOf(hostOf(seed), needOf(need), slots).fits) return
      for (let fewer = slots - 1; fewer > 0; fewer--) assert.ok(fitOf(hostOf(seed), needOf(need), fewer).fits)
    }),
  )
})

const flag = fc.boolean()
const deliveries = fc.record({ is_root: flag, is_vfio_loaded: flag, has_uefi: flag })

test('devices that are there but cannot reach machines are a misfit, with what to do about each reason', () => {
  const nothing = { is_root: false, is_vfio_loaded: false, has_uefi: false }
  const lacking = host([8], { delivery: nothing })
  assert.deepEqual(messages(lacking, gpus(8)), [
    'delivery: SKU asks for accelerators, but its agent has no rights to give devices to machines: ' +
      'enrol and run it as root; vfio-pci is not loaded: modprobe vfio-pci; ' +
      'UEFI firmware is not installed: install the package ovmf',
  ])
  assert.equal(fitOf(lacking, gpus(8), 1).fitting_slots, 1, 'the machines that run have their devices')
  const wired = { ...none, rdma: { type: 'infiniband', gigabits_per_second: null } }
  const whole = { is_root: true, is_vfio_loaded: true, has_uefi: false }
  assert.ok(!messages(host([], { delivery: whole }), wired).some((line) => line.startsWith('delivery')))
  assert.ok(
    messages(lacking, wired).some((line) => line.startsWith('delivery: SKU asks for infiniband, but its agent')),
  )
})

test('only a SKU with devices asks for delivery, and an agent that does not report it is not refused for it', () => {
  fc.assert(
    fc.property(deliveries, flag, (delivery, is_simulated) => {
      const isWhole = delivery.is_root && delivery.is_vfio_loaded && delivery.has_uefi
      assert.equal(fitOf(host([8], { delivery }), { ...gpus(8), is_simulated }, 1).fits, is_simulated || isWhole)
      assert.equal(fitOf(host([8], { delivery }), { ...none, vcpus: 8 }, 1).fits, true)
      const roce = { ...none, rdma: { type: 'roce', gigabits_per_second: null } }
      assert.ok(!messages(host([], { delivery }), roce).some((line) => line.startsWith('delivery')))
    }),
  )
  assert.equal(fitOf(host([8]), gpus(8), 1).fits, true)
})
