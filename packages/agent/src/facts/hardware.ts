/**
 * Reads the hardware of a host from `/sys` and `/proc`. What cannot be read is left out and named in `problems`; no
 * file, however odd, makes the reading fail.
 */
import type { HostHardware, HostRdmaPort } from '@bourse/api/fleet/hardware.ts'
import { inTime, late, type Wait } from '../devices/bounded-work.ts'
import { groupProblem, type PciFunction, vfioDriver } from '../devices/functions.rules.ts'
import { folderOf, readFunctions } from '../devices/read-functions.ts'
import { isAnswering } from '../devices/read-host.ts'
import { resetMethods } from '../devices/reset.rules.ts'
import type { AcceleratorTable } from './accelerator-models.ts'
import { boundHardware } from './bounds.rules.ts'
import { describeAccelerators, isAccelerator, type PciTexts } from './devices.rules.ts'
import { readSwitches } from './nvswitches.ts'
import { type PortsFound, readPorts, unreadAdapters } from './ports.ts'
import {
  allowedIn,
  numbersIn,
  parseCount,
  parseMemory,
  parseMount,
  parseProcessors,
  plain,
} from './processors.rules.ts'
import type { Tree } from './tree.ts'

/** What is read, besides the files of the kernel. */
export type HardwareSource = {
  readonly tree: Tree
  readonly table: AcceleratorTable
  /** The folder of the machines, by its absolute path, and the bytes of its file system. */
  readonly directory: string
  readonly storage: { readonly size_bytes: number; readonly free_bytes: number }
  readonly is_kvm_usable: boolean | null
  readonly qemu: string | null
  /** Devices that no machine may get, with the reason. */
  readonly withheld?: ReadonlyMap<string, string>
  /** Ports of adapters that the agent has taken from their driver. The kernel no longer shows them. */
  readonly ports?: readonly HostRdmaPort[]
  /** What stands between devices and machines. Absent: not looked at. */
  readonly delivery?: HostHardware['delivery']
  /** The last checks of slots by probe machines. */
  readonly checks?: HostHardware['slot_checks']
  /** Waits in place of a timer, for tests that make work late. */
  readonly wait?: Wait | undefined
}

/** What a device says: why it is of no use to machines, if it is, and the lines about its link by file. */
type DeviceLook = { readonly reason?: string; readonly link?: ReadonlyMap<string, string> }
type LookAt = (pci: string) => Promise<DeviceLook>

/**
 * How long a device may take until it counts as one that hangs. One that is silent takes a second, and a busy host must
 * not look like it: facts last an hour.
 */
const answerMilliseconds = 30_000
/** So many that hang take no longer than one, and need no more processes at once. */
const looksAtOnce = 16
const cpuinfoBytesMax = 8 * 2 ** 20
const pciFiles = ['class', 'vendor', 'device', 'subsystem_vendor', 'subsystem_device', 'numa_node', 'resource'] as const
const linkFiles = ['current_link_speed', 'current_link_width', 'max_link_speed', 'max_link_width'] as const
const secureBootFile = '/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c'

