/** The facts that an agent reports about its host: what it reads from the machine, and what its operator declares. */
import { mkdir, readFile, statfs } from 'node:fs/promises'
import { cpus, hostname, networkInterfaces, totalmem } from 'node:os'
import { resolve } from 'node:path'
import { countsOf, type HostHardware } from '@bourse/api/fleet/hardware.ts'
import type { HostFacts } from '@bourse/api/fleet/hosts.ts'
import { vfioDriver } from '../devices/functions.rules.ts'
import type { HostDevices } from '../devices/host-devices.ts'
import type { Driver } from '../drivers/driver.ts'
import { findUefi } from '../drivers/qemu/firmware.ts'
import { hostProblem } from '../problems.ts'
import { type AcceleratorTable, knownAccelerators } from './accelerator-models.ts'
import { parseAccelerators } from './accelerators-file.rules.ts'
import { readHardware } from './hardware.ts'
import { openTree, type Tree } from './tree.ts'

/** The facts that only the operator knows. */
export type GivenFacts = {
  readonly host_address?: string | undefined
  readonly public_ipv4s?: readonly string[]
  readonly sets_partitions?: boolean
  readonly encrypts_traffic?: boolean | undefined
}

/** Where hardware is read. */
export type HardwareOptions = {
  /** A folder on the disk that stores the machines. */
  readonly directory: string
  readonly table: AcceleratorTable
  /** What the driver found out about this host, if it has been probed. */
  readonly driver?: Pick<Driver, 'versions'> | undefined
  /** What is recorded of the devices that machines get. */
  readonly devices?: Pick<HostDevices, 'withheld' | 'ports' | 'checks'> | undefined
  /** The folder with `sys` and `proc`. The default is the machine itself. */
  readonly root?: string
}

/** The facts of an enrolment. */
export async function readFacts(
  hardware: HostHardware,
  network: HostFacts['network'],
  given: GivenFacts = {},
): Promise<HostFacts> {
  return {
    hostname: hostname().slice(0, 255),
    ...countsOf(hardware),
    network,
    host_address: given.host_address ?? ownAddress(),
    public_ipv4s: [...(given.public_ipv4s ?? [])],
    sets_partitions: given.sets_partitions ?? false,
    ...(given.encrypts_traffic === undefined ? {} : { encrypts_traffic: given.encrypts_traffic }),
    hardware,
  }
}

/** Reads the hardware of this host. */
export async function readHostHardware(options: HardwareOptions): Promise<HostHardware> {
  const { directory, table, driver, devices, root = '/' } = options
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { blocks, bavail, bsize } = await statfs(directory)
  const { is_kvm_usable = null, qemu = null } = driver?.versions?.() ?? {}
  const storage = { size_bytes: blocks * bsize, free_bytes: bavail * bsize }
  const tree = openTree(root)
  const known = devices && { withheld: devices.withheld(), ports: devices.ports(), checks: [...devices.checks()] }
  const own = { tree, table, directory: resolve(directory), storage, is_kvm_usable, qemu }
  const delivery = await readDelivery(tree, root)
  const hardware = await readHardware({ ...own, ...known, delivery })
  return process.platform === 'linux' ? hardware : withoutKernelFiles(hardware)
}

/** What machines need besides the hardware: rights of this agent, a driver of the kernel, firmware. */
async function readDelivery(tree: Tree, root: string): Promise<HostHardware['delivery']> {
  const drivers = await tree.names('/sys/bus/pci/drivers')
  return {
    is_root: process.getuid?.() === 0,
    is_vfio_loaded: drivers.includes(vfioDriver),
    has_uefi: (await findUefi(root)).is_good,
  }
}

/** The models that the agent knows, with those of the operator's file in place of them. */
export async function acceleratorTable(path: string | undefined): Promise<AcceleratorTable> {
  if (path === undefined) return knownAccelerators
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw hostProblem(`The file of accelerators ${path} cannot be read: ${error.code}.`)
  })
  const own = parseAccelerators(text)
  if (typeof own === 'string') throw hostProblem(`The file of accelerators ${path} is wrong. ${own}`)
  return new Map([...knownAccelerators, ...own])
}

/** The first address of this host that is not a loopback address. */
export function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
}

/** Another system than Linux, for trials with simulated machines. */
function withoutKernelFiles(hardware: HostHardware): HostHardware {
  const threads = cpus().length
  const problems = ['this is no Linux, so there are no facts about devices']
  return { ...hardware, processors: { ...hardware.processors, threads }, memory_bytes: totalmem(), problems }
}
