/** Changes the drivers of functions, and reads what they were before and are for their machine. */
import { barBytes } from '../facts/devices.rules.ts'
import { parseCount } from '../facts/processors.rules.ts'
import { startFailure } from '../problems.ts'
import { planBinding, type SysfsWrite } from './binding.rules.ts'
import type { Claim } from './claims.rules.ts'
import type { DeviceTree } from './device-tree.ts'
import { isOtherBridge, type PciFunction, vfioDriver } from './functions.rules.ts'
import { folderOf } from './read-functions.ts'
import type { DeviceRecords } from './records.ts'

/** A function that QEMU gives to a machine. */
export type GivenDevice = {
  readonly pci: string
  readonly bar_bytes: number
  /** The NUMA node that memory should be on. Null: the host does not say, or the device moves no data of its own. */
  readonly numa: number | null
}

/** A function, with what it was as an RDMA adapter. The ports of its physical function stay where they are. */
export async function boundOf(
  tree: DeviceTree,
  { pci, driver, ports }: DeviceRecords['bound'][number],
): Promise<DeviceRecords['bound'][number]> {
  const isVirtual = (await tree.target(`${folderOf(pci)}/physfn`)) !== undefined
  return { pci, driver, ports: isVirtual ? [] : ports.filter(({ functions }) => functions?.[0] === pci) }
}

/** Binds a function to `vfio-pci`. It may never end. Throws a `StartFailure`. */
export async function bind(tree: DeviceTree, one: Pick<PciFunction, 'pci' | 'driver'>): Promise<void> {
  const failed = (why: string) => startFailure('device_not_bound', `${one.pci} cannot be bound to vfio-pci: ${why}.`)
  await apply(tree, planBinding(one)).catch((error: Error) => {
    throw failed(error.message)
  })
  const driver = await tree.target(`${folderOf(one.pci)}/driver`)
  if (driver !== vfioDriver) throw failed(`its driver is ${driver ?? 'none'}`)
}

/** What a machine gets by its claim. */
export async function givenOf(tree: DeviceTree, { passed }: Claim): Promise<GivenDevice[]> {
  return Promise.all(
    passed.map(async (pci) => {
      const [regions, node, text] = await Promise.all(
        ['resource', 'numa_node', 'class'].map((name) => tree.text(`${folderOf(pci)}/${name}`)),
      )
      // The kernel writes -1 where the firmware does not say.
      const numa = isOtherBridge({ class: text }) ? null : (parseCount(node) ?? null)
      return { pci, bar_bytes: barBytes(regions), numa }
    }),
  )
}

/** Makes the writes one after the other. */
export async function apply(tree: DeviceTree, writes: readonly SysfsWrite[]): Promise<void> {
  for (const { path, text } of writes) await tree.write(path, text)
}
