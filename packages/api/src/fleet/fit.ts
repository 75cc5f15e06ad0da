/**
 * Whether a host has what a SKU promises, for a number of slots. The agent asks before enrolment, the server at
 * enrolment and after each change of the hardware, and `bourse agent check` for people.
 */
import type { HostHardware } from './hardware.ts'
import type { HostFacts } from './hosts.ts'

/** Memory that the host keeps for itself. */
export const hostReserveBytes = 2 * 2 ** 30

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

/** The facts that are compared, in this order. */
export const fitSubjects = ['processors', 'memory', 'storage', 'iommu', 'accelerators', 'rdma'] as const

/** One fact of a host against a SKU. */
export type FitCheck = {
  readonly subject: (typeof fitSubjects)[number]
  readonly is_good: boolean
  readonly message: string
  /** The member of the facts. */
  readonly field: string
}

/** The accelerators of one slot, and the NUMA nodes that they are on. */
export type SlotHardware = {
  readonly accelerators: { readonly kind: string; readonly pci: string }[]
  readonly numa: number[]
}

/** The result of a comparison. */
export type Fit = {
  readonly fits: boolean
  /** What the SKU names, and what is there. */
  readonly checks: readonly FitCheck[]
  /** How many slots the host has the hardware for, up to the number that was asked for. */
  readonly fitting_slots: number
  /** What each of these slots gets. Empty if the SKU names no accelerators. */
  readonly slots: readonly SlotHardware[]
}

/** The members of a SKU that decide. */
export type SkuOfNeeds = {
  readonly [name in
    | 'num_accelerators'
    | 'num_vcpus'
    | 'memory_bytes'
    | 'local_storage_bytes'
    | 'rdma_gigabits_per_second']?: { readonly value: number } | undefined
} & {
  readonly [name in 'accelerator' | 'form_factor' | 'rdma_type']?: { readonly value: string } | undefined
} & { readonly simulated?: boolean | undefined }

/** What a SKU promises. An accelerator without a number is one, a number without an accelerator is of any kind. */
export function needsOf(sku: SkuOfNeeds): SkuNeeds {
  const count = sku.num_accelerators?.value ?? (sku.accelerator ? 1 : 0)
  const kind = sku.accelerator?.value ?? null
  const form = sku.form_factor?.value ?? null
  const type = sku.rdma_type?.value
  return {
    vcpus: sku.num_vcpus?.value ?? null,
    memory_bytes: sku.memory_bytes?.value ?? null,
    storage_bytes: sku.local_storage_bytes?.value ?? null,
    accelerators: count === 0 ? null : { count, kind, form },
    rdma: type === undefined ? null : { type, gigabits_per_second: sku.rdma_gigabits_per_second?.value ?? null },
    is_simulated: sku.simulated === true,
  }
}

/** Compares a host with a SKU. A simulated SKU takes every host. */
export function fitOf(facts: FitFacts, needs: SkuNeeds, slots: number): Fit {
  if (needs.is_simulated) return { fits: true, checks: [], fitting_slots: slots, slots: [] }
  const asked = { facts, needs, slots }
  const results = [processors(asked), memory(asked), storage(asked), iommu(asked), accelerators(asked), rdma(asked)]
  const named = results.flatMap((result) => result ?? [])
  const fitting_slots = named.reduce((least, { fitting }) => Math.min(least, fitting), slots)
  return {
    fits: named.every(({ check }) => check.is_good),
    checks: named.map(({ check }) => check),
    fitting_slots,
    slots: assignSlots(facts, needs, slots).slice(0, fitting_slots),
  }
}

/** The checks that failed. */
export function misfitsOf({ checks }: Fit): FitCheck[] {
  return checks.filter(({ is_good }) => !is_good)
}

type Asked = { readonly facts: FitFacts; readonly needs: SkuNeeds; readonly slots: number }
type Result = { readonly check: FitCheck; readonly fitting: number }

function processors({ facts, needs: { vcpus }, slots }: Asked): Result | undefined {
  if (vcpus === null) return undefined
  const fitting = Math.floor(facts.cpu_count / vcpus)
  const wants = `SKU asks for ${asks(`${vcpus} vCPUs`, slots, `${vcpus * slots}`)}`
  return result('processors', 'facts.cpu_count', `${wants}, host has ${facts.cpu_count}`, { fitting, slots })
}

