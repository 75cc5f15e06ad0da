/**
 * Which devices of a host each slot gets. The server shows them on instances and puts them into the desired state, and
 * `bourse agent check` prints them: all by this function, so that they agree.
 */
import type { HostHardware } from './hardware.ts'
import type { HostFacts } from './hosts.ts'
import { hasAllBehindSwitches, lostSwitches } from './nvswitches.ts'

/** The part of the facts that decides. Without `hardware` the host has no accelerators and no RDMA. */
export type FitFacts = Pick<HostFacts, 'cpu_count' | 'memory_bytes' | 'storage_bytes' | 'hardware'>

/** What a SKU promises for each node. Null: nothing. */
export type SkuNeeds = {
  readonly vcpus: number | null
  readonly memory_bytes: number | null
  readonly storage_bytes: number | null
  readonly accelerators: { readonly count: number; readonly kind: string | null; readonly form: string | null } | null
  readonly rdma: { readonly type: string; readonly gigabits_per_second: number | null } | null
  /** Hosts need not have the hardware. */
  readonly is_simulated: boolean
}

/** The devices of one slot, and the NUMA nodes of its accelerators. */
export type SlotHardware = {
  readonly accelerators: { readonly kind: string; readonly pci: string }[]
  readonly numa: number[]
  /** The IOMMU groups of its accelerators: a machine holds them whole, also where a device of one is lost. */
  readonly groups?: number[]
  /** The PCI addresses of its InfiniBand adapters or their virtual functions. Absent: it has none of its own. */
  readonly rdma?: string[]
  /** The PCI addresses of the NVSwitches between its accelerators. Absent: none. */
  readonly nvswitches?: string[]
}

type Model = HostHardware['accelerators'][number]
type Device = Model['devices'][number] & { readonly kind: string }
type WantedAccelerators = NonNullable<SkuNeeds['accelerators']>
type WantedRdma = NonNullable<SkuNeeds['rdma']>

/** What slots are made of: the devices of one IOMMU group, or of one NUMA node. */
type DevicePart = { readonly node: number; readonly devices: readonly Device[] }

/** A function of an RDMA adapter that a machine can be given. */
type RdmaFunction = { readonly pci: string; readonly adapter: string; readonly numa_node: number | null }

/** The states above which the search for the best division takes long. No known machine comes near. */
const statesMax = 50_000

/**
 * What each slot gets, for as many slots as there are devices. An IOMMU group goes to one slot whole. A slot has all of
 * its accelerators on one NUMA node, or has NUMA nodes that no other slot uses: what crosses nodes within a machine is
 * then its own. The RDMA functions of a slot are near to its accelerators. A slot with all accelerators behind the
 * NVSwitches of a host gets these too: its machine sets them up, so no other machine may depend on them.
 */
export function assignSlots(facts: FitFacts, needs: SkuNeeds, slots: number): SlotHardware[] {
  return assignBeside([], { facts, needs, slots })
}

/**
 * What each slot gets after a change of the facts. `taken`: the slots with a machine, and what they have. They keep all
 * of it while any of it exists, because their machines hold it; the other slots get the rest. Null: nothing is left.
 */
export function redivideSlots(
  { facts, needs, slots }: Division,
  taken: ReadonlyMap<number, SlotHardware>,
): (SlotHardware | null)[] {
  const present = new Set(addressesOf(facts))
  const kept = new Map([...taken].filter(([, slot]) => devicesOf(slot).some((pci) => present.has(pci))))
  const more = needs.is_simulated ? [] : assignBeside([...kept.values()], { facts, needs, slots })
  const length = kept.size + more.length === 0 ? 0 : slots
  return Array.from({ length }, (_, slot) => kept.get(slot) ?? more.shift() ?? null)
}

