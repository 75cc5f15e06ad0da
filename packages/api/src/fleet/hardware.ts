/** What the agent of a host reads about its machine, and how much of it the server keeps. */
import {
  array,
  boolean,
  integer,
  nullable,
  openOneOf,
  openResource,
  optional,
  type Static,
  type TSchema,
  text,
  timestamp,
} from '../kit/schema.ts'

/** The most bytes of the hardware that a host reports, as JSON. */
export const hardwareBytesMax = 8192
/** The bounds of its lists. An agent leaves out what is beyond them, and says so in `problems`. */
export const hardwareBounds = {
  numa_nodes: 16,
  models: 16,
  devices: 64,
  ports: 32,
  problems: 8,
  functions: 8,
  nvswitches: 16,
  slots: 64,
} as const
/** The longest text of a problem. */
export const problemLengthMax = 160

/** What a machine says about itself, and terminals show. */
export const machineText = (limits: { min?: number; max: number; description?: string }) =>
  text({ ...limits, pattern: '^[ -~]*$', form: 'one line of printable ASCII characters' })

const count = (max: number, description: string) => integer({ min: 0, max, description })
const bytes = (description: string) => integer({ unit: 'bytes', min: 0, description })
const numaNode = () =>
  nullable(integer({ min: 0, max: 1023, description: 'NUMA node that it is on. `null`: the host does not say.' }))
/** The PCI address of a function. */
export const pciAddress = () =>
  text({
    max: 16,
    pattern: '^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]$',
    form: 'a PCI address such as 0000:1b:00.0',
    examples: ['0000:1b:00.0'],
    description: 'PCI address on the host.',
  })
const pciIds = (description: string) =>
  text({
    max: 9,
    pattern: '^[0-9a-f]{4}:[0-9a-f]{4}$',
    form: 'two ids of four hexadecimal digits',
    examples: ['10de:2330'],
    description,
  })
const pagesSetAside = (size: string) =>
  optional(count(2 ** 31, `Huge pages of ${size} that are set aside, used or free. Absent: none, or an older agent.`))
const pcie = (max: number, what: string) =>
  nullable(integer({ min: 1, max, description: `${what} \`null\`: the host does not say.` }))

export const hostProcessors = openResource('HostProcessors', 'The processors of a host.', {
  model: machineText({ max: 96, description: 'Model, as the processor names itself.' }),
  sockets: count(64, 'Number of sockets.'),
  cores: count(65_536, 'Number of cores in all sockets.'),
  threads: count(65_536, 'Number of threads in all sockets.'),
  features: array(machineText({ max: 16 }), {
    max: 8,
    description: 'Features of the processors, out of `vmx`, `svm`, `avx2`, `avx512f`, `amx_tile`.',
  }),
})

export const hostNumaNode = openResource('HostNumaNode', 'A NUMA node of a host.', {
  node: count(1023, 'Number of the NUMA node.'),
  threads: count(65_536, 'Number of its threads.'),
  memory_bytes: bytes('Its memory in bytes.'),
  free_2mib_pages: count(2 ** 31, 'Free huge pages of 2 MiB.'),
  free_1gib_pages: count(2 ** 31, 'Free huge pages of 1 GiB.'),
  total_2mib_pages: pagesSetAside('2 MiB'),
  total_1gib_pages: pagesSetAside('1 GiB'),
})

export const hostStorage = openResource('HostStorage', 'The file system that stores the machines of a host.', {
  size_bytes: bytes('Size in bytes.'),
  free_bytes: bytes('Free space in bytes.'),
  is_rotational: nullable(boolean({ description: 'Whether it is on rotating disks. `null`: the host does not say.' })),
  is_read_only: boolean({ description: 'Whether nothing can be written to it.' }),
})

export const hostAcceleratorDevice = openResource('HostAcceleratorDevice', 'One GPU of a host.', {
  pci: pciAddress(),
  numa_node: numaNode(),
  iommu_group: nullable(
    integer({ min: 0, max: 65_535, description: 'IOMMU group. `null`: no machine can get this device.' }),
  ),
  driver: nullable(machineText({ max: 32, description: 'Driver that has it now. `null`: none.' })),
  pcie_generation: pcie(16, 'PCIe generation of its link now.'),
  pcie_lanes: pcie(64, 'PCIe lanes of its link now.'),
})

