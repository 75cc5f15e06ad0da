// The plan for the instances of one pool and SKU: which start and where, which get notice, whose notice moves or is
// withdrawn, which end. Each plan is computed from the current state alone, so it does not matter what changed, or how
// often or how late a plan is made. Not decided here: what agents report, and when a slot becomes free.

import type { HostState } from '@bourse/api/fleet/host-states.ts'
import type { InstanceState } from '@bourse/api/fleet/instance-states.ts'
import { byStartOrder, byVictimOrder, type PriorityLevel, type Ranked } from '@bourse/api/fleet/priority-levels.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { type PriorityQueue, peek, queueOf, take } from '../hosts/priority-queue.rules.ts'
import {
  type AllocationStep,
  allocationAt,
  type CapacityReduction,
  changesAfter,
  forecastReductions,
} from '../hosts/victims.rules.ts'
import { type HostNeeds, inventoryOf, type OpenHost, type Slot, takeBestSlot, takeSlot } from './host-choice.rules.ts'

/** Seconds of notice before a capacity reduction known early enough (docs/concepts/preemption.md, "Notice"). */
const noticeSeconds = 600
/** The least time between notice and end, in seconds (docs/concepts/preemption.md, "Grace"). */
const graceSeconds = 60

/** An instance of the pool and SKU that is not terminated. */
export type PlacementInstance = Ranked &
  HostNeeds & {
    readonly id: Id<'instance'>
    readonly state: InstanceState
    readonly image_id: Id<'image'>
    /** Its slot, also while it waits for the first report of its host and while it returns the slot. */
    readonly slot: Slot | null
    /** It waits and returns its slot: the stop was requested and is not confirmed. */
    readonly is_returning: boolean
    /** When the host of its slot must be empty: it drains, or lacks hardware. Null: it need not be. */
    readonly host_ends_at: number | null
    readonly notice: PreemptionNotice | null
    /**
     * Until it is placed for the first time: the slot of the instance that it replaced, if that instance had one.
     * `is_usable`: the host is active and healthy, so the slot will be free. `may_start_elsewhere`: the machine there
     * has failed, perhaps for a fault of the slot, and it has no address that moves with the slot, so another slot is
     * as good. Otherwise null.
     */
    readonly replaces_slot: (Slot & { readonly is_usable: boolean; readonly may_start_elsewhere: boolean }) | null
  }

/** A living instance of a pool and SKU, with the slot that it has or waits for. */
export type LivingRow = {
  id: Id<'instance'>
  account_id: string
  state: InstanceState
  priority_level: PriorityLevel
  created_at: number
  image_id: Id<'image'>
  enable_public_ipv4: boolean
  subnet_id: Id<'subnet'> | null
  infiniband_partition_id: Id<'infiniband_partition'> | null
  public_ip: string | null
  notice_at: number | null
  deadline_at: number | null
  host_id: Id<'host'> | null
  slot: number | null
  action: 'run' | 'stop' | null
  host_state: HostState | null
  drain_deadline_at: number | null
  unfit_at: number | null
  fitting_slots: number | null
  used_slots: number
  replaces_host_id: Id<'host'> | null
  replaces_slot: number | null
  /** The slot that it waits for is free or being returned, on a host that accepts instances. */
  is_replaced_usable: boolean
  /** A failed instance holds that slot, and this one has inherited no address, which the old machine may still use. */
  may_start_elsewhere: boolean
}

/** A notice that has been given and not withdrawn. */
type PreemptionNotice = { readonly notice_at: number; readonly deadline_at: number }

/** The complete input of a plan. Times are in seconds. */
export type PlacementInput = {
  readonly now: number
  /** The pool's allocation of the SKU from the current minute on, ascending. Gaps count as zero. */
  readonly allocation: readonly AllocationStep[]
  /** Where the caller cut off the allocation, later than the notice horizon. Null: it is complete. */
  readonly known_until: number | null
  readonly instances: readonly PlacementInstance[]
  readonly hosts: readonly OpenHost[]
}

