/**
 * Whether a host has what a SKU promises, for a number of slots. The agent asks before enrolment, the server at
 * enrolment and after each change of the hardware, and `bourse agent check` for people.
 */
import {
  assignSlots,
  type FitFacts,
  matchesModel,
  matchingAccelerators,
  matchingPorts,
  rdmaFunctions,
  type SkuNeeds,
  type SlotHardware,
  usableAccelerators,
} from './fit-slots.ts'
import { machinesInPages } from './huge-pages.ts'
import { hasAllBehindSwitches, lostSwitches } from './nvswitches.ts'

/** Memory that the host keeps for itself. */
export const hostReserveBytes = 2 * 2 ** 30

/** The facts that are compared, in this order. */
export const fitSubjects = [
  'processors',
  'memory',
  'storage',
  'iommu',
  'accelerators',
  'nvswitches',
  'rdma',
  'delivery',
] as const

/** One fact of a host against a SKU. */
export type FitCheck = {
  readonly subject: (typeof fitSubjects)[number]
  readonly is_good: boolean
  readonly message: string
  /** The member of the facts. */
  readonly field: string
}

/** The result of a comparison. */
export type Fit = {
  readonly fits: boolean
  /** What the SKU names, and what is there. */
  readonly checks: readonly FitCheck[]
  /** How many slots the host has the hardware for, up to the number that was asked for. */
  readonly fitting_slots: number
  /** What each of these slots gets. Empty if the SKU names no devices. */
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
  const compared = [processors, memory, storage, iommu, accelerators, nvswitches, rdma, delivery]
  const results = compared.map((compare) => compare(asked))
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

type FitRequest = { readonly facts: FitFacts; readonly needs: SkuNeeds; readonly slots: number }
type Result = { readonly check: FitCheck; readonly fitting: number }

function processors({ facts, needs: { vcpus }, slots }: FitRequest): Result | undefined {
  if (vcpus === null) return undefined
  const fitting = Math.floor(facts.cpu_count / vcpus)
  const wants = `SKU asks for ${asks(`${vcpus} vCPUs`, slots, `${vcpus * slots}`)}`
  return result('processors', 'facts.cpu_count', `${wants}, host has ${facts.cpu_count}`, { fitting, slots })
}

function memory({ facts, needs: { memory_bytes }, slots }: FitRequest): Result | undefined {
  if (memory_bytes === null || memory_bytes === 0) return undefined
  const left = Math.max(0, facts.memory_bytes - hostReserveBytes)
  const wants = `SKU asks for ${asks(bytesText(memory_bytes), slots, bytesText(memory_bytes * slots))}`
  const has = `host has ${bytesText(left)} for machines, ${bytesText(facts.memory_bytes)} in all`
  const inAll = Math.floor(left / memory_bytes)
  const all = { memory_bytes: facts.memory_bytes, numa_nodes: facts.hardware?.numa_nodes ?? [] }
  const inPages = machinesInPages(all, memory_bytes, hostReserveBytes) ?? inAll
  const fitting = Math.min(inAll, inPages)
  const why =
    inAll >= slots && inPages < slots ? `, but huge pages divide it: ${inPages} of ${slots} slots get theirs` : ''
  return result('memory', 'facts.memory_bytes', `${wants}, ${has}${why}`, { fitting, slots })
}

function storage({ facts, needs: { storage_bytes }, slots }: FitRequest): Result | undefined {
  if (storage_bytes === null || storage_bytes === 0) return undefined
  const isReadOnly = facts.hardware?.storage.is_read_only === true
  const fitting = isReadOnly ? 0 : Math.floor(facts.storage_bytes / storage_bytes)
  const wants = `SKU asks for ${asks(bytesText(storage_bytes), slots, bytesText(storage_bytes * slots))}`
  const has = `host has ${bytesText(facts.storage_bytes)}${isReadOnly ? ', which cannot be written' : ''}`
  return result('storage', 'facts.storage_bytes', `${wants}, ${has}`, { fitting, slots })
}

function iommu({ facts: { hardware }, needs, slots }: FitRequest): Result | undefined {
  if (!needs.accelerators || !hardware) return undefined
  const message = hardware.is_iommu_on
    ? 'the IOMMU is on, so devices can be given to machines'
    : 'SKU asks for accelerators, the IOMMU of the host is off: turn it on in its firmware and its kernel'
  return result('iommu', 'facts.hardware.is_iommu_on', message, { fitting: hardware.is_iommu_on ? slots : 0, slots })
}

function accelerators(asked: FitRequest): Result | undefined {
  const { facts, needs, slots } = asked
  const wanted = needs.accelerators
  if (!wanted) return undefined
  const fitting = assignSlots(facts, { ...needs, rdma: null }, slots).length
  const all = usableAccelerators(facts, wanted).length
  const name = [wanted.kind ?? 'accelerators', wanted.form].filter((word) => word !== null).join(' ')
  const wants = `SKU asks for ${asks(`${wanted.count} × ${name}`, slots, `${wanted.count * slots}`)}`
  const field = 'facts.hardware.accelerators'
  return result('accelerators', field, `${wants}, host has ${all}${whyFew(asked, { all, fitting })}`, {
    fitting,
    slots,
  })
}

/** Only where a machine needs the switches between its accelerators. */
function nvswitches({ facts, needs, slots }: FitRequest): Result | undefined {
  const assigned = assignSlots(facts, { ...needs, rdma: null }, slots)
  if (!assigned.some((slot) => hasAllBehindSwitches(facts, slot))) return undefined
  const all = `${facts.hardware?.nvswitches?.length ?? 0} NVSwitches`
  const lost = lostSwitches(facts)
  const message =
    lost.length === 0
      ? `all accelerators of a slot are behind ${all}, which its machine gets too`
      : `a machine with all accelerators needs the ${all} between them, and cannot be given ${lost.join(', ')}`
  const check = {
    subject: 'nvswitches',
    is_good: lost.length === 0,
    message,
    field: 'facts.hardware.nvswitches',
  } as const
  // The machines that run have their accelerators. Only further ones would be useless.
  return { check, fitting: slots }
}

/** A problem that names a device which machines cannot get. */
const lostDevice = /^[0-9a-f:.]{12,16} is left out: /

/** What explains that a host with accelerators has too few. */
function whyFew({ facts, needs, slots }: FitRequest, { all, fitting }: { all: number; fitting: number }): string {
  const wanted = needs.accelerators
  if (!wanted || fitting >= slots) return ''
  if (!facts.hardware) return '; its agent reports no hardware, so update it'
  const { accelerators: models } = facts.hardware
  const ungrouped = matchingAccelerators(facts.hardware, wanted).filter(
    ({ iommu_group }) => iommu_group === null,
  ).length
  if (ungrouped > 0) return `; ${ungrouped} more without an IOMMU group`
  const groups = models.flatMap(({ devices }) => devices.map(({ iommu_group }) => iommu_group))
  const isShared = (group: number | null) => groups.indexOf(group) !== groups.lastIndexOf(group)
  const shared = usableAccelerators(facts, wanted).filter(({ iommu_group }) => isShared(iommu_group)).length
  const isEnough = all >= wanted.count * slots
  if (isEnough && shared > 0)
    return `; ${shared} share an IOMMU group, so they go to one machine: ${fitting} of ${slots} slots get theirs`
  if (isEnough) return `, but NUMA nodes divide them: ${fitting} of ${slots} slots get theirs whole`
  const others = models.filter((model) => !matchesModel(model, wanted))
  const named = others.map(({ kind, name, form_factor, devices }) => {
    return `${devices.length} × ${kind === null ? name : [kind, form_factor].filter(Boolean).join(' ')}`
  })
  const lost = facts.hardware.problems.filter((problem) => lostDevice.test(problem))
  const instead = named.length === 0 ? '' : ` (and ${named.join(', ')})`
  return [instead, ...lost].join(lost.length === 0 ? '' : '; ')
}

function rdma({ facts, needs, slots }: FitRequest): Result | undefined {
  if (!needs.rdma) return undefined
  const { type, gigabits_per_second } = needs.rdma
  const { ports, fast } = matchingPorts(facts, needs.rdma)
  const best = ports.reduce((most, port) => Math.max(most, port.gigabits_per_second), 0)
  const rate = gigabits_per_second === null ? '' : ` at ${gigabits_per_second} Gbit/s`
  const has = ports.length === 0 ? 'none' : `${ports.length} of it, the fastest at ${best} Gbit/s`
  const functions = rdmaFunctions(facts, needs.rdma)
  const isShort = fast.length > 0 && functions !== undefined && functions.length < slots
  const why = isShort ? `, but machines can be given ${functions.length} adapters or virtual functions` : ''
  const fitting = fast.length === 0 ? 0 : Math.min(slots, functions?.length ?? slots)
  return result('rdma', 'facts.hardware.rdma', `SKU asks for ${type}${rate}, host has ${has}${why}`, { fitting, slots })
}

/** What keeps devices that are there from machines. Nothing is said where nothing does, or the agent does not say. */
function delivery({ facts: { hardware }, needs, slots }: FitRequest): Result | undefined {
  const takesFunctions = needs.rdma?.type === 'infiniband'
  const found = hardware?.delivery
  if (!found || !(needs.accelerators || takesFunctions)) return undefined
  const lacks = [
    ...(found.is_root ? [] : ['its agent has no rights to give devices to machines: enrol and run it as root']),
    ...(found.is_vfio_loaded ? [] : ['vfio-pci is not loaded: modprobe vfio-pci']),
    ...(found.has_uefi || !needs.accelerators ? [] : ['UEFI firmware is not installed: install the package ovmf']),
  ]
  if (lacks.length === 0) return undefined
  const message = `SKU asks for ${needs.accelerators ? 'accelerators' : 'infiniband'}, but ${lacks.join('; ')}`
  const check = { subject: 'delivery', is_good: false, message, field: 'facts.hardware.delivery' } as const
  // The machines that run have their devices.
  return { check, fitting: slots }
}

function result(
  subject: FitCheck['subject'],
  field: string,
  message: string,
  { fitting, slots }: { fitting: number; slots: number },
): Result {
  return { check: { subject, is_good: fitting >= slots, message, field }, fitting }
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
