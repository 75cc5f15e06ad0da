import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { fitOf, misfitsOf } from './fit.ts'
import {
  assignSlots,
  type FitFacts,
  hasLostDevice,
  redivideSlots,
  type SkuNeeds,
  type SlotHardware,
} from './fit-slots.ts'
import type { HostHardware, HostRdmaPort } from './hardware.ts'

/** An accelerator: its NUMA node, its IOMMU group, and whether it is of another kind. */
type Seed = { readonly node: number; readonly group: number; readonly isOther?: boolean }

function host(seeds: readonly Seed[], rdma: HostRdmaPort[] = [], switches: readonly (number | null)[] = []): FitFacts {
  const devices = seeds.map(({ node, group, isOther = false }, index) => {
    const pci = `0000:${index.toString(16).padStart(2, '0')}:00.0`
    return { isOther, device: { pci, numa_node: node, iommu_group: group, driver: null } }
  })
  const model = (kind: string, isOther: boolean) => ({
    kind,
    name: kind,
    form_factor: isOther ? 'pcie' : 'sxm5',
    memory_bytes: null,
    pci_id: '10de:2330',
    subsystem_id: null,
    bar_bytes: 0,
    pcie_generation_max: null,
    pcie_lanes_max: null,
    devices: devices
      .filter((one) => one.isOther === isOther)
      .map(({ device }) => ({ ...device, pcie_generation: null, pcie_lanes: null })),
  })
  const hardware: HostHardware = {
    processors: { model: 'A processor', sockets: 1, cores: 1, threads: 1, features: [] },
    memory_bytes: 0,
    numa_nodes: [],
    storage: { size_bytes: 0, free_bytes: 0, is_rotational: null, is_read_only: false },
    accelerators: [model('h100', false), model('t4', true)].filter((one) => one.devices.length > 0),
    rdma,
    nvswitches: switches.map((iommu_group, index) => ({ pci: switchAt(index), numa_node: 0, iommu_group })),
    is_iommu_on: true,
    is_secure_boot_on: null,
    is_kvm_usable: null,
    kernel: '6.1.0',
    qemu: null,
    problems: [],
  }
  return { cpu_count: 1, memory_bytes: 0, storage_bytes: 0, hardware }
}

const switchAt = (index: number) => `0000:f${index}:00.0`

function port(device: string, numa_node: number | null, functions: string[], rate = 400): HostRdmaPort {
  const ids = { guid: null, subnet_prefix: null }
  return {
    device,
    port: 1,
    link_layer: 'infiniband',
    state: 'ACTIVE',
    gigabits_per_second: rate,
    numa_node,
    ...ids,
    functions,
  }
}

const nothing = { vcpus: null, memory_bytes: null, storage_bytes: null, is_simulated: false }
const gpus = (count: number): SkuNeeds => ({
  ...nothing,
  accelerators: { count, kind: 'h100', form: null },
  rdma: null,
})
const infiniband = { type: 'infiniband', gigabits_per_second: 400 }
const groupsOf = (facts: FitFacts) =>
  new Map(facts.hardware?.accelerators.flatMap(({ devices }) => devices.map((one) => [one.pci, one.iommu_group])))
const pair = (group: number, node = 0): Seed[] => [
  { node, group },
  { node, group },
]

test('an IOMMU group goes to one slot whole', () => {
  const pairs = host([...pair(1), ...pair(2), ...pair(3), ...pair(4)])
  assert.equal(assignSlots(pairs, gpus(1), 8).length, 4)
  assert.equal(assignSlots(pairs, gpus(2), 8).length, 4)
  assert.equal(assignSlots(pairs, gpus(3), 8).length, 2)
  const [misfit] = misfitsOf(fitOf(pairs, gpus(1), 8))
  assert.match(misfit?.message ?? '', /host has 8; 8 share an IOMMU group, so they go to one machine: 4 of 8 slots/)
  // Two pairs and two single ones: the best division for three each does not begin with the largest.
  const mixed = host([...pair(1), ...pair(2), { node: 0, group: 3 }, { node: 0, group: 4 }])
  assert.equal(assignSlots(mixed, gpus(3), 8).length, 2)
  // A device of another kind in the group does not make room for one of another slot.
  assert.equal(assignSlots(host([...pair(1), { node: 0, group: 1, isOther: true }]), gpus(1), 2).length, 1)
})

