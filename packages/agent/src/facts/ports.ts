/** Reads the RDMA ports of a host, and which functions of their adapters machines can be given. */
import { type HostRdmaPort, hardwareBounds } from '@bourse/api/fleet/hardware.ts'
import { groupProblem, isPciAddress, membersOf, type PciFunction, vfioDriver } from '../devices/functions.rules.ts'
import { folderOf } from '../devices/read-functions.ts'
import { describePort } from './devices.rules.ts'
import type { Tree } from './tree.ts'

/** What was found, and what could not be read. */
export type PortsFound = { readonly ports: HostRdmaPort[]; readonly problems: string[] }

/** Reads the ports. Virtual functions are parts of the adapter that has them. */
export async function readPorts(tree: Tree, functions: readonly PciFunction[]): Promise<PortsFound> {
  const ports: HostRdmaPort[] = []
  const problems: string[] = []
  for (const device of await tree.names('/sys/class/infiniband')) {
    const folder = `/sys/class/infiniband/${device}`
    const [node_guid, numa_node, pci] = await Promise.all([
      tree.text(`${folder}/node_guid`),
      tree.text(`${folder}/device/numa_node`),
      tree.target(`${folder}/device`),
    ])
    if (pci !== undefined && (await tree.target(`${folderOf(pci)}/physfn`)) !== undefined) continue
    const given = pci !== undefined && isPciAddress(pci) ? await functionsOf(tree, pci, functions) : undefined
    for (const port of await tree.names(`${folder}/ports`)) {
      const at = `${folder}/ports/${port}`
      const [link_layer, state, rate, first_gid] = await Promise.all(
        ['link_layer', 'state', 'rate', 'gids/0'].map((name) => tree.text(`${at}/${name}`)),
      )
      const described = describePort({ device, port, link_layer, state, rate, first_gid, node_guid, numa_node })
      if (described) ports.push(given === undefined ? described : { ...described, functions: given })
      else problems.push(`port ${port} of the RDMA adapter ${device} has no readable link layer`)
    }
  }
  return { ports, problems }
}

/**
 * InfiniBand adapters that were bound to `vfio-pci` before the agent could read their ports. `known`: those that the
 * agent has bound. A virtual function has no ports of its own.
 */
export async function unreadAdapters(
  tree: Tree,
  functions: readonly PciFunction[],
  known: ReadonlySet<string>,
): Promise<string[]> {
  const bound = functions.filter((one) => isInfiniband(one) && one.driver === vfioDriver && !known.has(one.pci))
  const physical = await Promise.all(
    bound.map(async ({ pci }) => ((await tree.target(`${folderOf(pci)}/physfn`)) === undefined ? [pci] : [])),
  )
  return physical
    .flat()
    .map((pci) => `${pci} is an InfiniBand adapter with vfio-pci: leave it to its driver, the agent binds it`)
}

/**
 * The virtual functions of an adapter; without any, an InfiniBand adapter itself. Each has an IOMMU group of its own. A
 * network card is not given away whole, because the host may work with it.
 */
async function functionsOf(tree: Tree, pci: string, all: readonly PciFunction[]): Promise<string[]> {
  const names = (await tree.names(folderOf(pci))).filter((name) => /^virtfn\d{1,4}$/.test(name))
  const virtual = await Promise.all(names.map((name) => tree.target(`${folderOf(pci)}/${name}`)))
  const whole = all.filter((one) => one.pci === pci && isInfiniband(one)).map((one) => one.pci)
  const candidates = names.length === 0 ? whole : virtual.filter((one) => one !== undefined).sort()
  return candidates.filter((one) => isAlone(one, all)).slice(0, hardwareBounds.functions)
}

function isAlone(pci: string, all: readonly PciFunction[]): boolean {
  const one = all.find((known) => known.pci === pci)
  if (!one || groupProblem(one, all) !== undefined) return false
  return membersOf(one.groups[0] as number, all).every((member) => member.pci === pci)
}

function isInfiniband({ class: text }: PciFunction): boolean {
  return /^0x0207/.test(text ?? '')
}