/** Whether a slot has a device that is gone, or that no machine can be given any more. */
export function hasLostDevice({ hardware }: FitFacts, slot: SlotHardware): boolean {
  const { accelerators = [], rdma = [], nvswitches = [] } = hardware ?? {}
  const devices = [...accelerators.flatMap((model) => model.devices), ...nvswitches]
  const grouped = devices.filter(({ iommu_group }) => iommu_group !== null).map(({ pci }) => pci)
  const usable = new Set([...grouped, ...rdma.flatMap(({ functions = [] }) => functions)])
  return devicesOf(slot).some((pci) => !usable.has(pci))
}

/** What is divided. */
type Division = { readonly facts: FitFacts; readonly needs: SkuNeeds; readonly slots: number }

function assignBeside(kept: readonly SlotHardware[], { facts, needs, slots }: Division): SlotHardware[] {
  const open = slots - kept.length
  const divided = needs.accelerators
    ? divideAccelerators(facts, needs.accelerators, kept)
        .slice(0, open)
        .map((slot) => withSwitches(facts, slot))
    : undefined
  if (!needs.rdma) return divided ?? []
  const functions = rdmaFunctions(facts, needs.rdma)
  if (functions === undefined || functions.length === 0) return divided ?? []
  return shareFunctions(divided ?? Array.from({ length: open }, () => ({ accelerators: [], numa: [] })), {
    functions,
    slots,
    kept,
  })
}

function devicesOf({ accelerators, rdma = [], nvswitches = [] }: SlotHardware): string[] {
  return [...accelerators.map(({ pci }) => pci), ...rdma, ...nvswitches]
}

/** All that machines could have. */
function addressesOf({ hardware }: FitFacts): string[] {
  const { accelerators = [], rdma = [], nvswitches = [] } = hardware ?? {}
  const devices = [...accelerators.flatMap((model) => model.devices), ...nvswitches]
  return [...devices.map(({ pci }) => pci), ...rdma.flatMap(({ functions = [] }) => functions)]
}

function divideAccelerators(
  facts: FitFacts,
  wanted: WantedAccelerators,
  kept: readonly SlotHardware[],
): SlotHardware[] {
  const usable = beside(kept, facts, usableAccelerators(facts, wanted))
  const groups = [...Map.groupBy(usable, ({ iommu_group }) => iommu_group).values()]
  const parts = groups.map((devices): DevicePart => ({ node: devices[0]?.numa_node ?? -1, devices }))
  const nodes = [...Map.groupBy(parts, ({ node }) => node)]
    .sort(([a], [b]) => a - b)
    .map(([node, own]) => ({ own, whole: { node, devices: own.flatMap(({ devices }) => devices) } }))
  const isSmall = ({ whole }: (typeof nodes)[number]) => whole.devices.length < wanted.count
  const within = nodes.filter((node) => !isSmall(node)).flatMap(({ own }) => coverings(own, wanted.count))
  // A slot that crosses nodes has them for itself.
  const used = new Set(kept.flatMap(({ numa }) => numa))
  const across = coverings(
    nodes.filter((node) => isSmall(node) && !used.has(node.whole.node)).map(({ whole }) => whole),
    wanted.count,
  )
  return [...within, ...across].map((some) => slotOf(some.flatMap(({ devices }) => devices).slice(0, wanted.count)))
}

/** The accelerators that no kept slot has, shares an IOMMU group with, or has the NUMA nodes of for itself. */
function beside(kept: readonly SlotHardware[], { hardware }: FitFacts, usable: readonly Device[]): Device[] {
  const own = new Set(kept.flatMap(devicesOf))
  const all = [...(hardware?.accelerators ?? []).flatMap((model) => model.devices), ...(hardware?.nvswitches ?? [])]
  const present = all.filter(({ pci }) => own.has(pci)).map(({ iommu_group }) => iommu_group)
  const groups = new Set([...present, ...kept.flatMap((slot) => slot.groups ?? [])])
  const closed = new Set(kept.filter(({ numa }) => numa.length > 1).flatMap(({ numa }) => numa))
  return usable.filter(({ pci, iommu_group, numa_node }) => {
    return !own.has(pci) && !groups.has(iommu_group) && !(numa_node !== null && closed.has(numa_node))
  })
}