test('no two slots share an IOMMU group or a device, however the groups are', () => {
  const seed = fc.record({ node: fc.constant(0), group: fc.nat(11), isOther: fc.boolean() })
  fc.assert(
    fc.property(fc.array(seed, { maxLength: 14 }), fc.integer({ min: 1, max: 4 }), (seeds, count) => {
      const facts = host(seeds)
      const groups = groupsOf(facts)
      const assigned = assignSlots(facts, gpus(count), 64)
      const own = assigned.map(({ accelerators }) => new Set(accelerators.map(({ pci }) => groups.get(pci))))
      const all = own.flatMap((some) => [...some])
      assert.equal(new Set(all).size, all.length)
      assert.ok(assigned.every(({ accelerators }) => accelerators.length === count))
    }),
  )
})

test('NVSwitches go to the slot with all accelerators behind them, whole or not at all', () => {
  const seeds = Array.from({ length: 8 }, (_, index) => ({ node: Math.floor(index / 4), group: index }))
  const all = [0, 1, 2].map(switchAt)
  const given = (switches: (number | null)[], count: number, slots: number, more: Seed[] = []) =>
    assignSlots(host([...seeds, ...more], [], switches), gpus(count), slots).map(({ nvswitches }) => nvswitches)
  assert.deepEqual(given([20, 20, 20], 8, 1), [all])
  assert.deepEqual(given([20, 21, 22], 8, 2), [all])
  assert.deepEqual(given([20, 21, 22], 4, 2), [undefined, undefined])
  assert.deepEqual(given([20, 21, 22], 4, 1), [undefined], 'a part of the board, even if nobody has the rest')
  assert.deepEqual(given([20, null, 22], 8, 1), [undefined])
  assert.deepEqual(given([], 8, 1), [undefined])
  // A card in the group of a switch may be sold to somebody else. One on the board is the machine's own.
  assert.deepEqual(given([20, 21, 22], 8, 1, [{ node: 0, group: 21, isOther: true }]), [undefined])
  assert.deepEqual(given([20, 3, 22], 8, 1), [all])
  const fitsWith = (switches: (number | null)[], count: number, slots: number) =>
    fitOf(host(seeds, [], switches), gpus(count), slots)
  assert.equal(fitsWith([20, null, 22], 8, 1).fits, false)
  assert.equal(fitsWith([20, null, 22], 4, 2).fits, true)
  assert.equal(fitsWith([20, 21, 22], 8, 1).fits, true)
})

test('however groups are, NVSwitches are in one slot, with all that is behind them and in their groups', () => {
  const seed = fc.record({ node: fc.nat(1), group: fc.nat(11), isOther: fc.boolean() })
  const groupsOfSwitches = fc.array(fc.option(fc.nat(15)), { minLength: 1, maxLength: 3 })
  const devices = fc.array(seed, { maxLength: 10 })
  fc.assert(
    fc.property(devices, groupsOfSwitches, fc.integer({ min: 1, max: 10 }), (seeds, switches, count) => {
      const facts = host(seeds, [], switches)
      const groups = groupsOf(facts)
      const assigned = assignSlots(facts, { ...gpus(count), accelerators: { count, kind: null, form: null } }, 64)
      const withSwitches = assigned.filter(({ nvswitches }) => nvswitches)
      assert.ok(withSwitches.length <= 1)
      const behind = facts.hardware?.accelerators.filter(({ form_factor }) => form_factor === 'sxm5') ?? []
      for (const slot of withSwitches) {
        const own = new Set(slot.accelerators.map(({ pci }) => pci))
        assert.ok(behind.flatMap((model) => model.devices).every(({ pci }) => own.has(pci)))
        assert.equal(slot.nvswitches?.length, switches.length)
        const others = assigned.filter((one) => one !== slot).flatMap(({ accelerators }) => accelerators)
        assert.ok(others.every(({ pci }) => !switches.includes(groups.get(pci) ?? null)))
      }
    }),
  )
})

test('the division is the best one, compared with trying all', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 6 })
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 5 }), (all, need) => {
      const seeds = all.flatMap((size, group) => Array.from({ length: size }, () => ({ node: 0, group })))
      assert.equal(assignSlots(host(seeds), gpus(need), 64).length, bestOf(all, need))
    }),
  )
})

