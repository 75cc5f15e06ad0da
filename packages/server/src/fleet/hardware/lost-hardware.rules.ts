// Whether a host has lost hardware. Only that ends machines that run; its software, and what it gains, do not.

import { countsOf, type HostHardware, type HostRdmaPort } from '@bourse/api/fleet/hardware.ts'
import type { HostFacts } from '@bourse/api/fleet/hosts.ts'

/**
 * The part of the memory or the storage below which less of it is no loss. How much memory the kernel keeps for itself
 * differs by its version and by the huge pages that are set aside, at most by half of this. A memory module is more
 * than this part of its NUMA node.
 */
const noisePart = 1 / 32

/**
 * Whether a host has less than before: threads, memory, storage, the IOMMU, an accelerator or its IOMMU group, an RDMA
 * port, its rate or a function of it, or an NVSwitch. What either report does not say counts as not lost: agents of
 * older versions report less.
 */
export function hasLostHardware(before: HostFacts, now: HostHardware): boolean {
  if (countsOf(now).cpu_count < before.cpu_count) return true
  if (isLess(before.memory_bytes, now.memory_bytes) || isLess(before.storage_bytes, now.storage.size_bytes)) return true
  const had = before.hardware
  if (!had) return countAccelerators(now) < before.accelerators.length
  return [hasLostNode, hasLostStorage, hasLostDevice, hasLostPort].some((hasLost) => hasLost(had, now))
}

type HardwareLoss = (before: HostHardware, now: HostHardware) => boolean

function isLess(before: number, now: number): boolean {
  return now < before * (1 - noisePart)
}

function countAccelerators({ accelerators }: HostHardware): number {
  return accelerators.reduce((sum, { devices }) => sum + devices.length, 0)
}

const hasLostNode: HardwareLoss = (before, now) => {
  const memory = new Map(now.numa_nodes.map(({ node, memory_bytes }) => [node, memory_bytes]))
  return before.numa_nodes.some(({ node, memory_bytes }) => isLess(memory_bytes, memory.get(node) ?? 0))
}

const hasLostStorage: HardwareLoss = (before, now) => now.storage.is_read_only && !before.storage.is_read_only

/** The number of an IOMMU group may change with each start. Another model at the same address is another device. */
const hasLostDevice: HardwareLoss = (before, now) => {
  if (before.is_iommu_on && !now.is_iommu_on) return true
  const present = acceleratorsOf(now)
  const lost = [...acceleratorsOf(before)].filter(([device, hasGroup]) => {
    return hasGroup ? present.get(device) !== true : !present.has(device)
  })
  return lost.length > 0 || (now.nvswitches !== undefined && lacks(addressesOf(before), addressesOf(now)))
}

/** The accelerators of a host, and whether each has an IOMMU group. */
function acceleratorsOf({ accelerators }: HostHardware): Map<string, boolean> {
  return new Map(
    accelerators.flatMap(({ pci_id, devices }) =>
      devices.map(({ pci, iommu_group }) => [`${pci} ${pci_id}`, iommu_group !== null] as const),
    ),
  )
}

function addressesOf({ nvswitches = [] }: HostHardware): string[] {
  return nvswitches.map(({ pci }) => pci)
}

/** Another kernel may give the ports other names: as many of a kind, each as fast, are the same. */
const hasLostPort: HardwareLoss = (before, now) => {
  const rates = ({ rdma }: HostHardware, layer: HostRdmaPort['link_layer']) => {
    const own = rdma.filter(({ link_layer }) => link_layer === layer)
    return own.map((port) => port.gigabits_per_second).sort((a, b) => b - a)
  }
  const layers = new Set(before.rdma.map(({ link_layer }) => link_layer))
  const isFewer = [...layers].some((layer) => {
    const left = rates(now, layer)
    return rates(before, layer).some((rate, index) => (left[index] ?? -1) < rate)
  })
  const says = now.rdma.some(({ functions }) => functions !== undefined)
  return isFewer || (says && lacks(functionsOf(before), functionsOf(now)))
}

function functionsOf({ rdma }: HostHardware): string[] {
  return rdma.flatMap(({ functions = [] }) => functions)
}

function lacks(before: readonly string[], now: readonly string[]): boolean {
  const present = new Set(now)
  return before.some((one) => !present.has(one))
}