/** What to do, and when to plan again if nothing changes before. */
export type PlacementPlan = {
  readonly starts: readonly ({ readonly instance_id: Id<'instance'> } & Slot)[]
  /**
   * Placed instances that lose their place before their first report. They stop, and wait again once that is confirmed.
   */
  readonly returns: readonly Id<'instance'>[]
  readonly notices: readonly PlannedDeadline[]
  /** New deadlines of existing notices, without an event. */
  readonly deadline_moves: readonly PlannedDeadline[]
  readonly withdrawals: readonly Id<'instance'>[]
  readonly ends: readonly PlannedEnd[]
  readonly next_at: number | null
}

/** A future end; `deadline_at` is later than now. */
export type PlannedDeadline = PlannedEnd & { readonly deadline_at: number }
/** An instance that ends, because of the allocation or of its host. */
export type PlannedEnd = { readonly instance_id: Id<'instance'>; readonly cause: CapacityReduction['cause'] }

/**
 * Plans one pool and SKU. Takes at most n log n time, and close to n if few instances start or end. After the plan has
 * been applied, planning again at any time before `next_at` gives an empty plan.
 */
export function planPlacement(input: PlacementInput): PlacementPlan {
  const { now, known_until } = input
  const allocation_now = allocationAt(input.allocation, now)
  const allChanges = changesAfter(input.allocation, now)
  const changes = known_until === null ? allChanges : allChanges.filter(({ at }) => at < known_until)
  const { machines, placed, waiting } = sortOut(input.instances)
  const horizon_at = now + noticeSeconds
  const forecast = forecastReductions({ now, horizon_at, allocation_now, changes, machines })
  const endings = planEndings(now, machines, forecast.reductions)
  const counted = machines.length - endings.ends.length
  const { returns, kept } = planReturns(placed, { horizon_at, room: allocation_now - counted })
  const starts = planStarts(waiting, input.hosts, allocation_now - counted - kept.length)
  const looks: number[] = [...endings.deadlines]
  if (forecast.next_reduction_at !== null) looks.push(forecast.next_reduction_at - noticeSeconds)
  for (const { host_ends_at } of kept) if (host_ends_at !== null) looks.push(host_ends_at - noticeSeconds)
  const isSensitive = placed.length + waiting.length > 0 || endings.deadlines.length > 0
  if (isSensitive && changes[0]) looks.push(changes[0].at)
  if (known_until !== null && input.instances.length > 0) looks.push(known_until - noticeSeconds)
  const { notices, deadline_moves, withdrawals, ends } = endings
  return { starts, returns, notices, deadline_moves, withdrawals, ends, next_at: earliestAfter(now, looks) }
}

type SortedOut = { machines: PlacementInstance[]; placed: PlacementInstance[]; waiting: PlacementInstance[] }

function sortOut(instances: readonly PlacementInstance[]): SortedOut {
  const sorted: SortedOut = { machines: [], placed: [], waiting: [] }
  for (const instance of instances) {
    if (instance.state === 'running' || instance.state === 'failed') sorted.machines.push(instance)
    else if (instance.state === 'terminated' || instance.is_returning) continue
    else if (instance.slot === null) sorted.waiting.push(instance)
    else sorted.placed.push(instance)
  }
  return sorted
}

function planEndings(
  now: number,
  machines: readonly PlacementInstance[],
  reductions: ReadonlyMap<PlacementInstance, CapacityReduction>,
) {
  const notices: PlannedDeadline[] = []
  const deadline_moves: PlannedDeadline[] = []
  const ends: PlannedEnd[] = []
  const deadlines: number[] = []
  const safe = machines.filter((machine) => machine.notice !== null && !reductions.has(machine))
  for (const [{ id: instance_id, notice }, { at, cause }] of reductions) {
    const deadline_at = Math.max(at, (notice?.notice_at ?? now) + graceSeconds)
    if (deadline_at <= now) {
      ends.push({ instance_id, cause })
      continue
    }
    deadlines.push(deadline_at)
    // At `at` it stops counting against the allocation, which may spare another instance that is in its grace time.
    if (at > now) deadlines.push(at)
    if (!notice) notices.push({ instance_id, deadline_at, cause })
    else if (notice.deadline_at !== deadline_at) deadline_moves.push({ instance_id, deadline_at, cause })
  }
  return { notices, deadline_moves, withdrawals: safe.map(({ id }) => id), ends, deadlines }
}