/** The most collections with enough in each, by trying every part in every collection. */
function bestOf(sizes: readonly number[], need: number, fills: readonly number[] = []): number {
  const [size, ...rest] = sizes
  if (size === undefined) return fills.filter((fill) => fill >= need).length
  const choices = [...fills, 0].map((_, index) => [...fills, 0].map((fill, at) => (at === index ? fill + size : fill)))
  return Math.max(
    ...choices.map((chosen) =>
      bestOf(
        rest,
        need,
        chosen.filter((fill) => fill > 0),
      ),
    ),
  )
}

test('each slot gets its own part of the InfiniBand adapters, near to its accelerators', () => {
  const seeds = [0, 1].flatMap((node) => [1, 2].map((index) => ({ node, group: node * 10 + index })))
  const adapters = [port('mlx5_0', 1, ['0000:a0:00.0']), port('mlx5_1', 0, ['0000:a1:00.0'])]
  const two = { ...gpus(2), rdma: infiniband }
  assert.deepEqual(
    assignSlots(host(seeds, adapters), two, 2).map(({ rdma }) => rdma),
    [['0000:a1:00.0'], ['0000:a0:00.0']],
  )
  assert.deepEqual(assignSlots(host(seeds, adapters), { ...gpus(4), rdma: infiniband }, 1)[0]?.rdma, [
    '0000:a0:00.0',
    '0000:a1:00.0',
  ])
  const [misfit] = misfitsOf(fitOf(host(seeds, adapters), { ...gpus(1), rdma: infiniband }, 4))
  assert.match(misfit?.message ?? '', /, but machines can be given 2 adapters or virtual functions$/)
  const shared = [
    port('mlx5_0', 0, ['0000:a0:00.1', '0000:a0:00.2']),
    port('mlx5_1', 1, ['0000:a1:00.1', '0000:a1:00.2']),
  ]
  assert.deepEqual(
    assignSlots(host(seeds, shared), { ...gpus(1), rdma: infiniband }, 4).map(({ rdma }) => rdma?.[0]),
    ['0000:a0:00.1', '0000:a0:00.2', '0000:a1:00.1', '0000:a1:00.2'],
  )
  const slow = [port('mlx5_0', 0, ['0000:a0:00.0'], 200), port('mlx5_1', 0, ['0000:a1:00.0'])]
  assert.equal(fitOf(host(seeds, slow), { ...gpus(1), rdma: infiniband }, 2).fitting_slots, 1)
  const needs = { ...nothing, accelerators: null, rdma: infiniband }
  assert.deepEqual(
    assignSlots(host([], adapters), needs, 2).map(({ rdma }) => rdma),
    [['0000:a0:00.0'], ['0000:a1:00.0']],
  )
})

test('a slot with a machine keeps its devices when another device is gone or comes', () => {
  const three = [0, 1, 2].map((group) => ({ node: 0, group }))
  const ports = [0, 1, 2].map((index) => port(`mlx5_${index}`, 0, [`0000:a${index}:00.0`]))
  const needs = { ...gpus(1), rdma: infiniband }
  const facts = host(three, ports)
  const [, second] = assignSlots(facts, needs, 2)
  const hardware = facts.hardware as HostHardware
  const [model] = hardware.accelerators as [HostHardware['accelerators'][number]]
  const withoutFirst = { ...model, devices: model.devices.slice(1) }
  const later = { ...facts, hardware: { ...hardware, accelerators: [withoutFirst], rdma: [...ports].reverse() } }
  const taken = new Map([[1, second as SlotHardware]])
  const divided = redivideSlots({ facts: later, needs, slots: 2 }, taken)
  assert.deepEqual(divided[1], second)
  assert.deepEqual(divided[0]?.accelerators, [{ kind: 'h100', pci: '0000:02:00.0' }])
  assert.notDeepEqual(divided[0]?.rdma, second?.rdma)
  // A machine whose devices are all gone holds nothing, and its slot can start with others.
  const gone = new Map([[1, { accelerators: [{ kind: 'h100', pci: '0000:77:00.0' }], numa: [0] }]])
  assert.deepEqual(redivideSlots({ facts, needs, slots: 2 }, gone), assignSlots(facts, needs, 2))
  // A SKU that has become simulated changes nothing for what runs.
  assert.deepEqual(redivideSlots({ facts, needs: { ...needs, is_simulated: true }, slots: 2 }, taken), [null, second])
  assert.deepEqual(redivideSlots({ facts, needs, slots: 2 }, new Map()), assignSlots(facts, needs, 2))
})