export const hostAcceleratorModel = openResource('HostAcceleratorModel', 'The GPUs of one model in a host.', {
  kind: nullable(
    text({
      max: 32,
      description: 'Kind, as SKUs name it, such as `h100`. `null`: the agent does not know this model.',
    }),
  ),
  name: machineText({ max: 64, description: 'Name of the model.' }),
  form_factor: nullable(text({ max: 16, description: 'Form factor, as SKUs name it. `null`: not known.' })),
  memory_bytes: nullable(bytes('Memory of one device in bytes. `null`: not known.')),
  pci_id: pciIds('PCI ids of the vendor and the device.'),
  subsystem_id: nullable(pciIds('PCI ids of the vendor and the model of the board. `null`: not known.')),
  bar_bytes: bytes('Size in bytes of all memory regions of one device.'),
  pcie_generation_max: pcie(16, 'Highest PCIe generation of one device.'),
  pcie_lanes_max: pcie(64, 'Most PCIe lanes of one device.'),
  devices: array(hostAcceleratorDevice, {
    min: 1,
    max: hardwareBounds.devices,
    description: 'The devices of the model.',
  }),
})

export const hostNvSwitch = openResource('HostNvSwitch', 'A switch between the GPUs of an NVIDIA HGX board.', {
  pci: pciAddress(),
  numa_node: numaNode(),
  iommu_group: nullable(
    integer({ min: 0, max: 65_535, description: 'IOMMU group. `null`: no machine can get this switch.' }),
  ),
})

export const hostRdmaPort = openResource('HostRdmaPort', 'A port of an RDMA adapter.', {
  device: machineText({ max: 32, description: 'Name of its adapter in the kernel, such as `mlx5_0`.' }),
  port: integer({ min: 1, max: 255, description: 'Number of the port of its adapter.' }),
  link_layer: openOneOf(['infiniband', 'ethernet'], { description: 'Protocol of its link.' }),
  state: machineText({ max: 16, description: 'State of its link, as the kernel names it.' }),
  gigabits_per_second: count(100_000, 'Rate in gigabits per second.'),
  numa_node: numaNode(),
  guid: nullable(machineText({ max: 19, description: 'GUID of its adapter. `null`: not known.' })),
  subnet_prefix: nullable(
    machineText({ max: 19, description: 'Prefix of its InfiniBand subnet. `null`: not known, or Ethernet.' }),
  ),
  functions: optional(
    array(pciAddress(), {
      max: hardwareBounds.functions,
      description: 'What machines can be given: the adapter itself, or its virtual functions. Absent: not known.',
    }),
  ),
})

export const hostSlotCheck = openResource('HostSlotCheck', 'The last check of a slot by a probe machine.', {
  slot: integer({ min: 0, max: 63, description: 'Number of the slot, from 0.' }),
  checked_at: timestamp({ description: 'When it was checked, in Unix seconds.' }),
  is_good: boolean({ description: 'Whether a machine found all devices of the slot, and no others.' }),
})

export const hostDelivery = openResource(
  'HostDelivery',
  'Settings and software of a host on which its machines depend.',
  {
    is_root: boolean({ description: 'Whether the agent runs as root, which it needs to give devices to machines.' }),
    is_vfio_loaded: boolean({ description: 'Whether the kernel has `vfio-pci`, through which machines get devices.' }),
    has_uefi: boolean({ description: 'Whether the firmware for machines that start by UEFI is installed.' }),
  },
)