function slotOf(devices: readonly Device[]): SlotHardware {
  const numa = [...new Set(devices.flatMap(({ numa_node }) => numa_node ?? []))].sort((a, b) => a - b)
  const groups = [...new Set(devices.flatMap(({ iommu_group }) => iommu_group ?? []))].sort((a, b) => a - b)
  return { accelerators: devices.map(({ kind, pci }) => ({ kind, pci })), numa, groups }
}

function withSwitches(facts: FitFacts, slot: SlotHardware): SlotHardware {
  const { nvswitches = [] } = facts.hardware ?? {}
  const isWhole = hasAllBehindSwitches(facts, slot) && lostSwitches(facts).length === 0
  return isWhole ? { ...slot, nvswitches: nvswitches.map(({ pci }) => pci) } : slot
}

/** The accelerators that can be given to machines. */
export function usableAccelerators({ hardware }: FitFacts, wanted: WantedAccelerators): Device[] {
  return hardware ? matchingAccelerators(hardware, wanted).filter(({ iommu_group }) => iommu_group !== null) : []
}

/** The accelerators of the kind and form of a SKU. */
export function matchingAccelerators({ accelerators: models }: HostHardware, wanted: WantedAccelerators): Device[] {
  return models
    .filter((model) => matchesModel(model, wanted))
    .flatMap((model) => model.devices.map((device) => ({ ...device, kind: model.kind ?? '' })))
}

/**
 * Whether a model is of the kind and form of a SKU. A SKU may name the memory too, as in `a100-80gb`, and the form
 * without its generation: sxm stands for sxm5.
 */
export function matchesModel(model: Model, { kind, form }: WantedAccelerators): boolean {
  if (model.kind === null) return false
  const gigabytes = model.memory_bytes === null ? null : Math.round(model.memory_bytes / 2 ** 30)
  const names = [model.kind, `${model.kind}-${gigabytes}gb`]
  if (kind !== null && !names.includes(kind.toLowerCase())) return false
  if (form === null) return true
  return (
    model.form_factor !== null &&
    [model.form_factor, model.form_factor.replace(/\d+$/, '')].includes(form.toLowerCase())
  )
}

/**
 * Divides parts into as many collections as possible that have enough devices each. A part with enough is one of its
 * own. The best division of the others is searched: of all ways to have used some parts of each size, the one with the
 * most collections wins, then the one with the fullest open collection.
 */
function coverings(parts: readonly DevicePart[], need: number): DevicePart[][] {
  const large = parts.filter(({ devices }) => devices.length >= need).map((part) => [part])
  const small = parts.filter(({ devices }) => devices.length < need)
  const bySize = [...Map.groupBy(small, ({ devices }) => devices.length)].sort(([a], [b]) => b - a)
  const order = searchOrder(
    bySize.map(([size, list]) => ({ size, count: list.length })),
    need,
  )
  const left = bySize.map(([, list]) => [...list])
  const covered: DevicePart[][] = []
  let open: DevicePart[] = []
  for (const index of order) {
    open.push(left[index]?.shift() as DevicePart)
    if (open.reduce((sum, { devices }) => sum + devices.length, 0) < need) continue
    covered.push(open)
    open = []
  }
  const place = (some: readonly DevicePart[]) => Math.min(...some.map((part) => parts.indexOf(part)))
  return [...large, ...covered].sort((a, b) => place(a) - place(b))
}