test('a slot has lost a device that is gone, or that no machine can be given', () => {
  const facts = host(
    [
      { node: 0, group: 1 },
      { node: 0, group: 2 },
    ],
    [port('mlx5_0', 0, ['0000:a0:00.0'])],
  )
  const [slot] = assignSlots(facts, { ...gpus(2), rdma: infiniband }, 1) as [SlotHardware]
  const hardware = facts.hardware as HostHardware
  const withDevices = (change: (one: HostHardware['accelerators'][number]['devices']) => typeof one) =>
    hardware.accelerators.map((model) => ({ ...model, devices: change(model.devices) }))
  const changed = (change: Partial<HostHardware>) => ({ ...facts, hardware: { ...hardware, ...change } })
  assert.equal(hasLostDevice(facts, slot), false)
  assert.equal(hasLostDevice(changed({ accelerators: withDevices((all) => all.slice(1)) }), slot), true)
  const ungrouped = withDevices((all) => all.map((one) => ({ ...one, iommu_group: null })))
  assert.equal(hasLostDevice(changed({ accelerators: ungrouped }), slot), true)
  assert.equal(hasLostDevice(changed({ rdma: [] }), slot), true)
  assert.equal(hasLostDevice(facts, { ...slot, nvswitches: ['0001:07:00.0'] }), true)
})

test('slots with a machine keep their devices whatever the facts become, and nobody else gets them', () => {
  const seed = fc.record({ node: fc.nat(2), group: fc.nat(9) })
  const seeds = fc.array(seed, { minLength: 1, maxLength: 12 })
  const change = fc.record({ order: fc.array(fc.nat(11), { maxLength: 12 }), lost: fc.array(fc.nat(11)) })
  fc.assert(
    fc.property(seeds, change, fc.array(fc.nat(3)), fc.integer({ min: 1, max: 3 }), (before, change, used, count) => {
      const ports = [0, 1, 2, 3].map((index) => port(`mlx5_${index}`, index % 2, [`0000:a${index}:00.0`]))
      const needs = { ...gpus(count), rdma: infiniband }
      const facts = host(before, ports)
      const slots = 4
      const assigned = assignSlots(facts, needs, slots)
      const taken = new Map(used.flatMap((slot) => (assigned[slot] ? [[slot, assigned[slot]] as const] : [])))
      const hardware = facts.hardware as HostHardware
      const lost = new Set(change.lost.map((index) => `0000:${index.toString(16).padStart(2, '0')}:00.0`))
      const place = (pci: string) => change.order.indexOf(Number.parseInt(pci.slice(5, 7), 16))
      const accelerators = hardware.accelerators.map((model) => ({
        ...model,
        devices: model.devices
          .filter(({ pci }) => !lost.has(pci))
          .sort((one, other) => place(one.pci) - place(other.pci)),
      }))
      const rdma = ports.filter((_, index) => !change.lost.includes(index)).reverse()
      const later = { ...facts, hardware: { ...hardware, accelerators, rdma } }
      const divided = redivideSlots({ facts: later, needs, slots }, taken)
      const there = new Set([
        ...accelerators.flatMap(({ devices }) => devices.map(({ pci }) => pci)),
        ...rdma.flatMap(({ functions = [] }) => functions),
      ])
      const all = (slot: SlotHardware) => [...slot.accelerators.map(({ pci }) => pci), ...(slot.rdma ?? [])]
      for (const [slot, own] of taken) if (all(own).every((pci) => there.has(pci))) assert.equal(divided[slot], own)
      const given = divided.flatMap((slot) => (slot ? all(slot) : []))
      assert.equal(new Set(given).size, given.length)
      const groups = groupsOf(facts)
      const owners = divided.flatMap((slot) => [...new Set(slot?.accelerators.map(({ pci }) => groups.get(pci)))])
      assert.equal(new Set(owners).size, owners.length)
    }),
  )
})

test('ports of an agent that names no functions are compared only', () => {
  const { functions: _, ...old } = port('mlx5_0', 0, [])
  const facts = host([{ node: 0, group: 1 }], [old])
  assert.equal(fitOf(facts, { ...gpus(1), rdma: infiniband }, 1).fits, true)
  assert.equal(assignSlots(facts, { ...gpus(1), rdma: infiniband }, 1)[0]?.rdma, undefined)
  assert.equal(
    fitOf(host([{ node: 0, group: 1 }], [port('mlx5_0', 0, [])]), { ...gpus(1), rdma: infiniband }, 1).fits,
    false,
  )
})
