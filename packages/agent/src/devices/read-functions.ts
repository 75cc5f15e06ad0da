/** Reads the PCI functions of a host and their IOMMU groups. */
import { parseCount } from '../facts/processors.rules.ts'
import type { Tree } from '../facts/tree.ts'
import { isPciAddress, type PciFunction } from './functions.rules.ts'

const functionsMax = 4096
const groupMax = 65_535

/** The folder of a function. */
export function folderOf(pci: string): string {
  return `/sys/bus/pci/devices/${pci}`
}

/** What a function is: vendor and device, as `10de:2330`. */
export async function idOf(tree: Tree, pci: string): Promise<string> {
  const [vendor, device] = await Promise.all(['vendor', 'device'].map((name) => tree.text(`${folderOf(pci)}/${name}`)))
  return `${vendor?.slice(2)}:${device?.slice(2)}`
}

/** All functions of a host. */
export async function readFunctions(tree: Tree): Promise<PciFunction[]> {
  const groups = await readGroups(tree)
  const names = (await tree.names('/sys/bus/pci/devices')).filter(isPciAddress).slice(0, functionsMax)
  return Promise.all(
    names.map(async (pci) => {
      const [text, driver] = await Promise.all([
        tree.text(`${folderOf(pci)}/class`),
        tree.target(`${folderOf(pci)}/driver`),
      ])
      return { pci, class: text, driver: driver ?? null, groups: groups.get(pci) ?? [] }
    }),
  )
}

/** The IOMMU groups by PCI address. There are none while the IOMMU is off. */
async function readGroups(tree: Tree): Promise<Map<string, number[]>> {
  const names = (await tree.names('/sys/kernel/iommu_groups')).slice(0, functionsMax)
  const groups = new Map<string, number[]>()
  for (const name of names) {
    const group = parseCount(name)
    if (group === undefined || group > groupMax) continue
    for (const pci of await tree.names(`/sys/kernel/iommu_groups/${name}/devices`)) {
      groups.set(pci, [...(groups.get(pci) ?? []), group])
    }
  }
  return groups
}
