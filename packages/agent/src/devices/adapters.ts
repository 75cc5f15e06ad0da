/** The InfiniBand adapters of a machine, as a fabric manager knows them. */
import type { HostRdmaPort } from '@bourse/api/fleet/hardware.ts'
import type { Tree } from '../facts/tree.ts'
import { isPciAddress } from './functions.rules.ts'
import { folderOf } from './read-functions.ts'

/** An adapter, or a virtual function of one. `guid`: as `0xb8cef60300abcd12`; null if it is not known. */
export type MachineAdapter = { readonly pci: string; readonly guid: string | null }

/** Those of some functions that are InfiniBand adapters. `ports`: what was read before the agent bound them. */
export async function readAdapters(
  tree: Tree,
  functions: readonly string[],
  ports: readonly HostRdmaPort[],
): Promise<MachineAdapter[]> {
  const found = await Promise.all(
    functions.map(async (pci) => {
      if (!/^0x0207/.test((await tree.text(`${folderOf(pci)}/class`)) ?? '')) return []
      const own = ports.find((port) => port.functions?.[0] === pci)?.guid
      return [{ pci, guid: guidOf(own ?? (await virtualGuid(tree, pci))) }]
    }),
  )
  return found.flat()
}

/** The GUID of a virtual function. Its adapter, which stays with its driver, has it. */
async function virtualGuid(tree: Tree, pci: string): Promise<string | undefined> {
  const adapter = await tree.target(`${folderOf(pci)}/physfn`)
  if (adapter === undefined || !isPciAddress(adapter)) return undefined
  for (const name of await tree.names(folderOf(adapter))) {
    const [, index] = /^virtfn(\d{1,4})$/.exec(name) ?? []
    if (index === undefined || (await tree.target(`${folderOf(adapter)}/${name}`)) !== pci) continue
    return tree.text(`${folderOf(adapter)}/sriov/${index}/port`)
  }
  return undefined
}

function guidOf(text: string | null | undefined): string | null {
  const digits = (text ?? '').replaceAll(':', '').toLowerCase()
  return /^[0-9a-f]{16}$/.test(digits) && !/^(0{16}|f{16})$/.test(digits) ? `0x${digits}` : null
}