// An instance that no host has reported yet returns to waiting without notice, instead of starting only to be ended.
// First those whose host ends within the notice horizon, then surplus instances in the order of victims.
function planReturns(placed: readonly PlacementInstance[], limits: { horizon_at: number; room: number }) {
  const returns: Id<'instance'>[] = []
  const staying: PlacementInstance[] = []
  for (const instance of placed) {
    if (instance.host_ends_at !== null && instance.host_ends_at <= limits.horizon_at) returns.push(instance.id)
    else staying.push(instance)
  }
  const surplus = Math.max(0, staying.length - Math.max(0, limits.room))
  if (surplus === 0) return { returns, kept: staying }
  const ranked = staying.sort(byVictimOrder)
  return { returns: [...returns, ...ranked.slice(0, surplus).map(({ id }) => id)], kept: ranked.slice(surplus) }
}

function planStarts(waiting: readonly PlacementInstance[], hosts: readonly OpenHost[], room: number) {
  const starts: PlacementPlan['starts'][number][] = []
  if (room <= 0 || waiting.length === 0) return starts
  const stock = inventoryOf(hosts)
  let left = room
  const successors = waiting.filter((instance) => instance.replaces_slot !== null).sort(byStartOrder)
  // Own slots that are free are taken first, so that a successor that goes elsewhere leaves them.
  const ownSlots = new Map(successors.map((instance) => [instance.id, takeOwnSlot(instance)]))
  for (const instance of successors) {
    if (left === 0) return starts
    const slot = slotOfSuccessor(instance)
    if (slot === 'later') left--
    if (slot === 'later' || slot === undefined) continue
    starts.push({ instance_id: instance.id, ...slot })
    left--
  }
  const queues = queuesByNeeds(waiting)
  while (left > 0 && queues.size > 0) {
    const queue = firstQueue(queues)
    const instance = peek(queue) as PlacementInstance
    const slot = takeBestSlot(stock, instance.image_id, instance)
    if (slot) {
      starts.push({ instance_id: instance.id, ...slot })
      take(queue)
      left--
    }
    // If one finds no host, no other instance with the same needs does. Instances with other needs may still start.
    if (!slot || peek(queue) === undefined) queues.delete(queue)
  }
  return starts

  // The public address of the predecessor moves with the slot, so no other address is needed there.
  function takeOwnSlot(instance: PlacementInstance): Slot | 'not_free' | 'unfit' {
    const replaced = instance.replaces_slot
    if (!replaced?.is_usable) return 'unfit'
    const { host_id, slot } = replaced
    const outcome = takeSlot(stock, { host_id, slot }, { ...instance, needs_public_ipv4: false })
    return outcome === 'taken' ? { host_id, slot } : outcome
  }

  // Allocation is reserved for a successor whose slot is not free yet, so that no other instance takes it.
  function slotOfSuccessor(instance: PlacementInstance): Slot | 'later' | undefined {
    const own = ownSlots.get(instance.id) ?? 'unfit'
    if (typeof own === 'object') return own
    const isAwaited = own === 'not_free'
    if (isAwaited && !instance.replaces_slot?.may_start_elsewhere) return 'later'
    return takeBestSlot(stock, instance.image_id, instance) ?? (isAwaited ? 'later' : undefined)
  }
}

function queuesByNeeds(waiting: readonly PlacementInstance[]): Set<PriorityQueue<PlacementInstance>> {
  const groups = new Map<string | null, PlacementInstance[][]>()
  for (const instance of waiting) {
    if (instance.replaces_slot !== null) continue
    const kind = (instance.needs_public_ipv4 ? 2 : 0) + (instance.needs_full_network ? 1 : 0)
    const kinds = groups.get(instance.fabric) ?? [[], [], [], []]
    groups.set(instance.fabric, kinds)
    kinds[kind]?.push(instance)
  }
  const filled = [...groups.values()].flat().filter((group) => group.length > 0)
  return new Set(filled.map((group) => queueOf(group, byStartOrder)))
}

function firstQueue(queues: ReadonlySet<PriorityQueue<PlacementInstance>>): PriorityQueue<PlacementInstance> {
  return [...queues].reduce((first, queue) =>
    byStartOrder(peek(queue) as PlacementInstance, peek(first) as PlacementInstance) < 0 ? queue : first,
  )
}

function earliestAfter(now: number, looks: readonly number[]): number | null {
  const ahead = looks.filter((at) => at > now)
  return ahead.length === 0 ? null : ahead.reduce((first, at) => Math.min(first, at))
}