function memory({ facts, needs: { memory_bytes }, slots }: Asked): Result | undefined {
  if (memory_bytes === null || memory_bytes === 0) return undefined
  const left = Math.max(0, facts.memory_bytes - hostReserveBytes)
  const wants = `SKU asks for ${asks(bytesText(memory_bytes), slots, bytesText(memory_bytes * slots))}`
  const has = `host has ${bytesText(left)} for machines, ${bytesText(facts.memory_bytes)} in all`
  return result('memory', 'facts.memory_bytes', `${wants}, ${has}`, { fitting: Math.floor(left / memory_bytes), slots })
}

function storage({ facts, needs: { storage_bytes }, slots }: Asked): Result | undefined {
  if (storage_bytes === null || storage_bytes === 0) return undefined
  const isReadOnly = facts.hardware?.storage.is_read_only === true
  const fitting = isReadOnly ? 0 : Math.floor(facts.storage_bytes / storage_bytes)
  const wants = `SKU asks for ${asks(bytesText(storage_bytes), slots, bytesText(storage_bytes * slots))}`
  const has = `host has ${bytesText(facts.storage_bytes)}${isReadOnly ? ', which cannot be written' : ''}`
  return result('storage', 'facts.storage_bytes', `${wants}, ${has}`, { fitting, slots })
}

function iommu({ facts: { hardware }, needs, slots }: Asked): Result | undefined {
  if (!needs.accelerators || !hardware) return undefined
  const message = hardware.is_iommu_on
    ? 'the IOMMU is on, so devices can be given to machines'
    : 'SKU asks for accelerators, the IOMMU of the host is off: turn it on in its firmware and its kernel'
  return result('iommu', 'facts.hardware.is_iommu_on', message, { fitting: hardware.is_iommu_on ? slots : 0, slots })
}

function accelerators(asked: Asked): Result | undefined {
  const { facts, needs, slots } = asked
  const wanted = needs.accelerators
  if (!wanted) return undefined
  const fitting = assignSlots(facts, needs, slots).length
  const all = usable(facts, needs, 1).length
  const name = [wanted.kind ?? 'accelerators', wanted.form].filter((word) => word !== null).join(' ')
  const wants = `SKU asks for ${asks(`${wanted.count} × ${name}`, slots, `${wanted.count * slots}`)}`
  const field = 'facts.hardware.accelerators'
  return result('accelerators', field, `${wants}, host has ${all}${whyFew(asked, { all, fitting })}`, {
    fitting,
    slots,
  })
}

/** What explains that a host with accelerators has too few. */
function whyFew({ facts, needs, slots }: Asked, { all, fitting }: { all: number; fitting: number }): string {
  const wanted = needs.accelerators
  if (!wanted || fitting >= slots) return ''
  if (!facts.hardware) return '; its agent reports no hardware, so update it'
  const ungrouped = matching(facts.hardware, wanted).filter(({ iommu_group }) => iommu_group === null).length
  if (ungrouped > 0) return `; ${ungrouped} more without an IOMMU group`
  const alone = usable(facts, needs, slots).length
  if (alone < all) return `; ${all - alone} share an IOMMU group, so they go to one machine only`
  if (all >= wanted.count * slots) return `, but NUMA nodes divide them: ${fitting} of ${slots} slots get theirs whole`
  const others = facts.hardware.accelerators.filter((model) => !matches(model, wanted))
  const named = others.map(({ kind, name, form_factor, devices }) => {
    return `${devices.length} × ${kind === null ? name : [kind, form_factor].filter(Boolean).join(' ')}`
  })
  return named.length === 0 ? '' : ` (and ${named.join(', ')})`
}

function rdma({ facts: { hardware }, needs, slots }: Asked): Result | undefined {
  if (!needs.rdma) return undefined
  const { type, gigabits_per_second } = needs.rdma
  const layer = type === 'infiniband' ? 'infiniband' : 'ethernet'
  const ports = (hardware?.rdma ?? []).filter(({ link_layer }) => link_layer === layer)
  const best = ports.reduce((most, port) => Math.max(most, port.gigabits_per_second), 0)
  const isGood = ports.length > 0 && best >= (gigabits_per_second ?? 0)
  const rate = gigabits_per_second === null ? '' : ` at ${gigabits_per_second} Gbit/s`
  const has = ports.length === 0 ? 'none' : `${ports.length} of it, the fastest at ${best} Gbit/s`
  const field = 'facts.hardware.rdma'
  return result('rdma', field, `SKU asks for ${type}${rate}, host has ${has}`, { fitting: isGood ? slots : 0, slots })
}

function result(
  subject: FitCheck['subject'],
  field: string,
  message: string,
  { fitting, slots }: { fitting: number; slots: number },
): Result {
  return { check: { subject, is_good: fitting >= slots, message, field }, fitting }
}

type Device = HostHardware['accelerators'][number]['devices'][number] & { readonly kind: string }
type Wanted = NonNullable<SkuNeeds['accelerators']>

