// PCI functions of a host, as far as giving them to machines depends on them.

/** A PCI function. */
export type PciFunction = {
  readonly pci: string
  /** As `0x030200`. Undefined: it cannot be read. */
  readonly class: string | undefined
  /** Null: no driver. */
  readonly driver: string | null
  /** Empty: the IOMMU is off. More than one: sysfs contradicts itself. */
  readonly groups: readonly number[]
}

/** The driver that gives functions to machines. */
export const vfioDriver = 'vfio-pci'

const pciPattern = /^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$/

/** Whether a text is the address of a function. It becomes a part of paths. */
export function isPciAddress(text: string): boolean {
  return pciPattern.test(text)
}

/** Bridges between buses, and the host bridge. The kernel lets them stay where they are. */
function isBridge({ class: text }: Pick<PciFunction, 'class'>): boolean {
  return /^0x060[04]/.test(text ?? '')
}

/** Other bridges, as NVSwitches are. Machines may have them, beside what they are promised. */
export function isOtherBridge({ class: text }: Pick<PciFunction, 'class'>): boolean {
  return /^0x0680/.test(text ?? '')
}

/** Whether two functions are parts of one device, as a GPU and its audio output are. */
export function isSameDevice(a: string, b: string): boolean {
  return a.slice(0, a.indexOf('.')) === b.slice(0, b.indexOf('.'))
}

/**
 * Whether the host works with a function, so that taking it away could end the host: a disk or a network card with a
 * driver of its own.
 */
function isOfHost({ class: text, driver }: Pick<PciFunction, 'class' | 'driver'>): boolean {
  return /^0x0[12]/.test(text ?? '') && driver !== null && driver !== vfioDriver
}

/** The functions of an IOMMU group that are no bridges. */
export function membersOf(group: number, functions: readonly PciFunction[]): PciFunction[] {
  return functions.filter((one) => one.groups.includes(group) && !isBridge(one))
}

/** Why a function cannot be given to a machine because of its group; undefined if it can. */
export function groupProblem(one: PciFunction, functions: readonly PciFunction[]): string | undefined {
  const [group, ...more] = one.groups
  if (group === undefined) return `${one.pci} has no IOMMU group: the IOMMU is off`
  if (more.length > 0) return `${one.pci} is in the IOMMU groups ${one.groups.join(' and ')}`
  const others = membersOf(group, functions).filter(({ pci }) => pci !== one.pci)
  const contradicting = others.find(({ groups }) => groups.length > 1)
  if (contradicting) return `${contradicting.pci} is in the IOMMU groups ${contradicting.groups.join(' and ')}`
  const needed = others.find(isOfHost)
  if (!needed) return undefined
  return `${one.pci} shares its IOMMU group with ${needed.pci}, which this host uses (driver ${needed.driver})`
}
