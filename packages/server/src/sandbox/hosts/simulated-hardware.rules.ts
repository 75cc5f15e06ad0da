// The hardware of simulated hosts: what their SKU promises, for all of their slots.

import { hostReserveBytes, needsOf, type SkuOfNeeds } from '@bourse/api/fleet/fit.ts'
import { type HostHardware, hardwareBounds } from '@bourse/api/fleet/hardware.ts'

type Properties = SkuOfNeeds & { readonly accelerator?: { readonly display_value: string } | undefined }
type Devices = HostHardware['accelerators'][number]['devices']
type WantedRdma = NonNullable<ReturnType<typeof needsOf>['rdma']>

const sockets = 2
// The facts of a host hold no more, whatever a SKU asks for.
const devicesMax = 256
const threadsMax = 65_536
const bytesMax = Number.MAX_SAFE_INTEGER
const busesOfDomain = 256
const simulatedRate = 400

/** Hardware on two NUMA nodes, each with its own slots. A slot has its accelerators on one of them. */
export function simulatedHardware(sku: Properties, slots: number): HostHardware {
  const needs = needsOf(sku)
  const threads = Math.min((needs.vcpus ?? 1) * slots, threadsMax)
  const memory = Math.min((needs.memory_bytes ?? 0) * slots + hostReserveBytes, bytesMax)
  const storage = Math.min((needs.storage_bytes ?? 0) * slots, bytesMax)
  return {
    processors: { model: 'Simulated processor', sockets, cores: Math.ceil(threads / 2), threads, features: [] },
    memory_bytes: memory,
    numa_nodes: Array.from({ length: sockets }, (_, node) => ({
      node,
      threads: share(threads, node),
      memory_bytes: share(memory, node),
      free_2mib_pages: 0,
      free_1gib_pages: 0,
    })),
    storage: { size_bytes: storage, free_bytes: storage, is_rotational: false, is_read_only: false },
    accelerators: accelerators(sku, slots),
    rdma: needs.rdma ? ports(needs.rdma, slots) : [],
    is_iommu_on: true,
    is_secure_boot_on: false,
    is_kvm_usable: null,
    kernel: 'simulated',
    qemu: null,
    problems: [],
  }
}

function accelerators(sku: Properties, slots: number): HostHardware['accelerators'] {
  const wanted = needsOf(sku).accelerators
  if (!wanted) return []
  const count = Math.min(wanted.count * slots, devicesMax)
  const devices = Array.from({ length: count }, (_, index): Devices[number] => ({
    pci: pciAddress(index),
    numa_node: Math.floor(index / wanted.count) % sockets,
    iommu_group: index + 1,
    driver: null,
    pcie_generation: null,
    pcie_lanes: null,
  }))
  const model = {
    kind: (wanted.kind ?? 'simulated').toLowerCase().slice(0, 32),
    name: (sku.accelerator?.display_value ?? 'Simulated accelerator').replace(/[^ -~]/g, '?').slice(0, 64),
    form_factor: wanted.form === null ? null : wanted.form.toLowerCase().slice(0, 16),
    memory_bytes: null,
    pci_id: '0000:0000',
    subsystem_id: null,
    bar_bytes: 0,
    pcie_generation_max: null,
    pcie_lanes_max: null,
  }
  const lists = Math.ceil(count / hardwareBounds.devices)
  return Array.from({ length: lists }, (_, list) => {
    const { devices: length } = hardwareBounds
    return { ...model, devices: devices.slice(list * length, (list + 1) * length) }
  })
}

/** InfiniBand adapters with a virtual function for each slot, or one RoCE adapter, which machines share. */
function ports({ type, gigabits_per_second }: WantedRdma, slots: number): HostHardware['rdma'] {
  const isInfiniband = type === 'infiniband'
  const { functions: functionsMax } = hardwareBounds
  return Array.from({ length: isInfiniband ? Math.ceil(slots / functionsMax) : 1 }, (_, adapter) => ({
    device: `simulated_${adapter}`,
    port: 1,
    link_layer: isInfiniband ? 'infiniband' : 'ethernet',
    state: 'ACTIVE',
    gigabits_per_second: gigabits_per_second ?? simulatedRate,
    numa_node: adapter % sockets,
    guid: null,
    subnet_prefix: null,
    ...(isInfiniband
      ? { functions: functionsOf(adapter, Math.min(slots - adapter * functionsMax, functionsMax)) }
      : {}),
  }))
}

/** Beyond the addresses of all accelerators. */
function functionsOf(adapter: number, count: number): string[] {
  const device = pciAddress(devicesMax + adapter).replace(/\.0$/, '')
  return Array.from({ length: count }, (_, index) => `${device}.${index}`)
}

function pciAddress(index: number): string {
  const hex = (value: number, length: number) => value.toString(16).padStart(length, '0')
  return `${hex(Math.floor(index / busesOfDomain), 4)}:${hex(index % busesOfDomain, 2)}:00.0`
}

/** The first node gets what does not divide. */
function share(amount: number, node: number): number {
  const each = Math.floor(amount / sockets)
  return node === 0 ? amount - each * (sockets - 1) : each
}