/** Reads the hardware. */
export async function readHardware(source: HardwareSource): Promise<HostHardware> {
  const { tree } = source
  const problems: string[] = []
  const [cpuinfo, meminfo, kernel, status] = await Promise.all([
    tree.text('/proc/cpuinfo', cpuinfoBytesMax),
    tree.text('/proc/meminfo'),
    tree.text('/proc/sys/kernel/osrelease'),
    tree.text('/proc/self/status'),
  ])
  // Machines run on those that this process may use: `CPUAffinity=` of its unit, or its cpuset, may leave some out.
  const list = allowedIn(status, 'Cpus')
  const allowed = list && new Set(list)
  const processors = parseProcessors(cpuinfo ?? '', allowed)
  if (processors.threads === 0) problems.push('/proc/cpuinfo names no processor')
  const memory_bytes = parseMemory(meminfo)
  if (memory_bytes === undefined) problems.push('/proc/meminfo does not say how much memory there is')
  const functions = await readFunctions(tree)
  const look: LookAt = async (pci) => {
    const reason = source.withheld?.get(pci)
    return reason === undefined ? lookInTime(source, pci) : { reason }
  }
  const found = await readAccelerators(source, functions, look)
  const lost = async (pci: string) => (await look(pci)).reason
  const { switches, problems: lostSwitches } = await readSwitches(tree, functions, lost)
  const [numa_nodes, storage, rdma, is_secure_boot_on] = await Promise.all([
    readNumaNodes(tree, allowed),
    readStorage(source),
    readRdma(source, functions),
    readSecureBoot(tree),
  ])
  return boundHardware({
    processors,
    memory_bytes: memory_bytes ?? 0,
    numa_nodes,
    storage,
    accelerators: found.models,
    rdma: rdma.ports,
    ...(switches.length > 0 ? { nvswitches: switches } : {}),
    is_iommu_on: (await tree.names('/sys/kernel/iommu_groups')).length > 0,
    is_secure_boot_on,
    is_kvm_usable: source.is_kvm_usable,
    ...(source.delivery ? { delivery: source.delivery } : {}),
    kernel: plain(kernel ?? 'unknown', 64),
    qemu: source.qemu,
    ...(source.checks && source.checks.length > 0 ? { slot_checks: [...source.checks] } : {}),
    problems: [...problems, ...found.problems, ...lostSwitches, ...rdma.problems],
  })
}

async function readAccelerators({ tree, table }: HardwareSource, functions: readonly PciFunction[], lookAt: LookAt) {
  const devices: PciTexts[] = []
  const lost = new Map<string, string>()
  const shared = new Map<string, string>()
  const look = async (one: PciFunction) => {
    const folder = folderOf(one.pci)
    const [kind, vendor, device] = await Promise.all(
      ['class', 'vendor', 'device'].map((name) => tree.text(`${folder}/${name}`)),
    )
    if (!isAccelerator({ class: kind, vendor, device }, table)) return undefined
    // A virtual function is a part of its physical function, which is listed too.
    if ((await tree.target(`${folder}/physfn`)) !== undefined) return undefined
    const { reason, link } = await lookAt(one.pci)
    const texts = Object.fromEntries([
      ...(await Promise.all(pciFiles.map(async (name) => [name, await tree.text(`${folder}/${name}`)] as const))),
      ...linkFiles.map((name) => [name, link?.get(`${folder}/${name}`)] as const),
    ]) as Pick<PciTexts, (typeof pciFiles)[number] | (typeof linkFiles)[number]>
    return { one, texts, reason }
  }
  const looks = []
  for (let at = 0; at < functions.length; at += looksAtOnce) {
    looks.push(...(await Promise.all(functions.slice(at, at + looksAtOnce).map(look))))
  }
  for (const { one, texts, reason } of looks.flatMap((found) => found ?? [])) {
    devices.push({ ...texts, address: one.pci, driver: one.driver ?? undefined })
    if (reason !== undefined) lost.set(one.pci, reason)
    const problem = groupProblem(one, functions)
    if (problem !== undefined) shared.set(one.pci, problem)
  }
  const groups = new Map(functions.map(({ pci, groups: own }) => [pci, own]))
  return describeAccelerators(devices, groups, table, { lost, shared })
}

/** Waits for no device that hangs. */
async function lookInTime({ tree, wait }: HardwareSource, pci: string): Promise<DeviceLook> {
  const asked = async (): Promise<DeviceLook> => {
    const reason = await whyLost(tree, pci)
    if (reason !== undefined) return { reason }
    return { link: await readLink(tree, pci) }
  }
  const look = await inTime(asked(), { what: pci, at_most: answerMilliseconds, wait })
  return look === late ? { reason: `it does not answer within ${answerMilliseconds / 1000} s: it hangs` } : look
}

function readLink(tree: Tree, pci: string): Promise<ReadonlyMap<string, string>> {
  return tree.lines(linkFiles.map((name) => `${folderOf(pci)}/${name}`))
}

/** Why a device is of no use to machines; undefined if it is. */
async function whyLost(tree: Tree, pci: string): Promise<string | undefined> {
  if (!(await isAnswering(tree, pci))) return 'it does not answer, it fell off its bus'
  const methods = await tree.text(`${folderOf(pci)}/reset_method`)
  // A kernel before 5.15 does not say how a device is reset. The machine that gets it will find out.
  if (methods === undefined || resetMethods({ methods })?.length !== 0) return undefined
  return 'it cannot be reset between machines'
}

