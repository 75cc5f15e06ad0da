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
export const machineText = (limits: { min?: number; max: number }) =>
  text({ ...limits, pattern: '^[ -~]*$', form: 'one line of printable ASCII characters' })

const count = (max: number, description?: string) =>
  integer({ min: 0, max, ...(description === undefined ? {} : { description }) })
const bytes = (description?: string) =>
  integer({ unit: 'bytes', min: 0, ...(description === undefined ? {} : { description }) })
const numaNode = () => nullable(integer({ min: 0, max: 1023, description: 'Null: the machine does not say.' }))
/** The PCI address of a function. */
export const pciAddress = () =>
  text({
    max: 16,
    pattern: '^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]$',
    form: 'a PCI address such as 0000:1b:00.0',
    examples: ['0000:1b:00.0'],
  })
const pciIds = () =>
  text({
    max: 9,
    pattern: '^[0-9a-f]{4}:[0-9a-f]{4}$',
    form: 'two ids of four hexadecimal digits',
    examples: ['10de:2330'],
  })
const pagesSetAside = () =>
  optional(count(2 ** 31, 'Set aside, used or free. Absent: none, or the agent is of an older version.'))
const pcie = (max: number) => nullable(integer({ min: 1, max }))

/** The processors of a host. */
export const hostProcessors = openResource('HostProcessors', {
  model: machineText({ max: 96 }),
  sockets: count(64),
  cores: count(65_536),
  threads: count(65_536),
  features: array(machineText({ max: 16 }), { max: 8, description: 'Of `vmx`, `svm`, `avx2`, `avx512f`, `amx_tile`.' }),
})

/** A NUMA node of a host. */
export const hostNumaNode = openResource('HostNumaNode', {
  node: count(1023),
  threads: count(65_536),
  memory_bytes: bytes(),
  free_2mib_pages: count(2 ** 31),
  free_1gib_pages: count(2 ** 31),
  total_2mib_pages: pagesSetAside(),
  total_1gib_pages: pagesSetAside(),
})

/** The file system that stores the machines of a host. */
export const hostStorage = openResource('HostStorage', {
  size_bytes: bytes(),
  free_bytes: bytes(),
  is_rotational: nullable(boolean({ description: 'Null: the machine does not say.' })),
  is_read_only: boolean(),
})

/** One accelerator of a host. */
export const hostAcceleratorDevice = openResource('HostAcceleratorDevice', {
  pci: pciAddress(),
  numa_node: numaNode(),
  iommu_group: nullable(integer({ min: 0, max: 65_535, description: 'Null: no machine can get this device.' })),
  driver: nullable(machineText({ max: 32 })),
  pcie_generation: pcie(16),
  pcie_lanes: pcie(64),
})

/** The accelerators of one model in a host. */
export const hostAcceleratorModel = openResource('HostAcceleratorModel', {
  kind: nullable(text({ max: 32, description: 'Null: the agent does not know this model.' })),
  name: machineText({ max: 64 }),
  form_factor: nullable(text({ max: 16 })),
  memory_bytes: nullable(bytes()),
  pci_id: pciIds(),
  subsystem_id: nullable(pciIds()),
  bar_bytes: bytes('Of all memory regions of one device.'),
  pcie_generation_max: pcie(16),
  pcie_lanes_max: pcie(64),
  devices: array(hostAcceleratorDevice, { min: 1, max: hardwareBounds.devices }),
})

/** A switch between the accelerators of an NVIDIA HGX board. */
export const hostNvSwitch = openResource('HostNvSwitch', {
  pci: pciAddress(),
  numa_node: numaNode(),
  iommu_group: nullable(integer({ min: 0, max: 65_535, description: 'Null: no machine can get this switch.' })),
})

/** A port of an RDMA adapter. */
export const hostRdmaPort = openResource('HostRdmaPort', {
  device: machineText({ max: 32 }),
  port: integer({ min: 1, max: 255 }),
  link_layer: openOneOf(['infiniband', 'ethernet']),
  state: machineText({ max: 16 }),
  gigabits_per_second: count(100_000),
  numa_node: numaNode(),
  guid: nullable(machineText({ max: 19 })),
  subnet_prefix: nullable(machineText({ max: 19 })),
  functions: optional(
    array(pciAddress(), {
      max: hardwareBounds.functions,
      description: 'What machines can be given: the adapter itself, or its virtual functions. Absent: not known.',
    }),
  ),
})

/** The last check of a slot by a probe machine. */
export const hostSlotCheck = openResource('HostSlotCheck', {
  slot: integer({ min: 0, max: 63 }),
  checked_at: timestamp(),
  is_good: boolean({ description: 'Whether a machine found all devices of the slot, and no others.' }),
})

/** What stands between the hardware of a host and its machines, besides the hardware. */
export const hostDelivery = openResource('HostDelivery', {
  is_root: boolean({ description: 'Whether the agent runs as root, which it needs to give devices to machines.' }),
  is_vfio_loaded: boolean({ description: 'Whether the kernel has `vfio-pci`, through which machines get devices.' }),
  has_uefi: boolean({ description: 'Whether the firmware for machines that start by UEFI is installed.' }),
})

/** The hardware of a host, as its agent read it from the machine. */
export const hostHardware = openResource('HostHardware', {
  processors: hostProcessors,
  memory_bytes: bytes(),
  numa_nodes: array(hostNumaNode, { max: hardwareBounds.numa_nodes }),
  storage: hostStorage,
  accelerators: array(hostAcceleratorModel, { max: hardwareBounds.models }),
  rdma: array(hostRdmaPort, { max: hardwareBounds.ports }),
  nvswitches: optional(
    array(hostNvSwitch, {
      max: hardwareBounds.nvswitches,
      description: 'A machine with all accelerators behind them gets them too. Absent: none, or an older agent.',
    }),
  ),
  is_iommu_on: boolean({ description: 'Without an IOMMU no device can be given to a machine.' }),
  is_secure_boot_on: nullable(boolean({ description: 'Null: the machine does not say.' })),
  is_kvm_usable: nullable(boolean({ description: 'Null: the agent has not tried.' })),
  delivery: optional(hostDelivery),
  kernel: machineText({ max: 64 }),
  qemu: nullable(machineText({ max: 32 })),
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

type Shape = { readonly properties?: Readonly<Record<string, TSchema>>; readonly items?: TSchema }

/** The members of a value that a schema knows, in its order. */
export function knownMembers(schema: TSchema, value: unknown): unknown {
  const { properties, items } = schema as Shape
  if (items && Array.isArray(value)) return value.map((one) => knownMembers(items, one))
  if (!properties || typeof value !== 'object' || value === null) return value
  const members = value as Readonly<Record<string, unknown>>
  const present = Object.entries(properties).filter(([name]) => members[name] !== undefined)
  return Object.fromEntries(present.map(([name, member]) => [name, knownMembers(member, members[name])]))
}
