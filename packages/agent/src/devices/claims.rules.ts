// Which functions a machine takes, and what goes with them. A function has one machine, and so has its IOMMU group.

import { groupProblem, isOtherBridge, isSameDevice, membersOf, type PciFunction } from './functions.rules.ts'

/** The functions that a machine has. */
export type Claim = {
  readonly id: string
  readonly slot: number
  /** What QEMU is given. */
  readonly passed: readonly string[]
  /** What is in the same IOMMU groups, and nobody may use meanwhile. */
  readonly held: readonly string[]
  readonly groups: readonly number[]
  /** What the passed functions were, as `10de:2330`: addresses may change with the start of a host. */
  readonly ids?: readonly string[]
}

/** A function that no machine may get, and why. */
export type Blocked = {
  readonly pci: string
  readonly reason: string
  /** What it was, as `10de:2330`. */
  readonly id?: string | undefined
  /** A probe machine has found it, so that a reset alone does not clear it. */
  readonly by_check?: boolean
}

/** What a machine must have. */
type ClaimParams = {
  readonly id: string
  readonly slot: number
  readonly devices: readonly string[]
}

/** Why a machine does not get its devices. */
type ClaimRefusal = { readonly reason: string; readonly message: string }

/** What a host has, and who has it. */
type HostState = {
  readonly functions: readonly PciFunction[]
  readonly claims: readonly Claim[]
  readonly blocked: readonly Blocked[]
}

/** The claim of a machine on its devices, with whole IOMMU groups; or why it cannot have them. */
export function planClaim({ id, slot, devices }: ClaimParams, host: HostState): Claim | ClaimRefusal {
  const { functions, claims, blocked } = host
  const passed: string[] = []
  const groups = new Set<number>()
  for (const pci of devices) {
    const one = functions.find((known) => known.pci === pci)
    if (!one) return { reason: 'device_missing', message: `${pci} is not on this host.` }
    const problem = groupProblem(one, functions)
    if (problem !== undefined) return { reason: 'device_not_isolated', message: `${problem}.` }
    passed.push(pci)
    groups.add(one.groups[0] as number)
  }
  const members = [...groups].flatMap((group) => membersOf(group, functions)).map(({ pci }) => pci)
  const beside = members.filter((pci) => !passed.includes(pci))
  // A GPU works only with its other functions. What else shares its group stays unused.
  const parts = beside.filter((pci) => passed.some((own) => isSameDevice(own, pci)))
  const held = beside.filter((pci) => !parts.includes(pci))
  const unusable = blocked.find(({ pci }) => members.includes(pci))
  if (unusable) return { reason: 'device_not_reset', message: `${unusable.pci}: ${unusable.reason}.` }
  const other = claims.find((claim) => claim.id !== id && claim.groups.some((group) => groups.has(group)))
  if (other) {
    const message = `The machine of slot ${other.slot} has ${other.passed.join(', ')}, in the same IOMMU group.`
    return { reason: 'device_in_use', message }
  }
  return { id, slot, passed: [...passed, ...parts], held, groups: [...groups].sort((a, b) => a - b) }
}

/**
 * Why a machine cannot start with the devices that the server names; undefined if they are as many as were sold.
 * Switches between accelerators are none that was sold.
 */
export function refuseCount(
  size: {
    readonly accelerators?: number | undefined
    readonly rdma?: boolean | undefined
    readonly devices?: readonly string[] | undefined
  },
  functions: readonly PciFunction[] = [],
): ClaimRefusal | undefined {
  const { accelerators = 0, rdma = false } = size
  const bridges = new Set(functions.filter(isOtherBridge).map(({ pci }) => pci))
  const devices = (size.devices ?? []).filter((pci) => !bridges.has(pci))
  const least = accelerators + (rdma ? 1 : 0)
  if (devices.length >= least) return undefined
  const wanted = [
    ...(accelerators > 0 ? [`${accelerators} accelerators`] : []),
    ...(rdma ? ['an InfiniBand adapter of its own'] : []),
  ]
  const message = `It must have ${wanted.join(' and ')}, and its slot has ${devices.length} devices.`
  return { reason: 'accelerators_not_delivered', message }
}

/** Whether the planning of a claim has failed. */
export function isRefused(planned: Claim | ClaimRefusal): planned is ClaimRefusal {
  return 'reason' in planned
}
