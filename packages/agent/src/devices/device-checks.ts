/** Whether this host can give its devices to machines, as checks that people read before they enrol it. */
import type { HostHardware } from '@bourse/api/fleet/hardware.ts'
import type { Finding } from '../drivers/driver.ts'
import { devicesSubject } from '../drivers/names.ts'
import type { DeviceTree } from './device-tree.ts'
import { vfioDriver } from './functions.rules.ts'
import { readReset } from './read-host.ts'
import { resetMethods, resetProblem } from './reset.rules.ts'

/** Who looks, and at what. The default is all kinds. */
type DeviceQuestion = {
  readonly is_root: boolean
  readonly of?: { readonly accelerators: boolean; readonly rdma: boolean }
}

/** What stands between machines and the devices of this host. Nothing is said of a host without devices. */
export async function findDevices(
  tree: DeviceTree,
  hardware: HostHardware,
  { is_root, of = { accelerators: true, rdma: true } }: DeviceQuestion,
): Promise<Finding[]> {
  const subject = devicesSubject
  const known = hardware.accelerators.filter(({ kind }) => of.accelerators && kind !== null)
  const accelerators = known.flatMap(({ devices }) => devices)
  const grouped = withGroup(accelerators)
  const switches = of.accelerators ? withGroup(hardware.nvswitches ?? []) : []
  const ports = of.rdma ? hardware.rdma : []
  const functions = [...new Set(ports.flatMap((port) => port.functions ?? []))]
  const all = [...grouped, ...switches, ...functions]
  if (accelerators.length === 0 && functions.length === 0) return []
  const resets = await Promise.all(all.map(async (pci) => ({ pci, texts: await readReset(tree, pci) })))
  const obstacles = [
    ...(is_root ? [] : ['the agent must run as root to give them to machines']),
    ...((await tree.exists(`/sys/bus/pci/drivers/${vfioDriver}`)) ? [] : ['vfio-pci is not loaded: modprobe vfio-pci']),
    ...(grouped.length + functions.length === 0 ? ['none has an IOMMU group'] : []),
    ...resets.flatMap(({ pci, texts }) => resetProblem(pci, texts) ?? []),
  ]
  if (obstacles.length > 0) {
    return [{ subject, is_good: false, is_optional: true, message: obstacles.join('; ').slice(0, 1024) }]
  }
  const methods = new Set(resets.flatMap(({ texts }) => resetMethods(texts)?.[0] ?? []))
  const by = methods.size === 0 ? '' : `, reset by ${[...methods].join(' or ')}`
  const first = [`${grouped.length} accelerators`, ...(switches.length > 0 ? [`${switches.length} NVSwitches`] : [])]
  const message = `${first.join(', ')} and ${functions.length} InfiniBand functions for machines${by}`
  return [{ subject, is_good: true, message }]
}

function withGroup(devices: readonly { readonly pci: string; readonly iommu_group: number | null }[]): string[] {
  return devices.filter(({ iommu_group }) => iommu_group !== null).map(({ pci }) => pci)
}
