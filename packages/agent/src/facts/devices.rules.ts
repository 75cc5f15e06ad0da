// Accelerators and RDMA ports, from the texts of the kernel.

import type { HostAcceleratorModel, HostRdmaPort } from '@bourse/api/fleet/hardware.ts'
import type { AcceleratorTable } from './accelerator-models.ts'
import { parseCount, plain } from './processors.rules.ts'

/** The files of one PCI device. Undefined: the file is missing or cannot be read. */
export type PciTexts = {
  readonly address: string
  readonly class: string | undefined
  readonly vendor: string | undefined
  readonly device: string | undefined
  readonly subsystem_vendor: string | undefined
  readonly subsystem_device: string | undefined
  readonly numa_node: string | undefined
  readonly resource: string | undefined
  readonly driver: string | undefined
  readonly current_link_speed: string | undefined
  readonly current_link_width: string | undefined
  readonly max_link_speed: string | undefined
  readonly max_link_width: string | undefined
}

/** Why devices cannot be given to machines. */
type UnusableDevices = {
  /** By address: these are left out, because nothing about them can be relied on. */
  readonly lost: ReadonlyMap<string, string>
  /** By address: these are shown without a group, because something else is in it. */
  readonly shared: ReadonlyMap<string, string>
}

/** Display controllers and processing accelerators. */
const classes = /^0x(?:03|12)[0-9a-f]{4}$/
const memoryRegion = 0x200
/** The transfer rate of a lane by generation of PCI Express, from the first on. */
const gigatransfers = [2.5, 5, 8, 16, 32, 64, 128]

/** Whether a device is an accelerator: by its class, or because the operator names it as one. */
export function isAccelerator(
  { class: text, vendor, device }: Pick<PciTexts, 'class' | 'vendor' | 'device'>,
  table: AcceleratorTable,
): boolean {
  return classes.test(text ?? '') || table.has(idsOf(vendor, device) ?? '')
}

/**
 * Groups accelerators by model. `groups` are the IOMMU groups by PCI address. A device in several of them is given
 * none, because what would come along with it is not known.
 */
export function describeAccelerators(
  devices: readonly PciTexts[],
  groups: ReadonlyMap<string, readonly number[]>,
  table: AcceleratorTable,
  { lost, shared }: UnusableDevices = { lost: new Map(), shared: new Map() },
): { readonly models: HostAcceleratorModel[]; readonly problems: string[] } {
  const problems: string[] = []
  const models = new Map<string, HostAcceleratorModel>()
  for (const device of devices) {
    const pci_id = idsOf(device.vendor, device.device)
    if (pci_id === undefined) {
      problems.push(`${device.address} has no readable vendor and device, so it is left out`)
      continue
    }
    const reason = lost.get(device.address)
    if (reason !== undefined) {
      problems.push(`${device.address} is left out: ${reason}`)
      continue
    }
    const own = groups.get(device.address) ?? []
    const beside = own.length === 1 ? shared.get(device.address) : undefined
    if (beside !== undefined) problems.push(beside)
    if (own.length > 1) problems.push(`${device.address} is in the IOMMU groups ${own.join(' and ')}`)
    const model = modelOf(device, pci_id, table)
    const key = JSON.stringify(model)
    const known = models.get(key) ?? { ...model, devices: [] }
    known.devices.push({
      pci: device.address,
      numa_node: parseCount(device.numa_node) ?? null,
      iommu_group: own.length === 1 && beside === undefined ? (own[0] as number) : null,
      driver: device.driver === undefined ? null : plain(device.driver, 32),
      pcie_generation: generationOf(device.current_link_speed),
      pcie_lanes: lanesOf(device.current_link_width),
    })
    models.set(key, known)
  }
  return { models: [...models.values()], problems }
}

function modelOf(device: PciTexts, pci_id: string, table: AcceleratorTable): Omit<HostAcceleratorModel, 'devices'> {
  const known = table.get(pci_id)
  return {
    kind: known?.kind ?? null,
    name: known?.name ?? `unknown, PCI id ${pci_id}`,
    form_factor: known?.form_factor ?? null,
    memory_bytes: known?.memory_bytes ?? null,
    pci_id,
    subsystem_id: idsOf(device.subsystem_vendor, device.subsystem_device) ?? null,
    bar_bytes: barBytes(device.resource),
    pcie_generation_max: generationOf(device.max_link_speed),
    pcie_lanes_max: lanesOf(device.max_link_width),
  }
}

function idsOf(vendor: string | undefined, device: string | undefined): string | undefined {
  const ids = [vendor, device].map((text) => /^0x([0-9a-f]{4})$/.exec(text ?? '')?.[1])
  return ids.includes(undefined) ? undefined : ids.join(':')
}

/** The bytes of the memory regions of a device: first and last address and flags, one region a line. */
export function barBytes(resource: string | undefined): number {
  const sizes = (resource ?? '')
    .split('\n')
    .slice(0, 6)
    .map((line) => {
      const words = line.trim().split(/\s+/)
      if (words.length !== 3 || !words.every((word) => /^0x[0-9a-f]{1,16}$/.test(word))) return 0
      const [first, last, flags] = words.map((word) => BigInt(word)) as [bigint, bigint, bigint]
      return (Number(flags) & memoryRegion) !== 0 && last > first ? Number(last - first) + 1 : 0
    })
  return Math.min(
    sizes.reduce((sum, size) => sum + size, 0),
    Number.MAX_SAFE_INTEGER,
  )
}

function generationOf(speed: string | undefined): number | null {
  const generation = gigatransfers.indexOf(Number.parseFloat(speed ?? '')) + 1
  return generation === 0 ? null : generation
}

function lanesOf(width: string | undefined): number | null {
  const lanes = parseCount(width)
  return lanes === undefined || lanes < 1 || lanes > 64 ? null : lanes
}

/** The files of a port of an RDMA adapter. */
type RdmaTexts = {
  readonly device: string
  readonly port: string
  readonly link_layer: string | undefined
  readonly state: string | undefined
  readonly rate: string | undefined
  readonly first_gid: string | undefined
  readonly node_guid: string | undefined
  readonly numa_node: string | undefined
}

const linkLayers: Readonly<Record<string, HostRdmaPort['link_layer']>> = {
  InfiniBand: 'infiniband',
  Ethernet: 'ethernet',
}

/** A port; undefined if its files do not say what it is. */
export function describePort(texts: RdmaTexts): HostRdmaPort | undefined {
  const port = parseCount(texts.port)
  const link_layer = linkLayers[texts.link_layer ?? '']
  if (port === undefined || port < 1 || port > 255 || link_layer === undefined) return undefined
  const [, state = 'unknown'] = /^\d+: ?([A-Z_]+)$/.exec(texts.state ?? '') ?? []
  const guid = /^(?:[0-9a-f]{4}:){3}[0-9a-f]{4}$/.test(texts.node_guid ?? '') ? (texts.node_guid as string) : null
  const [, prefix] = /^((?:[0-9a-f]{4}:){3}[0-9a-f]{4}):/.exec(texts.first_gid ?? '') ?? []
  return {
    device: plain(texts.device, 32),
    port,
    link_layer,
    state: state.slice(0, 16),
    gigabits_per_second: Math.min(Math.floor(Number.parseFloat(texts.rate ?? '') || 0), 100_000),
    numa_node: parseCount(texts.numa_node) ?? null,
    guid,
    subnet_prefix: link_layer === 'infiniband' ? (prefix ?? null) : null,
  }
}
