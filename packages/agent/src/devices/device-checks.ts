/** Whether this host can give its devices to machines, as checks that people read before they enrol it. */
import type { HostHardware } from '@bourse/api/fleet/hardware.ts'
import type { Finding } from '../drivers/driver.ts'
import type { DeviceTree } from './device-tree.ts'
import { vfioDriver } from './functions.rules.ts'
import { readReset } from './read-host.ts'
import { resetMethods, resetProblem } from './reset.rules.ts'

const subject = 'devices'

/** What stands between machines and the devices of this host. Nothing is said of a host without devices. */
export async function findDevices(tree: DeviceTree, hardware: HostHardware, is_root: boolean): Promise<Finding[]> {
  const accelerators = hardware.accelerators.filter(({ kind }) => kind !== null).flatMap(({ devices }) => devices)
  const grouped = accelerators.filter(({ iommu_group }) => iommu_group !== null).map(({ pci }) => pci)
  const functions = [...new Set(hardware.rdma.flatMap((port) => port.functions ?? []))]
  const all = [...grouped, ...functions]
  if (accelerators.length === 0 && functions.length === 0) return []
  const resets = await Promise.all(all.map(async (pci) => ({ pci, texts: await readReset(tree, pci) })))
  const obstacles = [
    ...(is_root ? [] : ['the agent must run as root to give them to machines']),
    ...((await tree.exists(`/sys/bus/pci/drivers/${vfioDriver}`)) ? [] : ['vfio-pci is not loaded: modprobe vfio-pci']),
    ...(all.length === 0 ? ['none has an IOMMU group'] : []),
    ...resets.flatMap(({ pci, texts }) => resetProblem(pci, texts) ?? []),
  ]
  if (obstacles.length > 0) {
    return [{ subject, is_good: false, is_optional: true, message: obstacles.join('; ').slice(0, 1024) }]
  }
  const methods = new Set(resets.flatMap(({ texts }) => resetMethods(texts)?.[0] ?? []))
  const by = methods.size === 0 ? '' : `, reset by ${[...methods].join(' or ')}`
  const message = `${grouped.length} accelerators and ${functions.length} InfiniBand functions for machines${by}`
  return [{ subject, is_good: true, message }]
}
