/**
 * The NVSwitches of an HGX board. Whoever has all accelerators behind them must have the switches too: a guest sets
 * them up by its fabric manager, and without that CUDA does not start (error 802). Whoever has a part of the
 * accelerators gets none of the switches, because they carry what passes between the others.
 */
import type { HostAcceleratorModel, HostHardware } from './hardware.ts'

type Facts = { readonly hardware?: HostHardware | undefined }
type Slot = { readonly accelerators: readonly { readonly pci: string }[] }

/** NVIDIA's modules are connected by NVSwitches, its cards are not. */
function isOnBoard({ pci_id, form_factor }: HostAcceleratorModel): boolean {
  return pci_id.startsWith('10de:') && form_factor?.startsWith('sxm') === true
}

/** The PCI addresses of the accelerators behind the NVSwitches of a host. None if it has no switches. */
export function behindSwitches({ hardware }: Facts): string[] {
  if (!hardware?.nvswitches || hardware.nvswitches.length === 0) return []
  return hardware.accelerators.filter(isOnBoard).flatMap(({ devices }) => devices.map(({ pci }) => pci))
}

/** Whether a slot has all accelerators behind the NVSwitches of its host. */
export function hasAllBehindSwitches(facts: Facts, { accelerators }: Slot): boolean {
  const own = new Set(accelerators.map(({ pci }) => pci))
  const behind = behindSwitches(facts)
  return behind.length > 0 && behind.every((pci) => own.has(pci))
}

/**
 * The PCI addresses of the NVSwitches that no machine can be given: without an IOMMU group, or with one that holds an
 * accelerator which is not behind them, and which another machine may have.
 */
export function lostSwitches({ hardware }: Facts): string[] {
  const others = hardware?.accelerators.filter((model) => model.kind !== null && !isOnBoard(model)) ?? []
  const shared = new Set(others.flatMap(({ devices }) => devices.map(({ iommu_group }) => iommu_group)))
  const lost = (hardware?.nvswitches ?? []).filter(({ iommu_group }) => iommu_group === null || shared.has(iommu_group))
  return lost.map(({ pci }) => pci)
}