async function readNumaNodes(
  tree: Tree,
  allowed: ReadonlySet<number> | undefined,
): Promise<HostHardware['numa_nodes']> {
  const names = (await tree.names('/sys/devices/system/node')).filter((name) => /^node\d{1,3}$/.test(name))
  const nodes = await Promise.all(
    names.map(async (name) => {
      const folder = `/sys/devices/system/node/${name}`
      const pages = async (size: string, which: 'free' | 'nr') =>
        parseCount(await tree.text(`${folder}/hugepages/hugepages-${size}/${which}_hugepages`)) ?? 0
      const [list, meminfo, small, large, allSmall, allLarge] = await Promise.all([
        tree.text(`${folder}/cpulist`),
        tree.text(`${folder}/meminfo`),
        pages('2048kB', 'free'),
        pages('1048576kB', 'free'),
        pages('2048kB', 'nr'),
        pages('1048576kB', 'nr'),
      ])
      return {
        node: Number(name.slice('node'.length)),
        threads: numbersIn(list).filter((processor) => allowed?.has(processor) ?? true).length,
        memory_bytes: parseMemory(meminfo) ?? 0,
        free_2mib_pages: small,
        free_1gib_pages: large,
        ...(allSmall > 0 ? { total_2mib_pages: allSmall } : {}),
        ...(allLarge > 0 ? { total_1gib_pages: allLarge } : {}),
      }
    }),
  )
  return nodes.sort((a, b) => a.node - b.node)
}

async function readStorage({ tree, directory, storage }: HardwareSource): Promise<HostHardware['storage']> {
  const mount = parseMount((await tree.text('/proc/self/mountinfo', 2 ** 20)) ?? '', directory)
  const isRotational = mount && (await rotationOf(tree, mount.device))
  return {
    ...storage,
    is_rotational: isRotational === '1' ? true : isRotational === '0' ? false : null,
    is_read_only: mount?.is_read_only ?? false,
  }
}

/** Whether the disk of a block device turns. A partition does not say so itself, its disk does. */
async function rotationOf(tree: Tree, device: string): Promise<string | undefined> {
  const name = await tree.target(`/sys/dev/block/${device}`)
  if (name === undefined) return undefined
  const own = await tree.text(`/sys/block/${name}/queue/rotational`)
  if (own !== undefined) return own
  for (const disk of await tree.names('/sys/block')) {
    if ((await tree.text(`/sys/block/${disk}/${name}/partition`)) === undefined) continue
    return tree.text(`/sys/block/${disk}/queue/rotational`)
  }
  return undefined
}

/** The ports that the kernel shows, and those of adapters that the agent has taken from their driver. */
async function readRdma(
  { tree, ports: known = [] }: HardwareSource,
  functions: readonly PciFunction[],
): Promise<PortsFound> {
  const { ports, problems } = await readPorts(tree, functions)
  const isBound = (pci: string | undefined) => functions.some((one) => one.pci === pci && one.driver === vfioDriver)
  const isShown = ({ device, port }: HostRdmaPort) => ports.some((one) => one.device === device && one.port === port)
  const taken = known.filter((one) => isBound(one.functions?.[0]) && !isShown(one))
  const addresses = new Set(taken.flatMap(({ functions: own = [] }) => own))
  // Slots are divided in this order, and a port that is taken must not change it.
  const all = [...ports, ...taken].sort((a, b) =>
    a.device < b.device ? -1 : a.device > b.device ? 1 : a.port - b.port,
  )
  return { ports: all, problems: [...problems, ...(await unreadAdapters(tree, functions, addresses))] }
}

/** Four bytes of attributes, then one byte: 1 if it is on. A machine that started without UEFI has no Secure Boot. */
async function readSecureBoot(tree: Tree): Promise<boolean | null> {
  if ((await tree.names('/sys/firmware/efi')).length === 0) return false
  const bytes = await tree.text(secureBootFile)
  if (bytes === undefined || bytes === '') return null
  return bytes.at(-1) === '\u0001'
}