/**
 * The accelerators of each slot, for as many slots as there are accelerators. A slot has all of its accelerators on one
 * NUMA node, or has NUMA nodes that no other slot uses: what crosses nodes within a machine is then its own.
 */
export function assignSlots(facts: FitFacts, needs: SkuNeeds, slots: number): SlotHardware[] {
  const wanted = needs.accelerators
  if (!wanted) return []
  const nodes = [...Map.groupBy(usable(facts, needs, slots), ({ numa_node }) => numa_node ?? -1)]
    .sort(([a], [b]) => a - b)
    .map(([node, devices]) => ({ node, devices }))
  const assigned: SlotHardware[] = []
  for (const { devices } of nodes) {
    for (let at = 0; at + wanted.count <= devices.length; at += wanted.count) {
      assigned.push(slotOf(devices.slice(at, at + wanted.count)))
    }
  }
  const small = nodes.filter(({ devices }) => devices.length < wanted.count)
  for (const group of coverings(small, wanted.count)) {
    assigned.push(slotOf(group.flatMap(({ devices }) => devices).slice(0, wanted.count)))
  }
  return assigned.slice(0, slots)
}

function slotOf(devices: readonly Device[]): SlotHardware {
  const numa = [...new Set(devices.flatMap(({ numa_node }) => numa_node ?? []))].sort((a, b) => a - b)
  return { accelerators: devices.map(({ kind, pci }) => ({ kind, pci })), numa }
}

/** The accelerators that can be given to machines. With several slots, those that share an IOMMU group cannot. */
function usable({ hardware }: FitFacts, { accelerators: wanted }: SkuNeeds, slots: number): Device[] {
  if (!hardware || !wanted) return []
  const devices = matching(hardware, wanted).filter(({ iommu_group }) => iommu_group !== null)
  if (slots === 1) return devices
  const groups = hardware.accelerators.flatMap((model) => model.devices.map(({ iommu_group }) => iommu_group))
  return devices.filter(({ iommu_group }) => groups.indexOf(iommu_group) === groups.lastIndexOf(iommu_group))
}

function matching({ accelerators: models }: HostHardware, wanted: Wanted): Device[] {
  return models
    .filter((model) => matches(model, wanted))
    .flatMap((model) => model.devices.map((device) => ({ ...device, kind: model.kind ?? '' })))
}

/**
 * Whether a model is of the kind and form of a SKU. A SKU may name the memory too, as in `a100-80gb`, and the form
 * without its generation: `sxm` stands for `sxm5`.
 */
function matches(model: HostHardware['accelerators'][number], { kind, form }: Wanted): boolean {
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

/** The number of NUMA nodes above which the search for coverings would take long. No known machine has so many. */
const searchedNodesMax = 12

/**
 * Divides nodes with fewer devices than a slot needs into as many groups as possible that have enough. Exact for up to
 * twelve nodes: the best state after some nodes is the one with the most groups, then the fullest open group.
 */
function coverings<N extends { readonly devices: readonly unknown[] }>(nodes: readonly N[], need: number): N[][] {
  const searched = nodes.toSorted((a, b) => b.devices.length - a.devices.length).slice(0, searchedNodesMax)
  type State = { readonly groups: N[][]; readonly open: N[]; readonly fill: number }
  const best: (State | undefined)[] = [{ groups: [], open: [], fill: 0 }]
  for (let set = 0; set < 2 ** searched.length; set++) {
    const state = best[set]
    if (!state) continue
    for (const [index, node] of searched.entries()) {
      if (set & (1 << index)) continue
      const fill = state.fill + node.devices.length
      const open = [...state.open, node]
      const next = fill >= need ? { groups: [...state.groups, open], open: [], fill: 0 } : { ...state, open, fill }
      const known = best[set | (1 << index)]
      const isBetter =
        !known ||
        next.groups.length > known.groups.length ||
        (next.groups.length === known.groups.length && next.fill > known.fill)
      if (isBetter) best[set | (1 << index)] = next
    }
  }
  return best[2 ** searched.length - 1]?.groups ?? []
}

function asks(each: string, slots: number, all: string): string {
  return slots === 1 ? `${each} a slot` : `${each} a slot, ${all} for ${slots} slots`
}

/** Bytes in a binary unit, with enough digits to tell two amounts of a host apart. */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
  let amount = bytes
  let unit = 0
  while ((amount >= 10_240 || (amount >= 1024 && amount % 1024 === 0)) && unit < units.length - 1) {
    amount /= 1024
    unit++
  }
  const rounded = Math.floor(amount * 10) / 10
  return `${rounded} ${units[unit]}`
}
