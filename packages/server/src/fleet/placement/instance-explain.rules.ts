// Why an instance waits or is still booting, and when it will lose its place, from the same input as placement. The
// texts are in the service. The reason why an instance ended is stored with it.

import type { BootReason, WaitingReason } from '@bourse/api/fleet/explanations.ts'
import { byStartOrder } from '@bourse/api/fleet/priority-levels.ts'
import type { ReportedState } from '../hosts/reports.rules.ts'
import { allocationAt, type CapacityReduction, changesAfter, forecastReductions } from '../hosts/victims.rules.ts'
import type { OpenHost } from './host-choice.rules.ts'
import { type PlacementInput, type PlacementInstance, planPlacement } from './placement.rules.ts'

/** Why an instance waits, and until when if that is known. */
type WaitingFacts = {
  /**
   * All reasons that apply, in the order of the type. Empty while it is being placed or its host has not reported it.
   */
  readonly reasons: readonly WaitingReason[]
  readonly next_allocation_at: number | null
  /** Its position in the queue; 1 starts next. */
  readonly rank: number
  readonly allocation_now: number
  /** Instances that use allocation: running, failed and placed ones. */
  readonly in_use: number
}

/** The input for the explanation of a waiting instance. */
export type WaitingInput = {
  readonly input: PlacementInput
  readonly instance: PlacementInstance
  /** Hosts with free slots that would accept instances if they were reachable. */
  readonly unreachable_hosts: readonly OpenHost[]
  /** Whether the host of its slot is reachable; true without a slot. */
  readonly does_host_answer: boolean
}

/** Explains why an instance waits. */
export function explainWaiting({ input, instance, ...context }: WaitingInput): WaitingFacts {
  const allocation_now = allocationAt(input.allocation, input.now)
  const waiting = input.instances.filter((one) => one.state === 'awaiting_allocation' && !hasPlace(one))
  const in_use = input.instances.filter(hasPlace).length
  const first = waiting.filter((other) => other !== instance && comesFirst(other, instance))
  const rank = 1 + first.length
  const facts = { rank, allocation_now, in_use }
  if (hasPlace(instance)) {
    const reasons: WaitingReason[] = context.does_host_answer ? [] : ['host_unreachable']
    return { ...facts, reasons, next_allocation_at: null }
  }
  const { starts } = planPlacement(input)
  if (starts.some(({ instance_id }) => instance_id === instance.id)) {
    return { ...facts, reasons: [], next_allocation_at: null }
  }
  const started = new Set(starts.map(({ instance_id }) => instance_id))
  // Of the instances that rank higher, only those that start or whose slot is being freed use allocation.
  const taking = first.filter((one) => started.has(one.id) || one.replaces_slot?.is_usable)
  const hasRoom = allocation_now - in_use - taking.length > 0
  const reasons: WaitingReason[] = []
  if (!hasRoom) reasons.push(allocation_now === 0 ? 'no_allocation' : 'outranked')
  const lacking = lackingPlace(input, instance, context)
  if (lacking !== undefined) reasons.push(lacking)
  else if (hasRoom) reasons.push('no_free_host')
  return { ...facts, reasons, next_allocation_at: hasRoom ? null : allocationFrom(input, in_use + rank) }
}

/** The last reported state of a machine. */
type MachineFacts = { readonly state: ReportedState | null; readonly start_failures: number }

/** Why the machine of a running instance is still booting; undefined once it is up. */
export function explainBoot({ state, start_failures }: MachineFacts): readonly BootReason[] | undefined {
  const retry: readonly BootReason[] = start_failures > 0 ? ['start_retry'] : []
  if (state === 'fetching') return ['fetching_image', ...retry]
  if (state === 'starting') return ['starting', ...retry]
  return state === 'start_failed' ? retry : undefined
}

/** When a running or failed instance loses its place by what is known now, however far in the future. */
export function forecastReduction(input: PlacementInput, id: string): CapacityReduction | undefined {
  const { now, allocation } = input
  const machines = input.instances.filter(({ state }) => state === 'running' || state === 'failed')
  const { reductions } = forecastReductions({
    now,
    horizon_at: Number.POSITIVE_INFINITY,
    allocation_now: allocationAt(allocation, now),
    changes: changesAfter(allocation, now),
    machines,
  })
  const instance = machines.find((machine) => machine.id === id)
  return instance && reductions.get(instance)
}

function hasPlace(instance: PlacementInstance): boolean {
  if (instance.state === 'running' || instance.state === 'failed') return true
  return instance.state === 'awaiting_allocation' && instance.slot !== null && !instance.is_returning
}

/** Successors rank first: they use the allocation of the instances that they replace. */
function comesFirst(other: PlacementInstance, instance: PlacementInstance): boolean {
  const isSuccessor = other.replaces_slot !== null
  if (isSuccessor !== (instance.replaces_slot !== null)) return isSuccessor
  return byStartOrder(other, instance) < 0
}

function allocationFrom({ allocation, now }: PlacementInput, needed: number): number | null {
  return changesAfter(allocation, now).find(({ node_count }) => node_count >= needed)?.at ?? null
}

type HostContext = Pick<WaitingInput, 'unreachable_hosts' | 'does_host_answer'>

/** Why there is no slot for it, whatever else waits. */
function lackingPlace(
  input: PlacementInput,
  instance: PlacementInstance,
  context: HostContext,
): WaitingReason | undefined {
  if (instance.is_returning) return awaitedStop(context)
  // Its slot is on a host that works, and it was not started there: the slot is still taken.
  if (instance.replaces_slot?.is_usable) return 'predecessor_stopping'
  return lackingHost(input, instance, context.unreachable_hosts)
}

function awaitedStop({ does_host_answer }: Pick<WaitingInput, 'does_host_answer'>): WaitingReason {
  return does_host_answer ? 'no_free_host' : 'host_unreachable'
}

/** What would be missing even if no other instance existed; undefined if nothing is. */
function lackingHost(
  input: PlacementInput,
  instance: PlacementInstance,
  unreachable: readonly OpenHost[],
): WaitingReason | undefined {
  if (findsPlace(input, instance, input.hosts)) return undefined
  const without = { ...instance, needs_public_ipv4: false }
  if (instance.needs_public_ipv4 && findsPlace(input, without, input.hosts)) return 'no_public_ipv4'
  return findsPlace(input, instance, [...input.hosts, ...unreachable]) ? 'host_unreachable' : 'no_free_host'
}

function findsPlace({ now }: PlacementInput, instance: PlacementInstance, hosts: readonly OpenHost[]): boolean {
  const allocation = [{ start_at: now, end_at: null, node_count: 1 }]
  return planPlacement({ now, known_until: null, allocation, instances: [instance], hosts }).starts.length > 0
}
