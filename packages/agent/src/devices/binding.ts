/** Changes the drivers of functions, and reads what they were before and are for their machine. */
import { barBytes } from '../facts/devices.rules.ts'
import { parseCount } from '../facts/processors.rules.ts'
import { startFailure } from '../problems.ts'
import { planBinding, type SysfsWrite } from './binding.rules.ts'
import type { Claim } from './claims.rules.ts'
import type { DeviceTree } from './device-tree.ts'
import { isOtherBridge, type PciFunction, vfioDriver } from './functions.rules.ts'
import { folderOf, idOf } from './read-functions.ts'
import type { RecordedFunction } from './records.ts'

/** A function that QEMU gives to a machine. */
export type GivenDevice = {
  readonly pci: string
  readonly bar_bytes: number
  /** The NUMA node that memory should be on. Null: the host does not say, or the device moves no data of its own. */
  readonly numa: number | null
}

/** A function, with what it was as an RDMA adapter. The ports of its physical function stay where they are. */
export async function boundOf(tree: DeviceTree, { pci, driver, ports }: RecordedFunction): Promise<RecordedFunction> {
  const [physical, id] = await Promise.all([tree.target(`${folderOf(pci)}/physfn`), idOf(tree, pci)])
  const isVirtual = physical !== undefined
  return { pci, driver, id, ports: isVirtual ? [] : ports.filter(({ functions }) => functions?.[0] === pci) }
}

/** Those whose address no other function has since the host was started anew: that may be a disk of the host. */
export async function stillBound(tree: DeviceTree, bound: readonly RecordedFunction[]): Promise<RecordedFunction[]> {
  const now = await Promise.all(
    bound.map(async ({ pci }) => ((await tree.exists(folderOf(pci))) ? idOf(tree, pci) : undefined)),
  )
  // One that is gone may come back, and is named until then.
  return bound.filter(({ id }, index) => id === undefined || now[index] === undefined || now[index] === id)
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