/** The order in which to take parts of each size, as indexes of `sizes`. Exact up to {@link statesMax} states. */
function searchOrder(sizes: readonly { size: number; count: number }[], need: number): number[] {
  const largestFirst = sizes.flatMap(({ count }, index) => Array<number>(count).fill(index))
  const states = sizes.reduce((product, { count }) => product * (count + 1), 1)
  if (sizes.length < 2 || states > statesMax) return largestFirst
  type State = { readonly covered: number; readonly fill: number; readonly last: number }
  const steps = sizes.map((_, index) => sizes.slice(0, index).reduce((product, { count }) => product * (count + 1), 1))
  const usedOf = (state: number, index: number) =>
    Math.floor(state / (steps[index] as number)) % ((sizes[index]?.count as number) + 1)
  const best: (State | undefined)[] = [{ covered: 0, fill: 0, last: -1 }]
  for (let state = 0; state < states; state++) {
    const { covered, fill } = best[state] as State
    for (const [index, { size, count }] of sizes.entries()) {
      if (usedOf(state, index) === count) continue
      const isCovered = fill + size >= need
      const next = { covered: covered + (isCovered ? 1 : 0), fill: isCovered ? 0 : fill + size, last: index }
      const at = state + (steps[index] as number)
      const known = best[at]
      const isBetter =
        !known || next.covered > known.covered || (next.covered === known.covered && next.fill > known.fill)
      if (isBetter) best[at] = next
    }
  }
  const order: number[] = []
  for (let state = states - 1; state > 0; state -= steps[order[0] as number] as number) {
    order.unshift((best[state] as State).last)
  }
  return order
}

/** The ports of the kind and rate of a SKU. */
export function matchingPorts({ hardware }: FitFacts, { type, gigabits_per_second }: WantedRdma) {
  const layer = type === 'infiniband' ? 'infiniband' : 'ethernet'
  const ports = (hardware?.rdma ?? []).filter(({ link_layer }) => link_layer === layer)
  return { ports, fast: ports.filter((port) => port.gigabits_per_second >= (gigabits_per_second ?? 0)) }
}

/**
 * The functions of InfiniBand adapters that machines can be given; undefined if that is not known or not asked for:
 * an agent of an older version reports ports only, and RoCE shares its adapter with the network of the host.
 */
export function rdmaFunctions(facts: FitFacts, wanted: WantedRdma): RdmaFunction[] | undefined {
  const { ports, fast } = matchingPorts(facts, wanted)
  if (wanted.type !== 'infiniband' || ports.every(({ functions }) => functions === undefined)) return undefined
  const all = fast.flatMap(({ device, numa_node, functions = [] }) =>
    functions.map((pci) => ({ pci, adapter: device, numa_node })),
  )
  // The two ports of one adapter have the same functions.
  return [...new Map(all.map((one) => [one.pci, one])).values()]
}

/** Gives each slot its part of the adapters, at least one function: of different adapters, then near, then unused. */
function shareFunctions(
  divided: readonly SlotHardware[],
  {
    functions,
    slots,
    kept,
  }: {
    readonly functions: readonly RdmaFunction[]
    readonly slots: number
    readonly kept: readonly SlotHardware[]
  },
): SlotHardware[] {
  const adapters = new Set(functions.map(({ adapter }) => adapter)).size
  const each = Math.max(1, Math.floor(adapters / slots))
  const taken = new Set(kept.flatMap(({ rdma = [] }) => rdma))
  const left = functions.filter(({ pci }) => !taken.has(pci))
  const uses = new Map<string, number>()
  for (const { pci, adapter } of functions) if (taken.has(pci)) uses.set(adapter, (uses.get(adapter) ?? 0) + 1)
  const assigned: SlotHardware[] = []
  for (const slot of divided) {
    const own: RdmaFunction[] = []
    const distance = ({ adapter, numa_node }: RdmaFunction) =>
      (own.some((one) => one.adapter === adapter) ? 2 ** 20 : 0) +
      (numa_node !== null && slot.numa.includes(numa_node) ? 0 : 2 ** 10) +
      (uses.get(adapter) ?? 0)
    while (own.length < each && left.length > 0) {
      const nearest = left.reduce((best, one) => (distance(one) < distance(best) ? one : best))
      left.splice(left.indexOf(nearest), 1)
      uses.set(nearest.adapter, (uses.get(nearest.adapter) ?? 0) + 1)
      own.push(nearest)
    }
    if (own.length === 0) break
    assigned.push({ ...slot, rdma: own.map(({ pci }) => pci).sort() })
  }
  return assigned
}
