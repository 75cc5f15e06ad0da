/**
 * Reads the hardware of a host from `/sys` and `/proc`. What cannot be read is left out and named in `problems`; no
 * file, however odd, makes the reading fail.
 */
import type { HostHardware } from '@bourse/api/fleet/hardware.ts'
import type { AcceleratorTable } from './accelerator-models.ts'
import { boundHardware } from './bounds.rules.ts'
import { describeAccelerators, describePort, isAccelerator, type PciTexts } from './devices.rules.ts'
import { countList, parseCount, parseMemory, parseMount, parseProcessors, plain } from './processors.rules.ts'
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
}

const cpuinfoBytesMax = 8 * 2 ** 20
const devicesMax = 4096
const pciFiles = [
  'class',
  'vendor',
  'device',
  'subsystem_vendor',
  'subsystem_device',
  'numa_node',
  'resource',
  'current_link_speed',
  'current_link_width',
  'max_link_speed',
  'max_link_width',
] as const
const secureBootFile = '/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c'

/** Reads the hardware. */
export async function readHardware(source: HardwareSource): Promise<HostHardware> {
  const { tree } = source
  const problems: string[] = []
  const [cpuinfo, meminfo, kernel] = await Promise.all([
    tree.text('/proc/cpuinfo', cpuinfoBytesMax),
    tree.text('/proc/meminfo'),
    tree.text('/proc/sys/kernel/osrelease'),
  ])
  const processors = parseProcessors(cpuinfo ?? '')
  if (processors.threads === 0) problems.push('/proc/cpuinfo names no processor')
  const memory_bytes = parseMemory(meminfo)
  if (memory_bytes === undefined) problems.push('/proc/meminfo does not say how much memory there is')
  const groups = await readGroups(tree)
  const found = await readAccelerators(source, groups)
  const [numa_nodes, storage, rdma, is_secure_boot_on] = await Promise.all([
    readNumaNodes(tree),
    readStorage(source),
    readPorts(tree, problems),
    readSecureBoot(tree),
  ])
  return boundHardware({
    processors,
    memory_bytes: memory_bytes ?? 0,
    numa_nodes,
    storage,
    accelerators: found.models,
    rdma,
    is_iommu_on: groups.size > 0,
    is_secure_boot_on,
    is_kvm_usable: source.is_kvm_usable,
    kernel: plain(kernel ?? 'unknown', 64),
    qemu: source.qemu,
    problems: [...problems, ...found.problems],
  })
}

/** The IOMMU groups by PCI address. There are none while the IOMMU is off. */
async function readGroups(tree: Tree): Promise<Map<string, number[]>> {
  const names = (await tree.names('/sys/kernel/iommu_groups')).slice(0, devicesMax)
  const groups = new Map<string, number[]>()
  for (const name of names) {
    const group = parseCount(name)
    if (group === undefined || group > 65_535) continue
    for (const address of await tree.names(`/sys/kernel/iommu_groups/${name}/devices`)) {
      groups.set(address, [...(groups.get(address) ?? []), group])
    }
  }
  return groups
}

async function readAccelerators({ tree, table }: HardwareSource, groups: ReadonlyMap<string, number[]>) {
  const all = await tree.names('/sys/bus/pci/devices')
  const names = all.filter((name) => /^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$/.test(name)).slice(0, devicesMax)
  const devices: PciTexts[] = []
  for (const address of names) {
    const folder = `/sys/bus/pci/devices/${address}`
    if (!isAccelerator({ class: await tree.text(`${folder}/class`) })) continue
    // A virtual function is a part of its physical function, which is listed too.
    if ((await tree.target(`${folder}/physfn`)) !== undefined) continue
    const texts = await Promise.all(pciFiles.map(async (name) => [name, await tree.text(`${folder}/${name}`)]))
    const driver = await tree.target(`${folder}/driver`)
    devices.push({ ...(Object.fromEntries(texts) as Pick<PciTexts, (typeof pciFiles)[number]>), address, driver })
  }
  return describeAccelerators(devices, groups, table)
}

async function readNumaNodes(tree: Tree): Promise<HostHardware['numa_nodes']> {
  const names = (await tree.names('/sys/devices/system/node')).filter((name) => /^node\d{1,3}$/.test(name))
  const nodes = await Promise.all(
    names.map(async (name) => {
      const folder = `/sys/devices/system/node/${name}`
      const pages = (size: string) => tree.text(`${folder}/hugepages/hugepages-${size}/free_hugepages`)
      const [list, meminfo, small, large] = await Promise.all([
        tree.text(`${folder}/cpulist`),
        tree.text(`${folder}/meminfo`),
        pages('2048kB'),
        pages('1048576kB'),
      ])
      return {
        node: Number(name.slice('node'.length)),
        threads: countList(list),
        memory_bytes: parseMemory(meminfo) ?? 0,
        free_2mib_pages: parseCount(small) ?? 0,
        free_1gib_pages: parseCount(large) ?? 0,
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

async function readPorts(tree: Tree, problems: string[]): Promise<HostHardware['rdma']> {
  const ports: HostHardware['rdma'] = []
  for (const device of await tree.names('/sys/class/infiniband')) {
    const folder = `/sys/class/infiniband/${device}`
    const [node_guid, numa_node] = await Promise.all([
      tree.text(`${folder}/node_guid`),
      tree.text(`${folder}/device/numa_node`),
    ])
    for (const port of await tree.names(`${folder}/ports`)) {
      const at = `${folder}/ports/${port}`
      const [link_layer, state, rate, first_gid] = await Promise.all(
        ['link_layer', 'state', 'rate', 'gids/0'].map((name) => tree.text(`${at}/${name}`)),
      )
      const described = describePort({ device, port, link_layer, state, rate, first_gid, node_guid, numa_node })
      if (described) ports.push(described)
      else problems.push(`port ${port} of the RDMA adapter ${device} has no readable link layer`)
    }
  }
  return ports
}

/** Four bytes of attributes, then one byte: 1 if it is on. A machine that started without UEFI has no Secure Boot. */
async function readSecureBoot(tree: Tree): Promise<boolean | null> {
  if ((await tree.names('/sys/firmware/efi')).length === 0) return false
  const bytes = await tree.text(secureBootFile)
  if (bytes === undefined || bytes === '') return null
  return bytes.at(-1) === '\u0001'
}