export const hostHardware = openResource('HostHardware', 'The hardware of a host, as its agent read it.', {
  processors: hostProcessors,
  memory_bytes: bytes('Memory in bytes.'),
  numa_nodes: array(hostNumaNode, { max: hardwareBounds.numa_nodes, description: 'Its NUMA nodes.' }),
  storage: hostStorage,
  accelerators: array(hostAcceleratorModel, {
    max: hardwareBounds.models,
    description: 'Its GPUs, by model.',
  }),
  rdma: array(hostRdmaPort, { max: hardwareBounds.ports, description: 'The ports of its RDMA adapters.' }),
  nvswitches: optional(
    array(hostNvSwitch, {
      max: hardwareBounds.nvswitches,
      description:
        'Its NVSwitches. A machine with all GPUs behind them gets them too. Absent: none, or an older agent.',
    }),
  ),
  is_iommu_on: boolean({
    description: 'Whether its IOMMU is on, without which no device can be given to a machine.',
  }),
  is_secure_boot_on: nullable(
    boolean({ description: 'Whether it started by Secure Boot. `null`: the host does not say.' }),
  ),
  is_kvm_usable: nullable(boolean({ description: 'Whether machines run with KVM. `null`: the agent has not tried.' })),
  delivery: optional(hostDelivery),
  kernel: machineText({ max: 64, description: 'Version of its kernel.' }),
  qemu: nullable(machineText({ max: 32, description: 'Version of its QEMU. `null`: it has none.' })),
  slot_checks: optional(
    array(hostSlotCheck, {
      max: hardwareBounds.slots,
      description: 'The last check of each slot by a probe machine. Absent: the agent makes none.',
    }),
  ),
  problems: array(machineText({ max: problemLengthMax }), {
    max: hardwareBounds.problems,
    description: 'What could not be read, or is left out because it is too long.',
  }),
})
export type HostHardware = Static<typeof hostHardware>
export type HostAcceleratorModel = HostHardware['accelerators'][number]
export type HostNvSwitch = NonNullable<HostHardware['nvswitches']>[number]
export type HostRdmaPort = HostHardware['rdma'][number]

/** The values that the older facts of a host say in their own fields. */
export type HardwareCounts = {
  readonly cpu_count: number
  readonly memory_bytes: number
  readonly storage_bytes: number
  readonly accelerators: string[]
}

/** What the hardware of a host amounts to. */
export function countsOf({ processors, memory_bytes, storage, accelerators }: HostHardware): HardwareCounts {
  return {
    cpu_count: Math.max(1, processors.threads),
    memory_bytes,
    storage_bytes: storage.size_bytes,
    accelerators: accelerators.flatMap(({ kind, devices }) => (kind === null ? [] : devices.map(() => kind))),
  }
}

/**
 * Hardware in the order of the contract, without members that it does not know: a newer agent may send more, and jsonb
 * does not keep the order of keys.
 */
export function knownHardware(hardware: HostHardware): HostHardware {
  return knownMembers(hostHardware, hardware) as HostHardware
}

/**
 * Whether nothing has changed that the owner of a host is told of. What changes with the use of the host does not
 * count: free storage, free huge pages, the link of an accelerator, which is slower while the accelerator is idle, its
 * driver, which changes when the first machine gets it, and the checks of slots. Neither does what the host can
 * deliver. Its kernel and QEMU count, so hardware that is not the same need not be less.
 */
export function isSameHardware(a: HostHardware, b: HostHardware): boolean {
  return JSON.stringify(withoutUse(a)) === JSON.stringify(withoutUse(b))
}

function withoutUse(hardware: HostHardware): HostHardware {
  const { storage, numa_nodes, accelerators, slot_checks: _, delivery: __, ...rest } = knownHardware(hardware)
  return {
    ...rest,
    storage: { ...storage, free_bytes: 0 },
    numa_nodes: numa_nodes.map((node) => ({ ...node, free_2mib_pages: 0, free_1gib_pages: 0 })),
    accelerators: accelerators.map((model) => ({
      ...model,
      devices: model.devices.map((device) => ({ ...device, driver: null, pcie_generation: null, pcie_lanes: null })),
    })),
  }
}

type SchemaShape = { readonly properties?: Readonly<Record<string, TSchema>>; readonly items?: TSchema }

/** The members of a value that a schema knows, in its order. */
export function knownMembers(schema: TSchema, value: unknown): unknown {
  const { properties, items } = schema as SchemaShape
  if (items && Array.isArray(value)) return value.map((one) => knownMembers(items, one))
  if (!properties || typeof value !== 'object' || value === null) return value
  const members = value as Readonly<Record<string, unknown>>
  const present = Object.entries(properties).filter(([name]) => members[name] !== undefined)
  return Object.fromEntries(present.map(([name, member]) => [name, knownMembers(member, members[name])]))
}
