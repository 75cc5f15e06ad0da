// Why an instance waits, is not up yet, and when it will have to go, from the very input that placement plans with
// (docs/concepts/preemption.md, "Looking ahead"). The words are the service's; what ended an instance is kept with it.

import type { BootReason, WaitingReason } from '@bourse/api/fleet/explanations.ts'
import { byStartOrder } from '@bourse/api/fleet/priority-levels.ts'
import type { ReportedState } from '../hosts/reports.rules.ts'
import { allocationAt, changesAfter, type Drop, foreseeDrops } from '../hosts/victims.rules.ts'
import type { OpenHost } from './host-choice.rules.ts'
import { type PlacementInput, type PlacementInstance, planPlacement } from './placement.rules.ts'

/** Why an instance waits, and for how long as far as that is known. */
export type WaitingFacts = {
  /** Each that holds, in the order of the type; none while it is being placed or its host has not spoken yet. */
  readonly reasons: readonly WaitingReason[]
  readonly next_allocation_at: number | null
  /** Its place among those that wait; 1 is next. */
  readonly rank: number
  readonly allocation_now: number
  /** Instances that hold allocation: running and failed ones, and those with a place. */
  readonly holding: number
}

/** What stands around a waiting instance. */
export type WaitingInput = {
  readonly input: PlacementInput
  readonly instance: PlacementInstance
  /** Hosts with free slots that take instances but do not answer. */
  readonly unreachable_hosts: readonly OpenHost[]
  /** Whether the host of its place answers; true without one. */
  readonly does_host_answer: boolean
}

/** Explains an instance that waits. */
export function explainWaiting({ input, instance, ...around }: WaitingInput): WaitingFacts {
  const allocation_now = allocationAt(input.allocation, input.now)
  const waiting = input.instances.filter((one) => one.state === 'awaiting_allocation' && !holdsPlace(one))
  const holding = input.instances.filter(holdsPlace).length
  const first = waiting.filter((other) => other !== instance && comesFirst(other, instance))
  const rank = 1 + first.length
  const facts = { rank, allocation_now, holding }
  if (holdsPlace(instance)) {
    const reasons: WaitingReason[] = around.does_host_answer ? [] : ['host_unreachable']
    return { ...facts, reasons, next_allocation_at: null }
  }
  const { starts } = planPlacement(input)
  if (starts.some(({ instance_id }) => instance_id === instance.id)) {
    return { ...facts, reasons: [], next_allocation_at: null }
  }
  const started = new Set(starts.map(({ instance_id }) => instance_id))
  // Of those that come first only they take allocation that start, or whose slot is just being freed for them.
  const taking = first.filter((one) => started.has(one.id) || one.replaces_slot?.is_usable)
  const hasRoom = allocation_now - holding - taking.length > 0
  const reasons: WaitingReason[] = []
  if (!hasRoom) reasons.push(allocation_now === 0 ? 'no_allocation' : 'outranked')
  const lacking = instance.is_returning ? awaitedStop(around) : lackingHost(input, instance, around.unreachable_hosts)
  if (lacking !== undefined) reasons.push(lacking)
  else if (hasRoom) reasons.push('no_free_host')
  return { ...facts, reasons, next_allocation_at: hasRoom ? null : allocationFrom(input, holding + rank) }
}

/** The state of a machine, as its host last said. */
export type MachineFacts = { readonly state: ReportedState | null; readonly start_failures: number }

/** Why the machine of a running instance is not up yet; undefined once it is. */
export function explainBoot({ state, start_failures }: MachineFacts): readonly BootReason[] | undefined {
  const retry: readonly BootReason[] = start_failures > 0 ? ['start_retry'] : []
  if (state === 'fetching') return ['fetching_image', ...retry]
  if (state === 'starting') return ['starting', ...retry]
  return state === 'start_failed' ? retry : undefined
}

/** When a running or failed instance will lose its place by what is known now, however far ahead. */
export function foreseeDrop(input: PlacementInput, id: string): Drop | undefined {
  const { now, allocation } = input
  const machines = input.instances.filter(({ state }) => state === 'running' || state === 'failed')
  const { drops } = foreseeDrops({
    now,
    horizon_at: Number.POSITIVE_INFINITY,
    allocation_now: allocationAt(allocation, now),
    changes: changesAfter(allocation, now),
    machines,
  })
  const instance = machines.find((machine) => machine.id === id)
  return instance && drops.get(instance)
}

function holdsPlace(instance: PlacementInstance): boolean {
  if (instance.state === 'running' || instance.state === 'failed') return true
  return instance.state === 'awaiting_allocation' && instance.slot !== null && !instance.is_returning
}

/** Successors have the first claim: on the allocation of those that they replace. */
function comesFirst(other: PlacementInstance, instance: PlacementInstance): boolean {
  const isSuccessor = other.replaces_slot !== null
  if (isSuccessor !== (instance.replaces_slot !== null)) return isSuccessor
  return byStartOrder(other, instance) < 0
}

function allocationFrom({ allocation, now }: PlacementInput, needed: number): number | null {
  return changesAfter(allocation, now).find(({ node_count }) => node_count >= needed)?.at ?? null
}

function awaitedStop({ does_host_answer }: Pick<WaitingInput, 'does_host_answer'>): WaitingReason {
  return does_host_answer ? 'no_free_host' : 'host_unreachable'
}

/** What is missing for a place even if it had all allocation and hosts to itself; undefined where nothing is. */
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
