/** Reads the NVSwitches of a host: which there are, and whether machines can be given them. */
import type { HostNvSwitch } from '@bourse/api/fleet/hardware.ts'
import { groupProblem, isOtherBridge, type PciFunction } from '../devices/functions.rules.ts'
import { folderOf } from '../devices/read-functions.ts'
import { parseCount } from './processors.rules.ts'
import type { Tree } from './tree.ts'

/** What was found, and why machines cannot be given some of it. */
type SwitchesFound = { readonly switches: HostNvSwitch[]; readonly problems: string[] }

const maker = '0x10de'
/** By generation: the switches of HGX-2, HGX A100, and HGX H100 and H200. Later boards show none on the PCI bus. */
const models = ['0x1ac2', '0x1af1', '0x22a3']

/**
 * Reads the switches. One that machines cannot be given stays in the list, without a group: the others are of no use
 * without it. `whyLost` says why a function is of no use.
 */
export async function readSwitches(
  tree: Tree,
  functions: readonly PciFunction[],
  whyLost: (pci: string) => Promise<string | undefined>,
): Promise<SwitchesFound> {
  const switches: HostNvSwitch[] = []
  const problems: string[] = []
  const look = async (one: PciFunction) => {
    const text = (name: string) => tree.text(`${folderOf(one.pci)}/${name}`)
    const [vendor, device, node] = await Promise.all([text('vendor'), text('device'), text('numa_node')])
    if (vendor !== maker || !models.includes(device ?? '')) return undefined
    return { one, node, reason: await whyLost(one.pci) }
  }
  // A few at most, so that several which hang take no longer than one.
  const looks = await Promise.all(functions.filter(isOtherBridge).map(look))
  for (const { one, node, reason } of looks.flatMap((found) => found ?? [])) {
    const problem = reason === undefined ? groupProblem(one, functions) : `${one.pci}: ${reason}`
    // With the IOMMU off nothing can be given away. That is said once.
    if (problem !== undefined && (reason !== undefined || one.groups.length > 0)) problems.push(`NVSwitch ${problem}`)
    const iommu_group = problem === undefined ? (one.groups[0] as number) : null
    switches.push({ pci: one.pci, numa_node: parseCount(node) ?? null, iommu_group })
  }
  return { switches, problems }
}
