// Which actions a host allows, when it counts as unreachable, and how its slots change the supply of its pool.
// Placement decides which of its instances end, and when, from `hostEndsAt`.

import type { HostBenchmark } from '@bourse/api/fleet/benchmarks.ts'
import { type HostAction, type HostHealth, type HostState, isHostActionAllowed } from '@bourse/api/fleet/host-states.ts'
import type { Host, HostFacts } from '@bourse/api/fleet/hosts.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { hourSeconds, minuteSeconds } from '@bourse/text/time/units.ts'
import type { RefusalData } from '../../core/base/refusal.ts'
import type { AllocationStep } from './victims.rules.ts'

/** The refusal of an agent whose host is retired, or not there. Only a retired host gives its devices back. */
export function goneHost(host: Pick<HostRow, 'state'> | undefined): RefusalData {
  if (host?.state === 'retired') return { code: 'host_retired', message: 'This host is retired.' }
  return { code: 'authentication_error', message: 'There is no such host.' }
}

/** A host as it is stored. */
export type HostRow = {
  id: Id<'host'>
  account_id: string
  workspace_id: Id<'workspace'>
  sku_id: Id<'sku'>
  pool_id: Id<'pool'>
  state: HostState
  health: HostHealth
  slots: number
  used_slots: number
  epoch: number
  generation: number
  reported_generation: number
  agent_version: string | null
  enrolment_id: Id<'host_enrolment'> | null
  health_message: string | null
  facts: HostFacts
  is_simulated: boolean
  /**
   * The last report: by the real clock for agents. Simulated hosts report by the business clock only while a fault
   * hides them; otherwise null.
   */
  last_seen_at: number | null
  drain_deadline_at: number | null
  supply_ends_at: number | null
  created_at: number
  retired_at: number | null
  /** When the hardware was last reported, by the business clock; null if never. */
  facts_at: number | null
  /** For how many of its slots it has the hardware. Null: it was never compared with its SKU. */
  fitting_slots: number | null
  /** Since when it lacks hardware of its SKU, and what it lacks. */
  unfit_at: number | null
  unfit_message: string | null
  /** What the script of its operator measured; null: nothing. */
  benchmark: HostBenchmark | null
}

/** How long its operator has to repair a host that no longer has the hardware for its machines. */
export const repairSeconds = hourSeconds
/** Seconds without a report after which a host counts as unreachable (docs/concepts/hosts.md, "Silence"). */
export const silenceSeconds = 90

/** The state of a host after an allowed action. */
export const hostStateAfter: Readonly<Record<HostAction, HostState>> = {
  cordon: 'cordoned',
  uncordon: 'active',
  drain: 'draining',
  retire: 'retired',
}

/** Refuses an action that the state of a host does not allow: `invalid_state`. */
export function refuseHostAction(action: HostAction, state: HostState): RefusalData | undefined {
  if (isHostActionAllowed(action, state)) return undefined
  const message = `The action ${action} is not allowed on a host that is ${state}.`
  return { code: 'invalid_state', field: null, message }
}

/** Whether new instances may be placed on a host. */
export function isOpenHost(host: { readonly state: HostState; readonly health: HostHealth }): boolean {
  return host.state === 'active' && host.health === 'healthy'
}

/** How a host carries traffic of subnets to other hosts. */
export function hostTraffic(
  { facts, is_simulated }: Pick<HostRow, 'facts' | 'is_simulated'>,
  { tunnel, accepts_unencrypted }: { readonly tunnel: unknown; readonly accepts_unencrypted: boolean },
): Host['traffic'] {
  if (is_simulated || facts.network !== 'full') return 'none'
  if (tunnel !== undefined) return 'encrypted'
  return accepts_unencrypted && facts.encrypts_traffic === false ? 'unencrypted' : 'none'
}

/** What decides until when the instances of a host may run. */
type HostTerm = Pick<HostRow, 'state' | 'drain_deadline_at' | 'unfit_at' | 'fitting_slots' | 'used_slots'>

/** When the instances of a host must have ended, and why; null if they need not end. */
export function hostEndOf(host: HostTerm): { readonly at: number; readonly reason: HostEndReason } | null {
  const ends: { at: number; reason: HostEndReason }[] = []
  const isLeaving = host.state === 'draining' || host.state === 'drained'
  if (isLeaving && host.drain_deadline_at !== null) ends.push({ at: host.drain_deadline_at, reason: 'host_retired' })
  if (host.unfit_at !== null && isShort(host)) ends.push({ at: host.unfit_at + repairSeconds, reason: 'host_unfit' })
  return ends.reduce<(typeof ends)[number] | null>((first, end) => (first && first.at <= end.at ? first : end), null)
}

/** Whether a host lacks hardware for machines that run. As long as there is some for all of them, they run on. */
export function isShort({ fitting_slots, used_slots }: Pick<HostRow, 'fitting_slots' | 'used_slots'>): boolean {
  return fitting_slots !== null && fitting_slots < used_slots
}

/** Why the instances of a host end. */
type HostEndReason = 'host_retired' | 'host_unfit'

/** When the instances of a host must have ended; null if they need not end. */
export function hostEndsAt(host: HostTerm): number | null {
  return hostEndOf(host)?.at ?? null
}

/** Whether a draining host is drained: its deadline has passed, so its supply has ended, and every slot is free. */
export function hasDrained(
  host: { readonly state: HostState; readonly drain_deadline_at: number | null; readonly used_slots: number },
  now: number,
): boolean {
  const deadlineAt = host.drain_deadline_at
  return host.state === 'draining' && deadlineAt !== null && deadlineAt <= now && host.used_slots === 0
}

/** Whether an outage begins now, and when to check again if the host does not report until then. */
type SilenceResult = { readonly is_lost: boolean; readonly next_at: number | null }

/**
 * Checks whether a host has missed its reports. Until the first report `last_seen_at` is the time of enrolment.
 * `is_lost` is true once per outage: a host that is already unreachable is not lost again until it has reported.
 */
export function evaluateSilence(
  host: { readonly state: HostState; readonly health: HostHealth; readonly last_seen_at: number },
  now: number,
): SilenceResult {
  if (host.state === 'retired' || host.health === 'unreachable') return { is_lost: false, next_at: null }
  const lostAt = host.last_seen_at + silenceSeconds
  return lostAt <= now ? { is_lost: true, next_at: null } : { is_lost: false, next_at: lostAt }
}

/** The supply of a host that enrols: all of its slots, from the next minute on, without end. */
export function supplyOfSlots(slots: number, now: number): AllocationStep {
  return { start_at: nextMinute(now), end_at: null, node_count: slots }
}

/** The input of a drain. Times are in seconds. */
export type DrainRequest = {
  readonly slots: number
  readonly now: number
  readonly deadline_at: number
  /** When the supply of the slots begins. Later than now only in the minute of the enrolment. */
  readonly supply_starts_at: number
  /** What the host adds to the pool: its slots, or less if it lacks hardware. */
  readonly supply: readonly AllocationStep[]
  /** What the supply pool owns and has not sold, from the current minute on. Gaps count as zero. */
  readonly free: readonly AllocationStep[]
  readonly force: boolean
}

/** The effect of a drain: `withdrawn` leaves the supply pool, `short` is already sold and stays with its buyers. */
type HostDrain = {
  readonly supply_ends_at: number
  readonly withdrawn: readonly AllocationStep[]
  readonly short: readonly AllocationStep[]
}

/**
 * Plans what a drain withdraws from the supply pool, from the minute of the deadline on. In each minute that is the
 * supply of the host, or less if less is free: sold nodes are never taken back. Refuses `in_the_past`, and
 * `supply_sold` if nodes are short and `force` is not set.
 */
export function planDrain(request: DrainRequest): HostDrain | { readonly refusal: RefusalData } {
  const { slots, now, deadline_at, supply, free, force } = request
  if (deadline_at < now) {
    return { refusal: { code: 'in_the_past', field: 'deadline_at', message: 'The deadline is in the past.' } }
  }
  const supply_ends_at = Math.max(startOfMinute(deadline_at), request.supply_starts_at)
  const { withdrawn, short } = takeFree(supply_ends_at, supply, free)
  const [first] = short
  if (first && !force) {
    const sold = `${first.node_count} of its ${slots} nodes are sold or offered from ${first.start_at} on`
    const message = `${sold}, and no other host has free nodes for them.`
    return { refusal: { code: 'supply_sold', field: 'deadline_at', message } }
  }
  return { supply_ends_at, withdrawn, short }
}

/** What leaves the pool of a host that lacks hardware: its supply as far as it is free, from the current minute on. */
export function planWithdrawal(
  supply: readonly AllocationStep[],
  free: readonly AllocationStep[],
  now: number,
): readonly AllocationStep[] {
  return takeFree(startOfMinute(now), supply, free).withdrawn
}

/** Divides the supply of a host from a second on into what is free, and what is sold or offered. */
function takeFree(from: number, supply: readonly AllocationStep[], free: readonly AllocationStep[]) {
  const withdrawn: AllocationStep[] = []
  const short: AllocationStep[] = []
  const supplied = coverFrom(from, supply)
  const available = coverFrom(from, free)
  let start_at: number | null = from
  for (let i = 0, j = 0; start_at !== null; ) {
    const own = supplied[i] as AllocationStep
    const other = available[j] as AllocationStep
    const end_at: number | null = earlier(own.end_at, other.end_at)
    const taken = Math.min(own.node_count, Math.max(0, other.node_count))
    if (taken > 0) append(withdrawn, { start_at, end_at, node_count: taken })
    if (taken < own.node_count) append(short, { start_at, end_at, node_count: own.node_count - taken })
    if (own.end_at === end_at) i++
    if (other.end_at === end_at) j++
    start_at = end_at
  }
  return { withdrawn, short }
}

function earlier(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b
  return Math.min(a, b)
}

/** What drains have withdrawn from the supply of a host. `full` is its supply without any drain. */
export function withdrawnSupply(full: AllocationStep, supply: readonly AllocationStep[]): AllocationStep[] {
  const missing: AllocationStep[] = []
  for (const step of coverFrom(full.start_at, supply)) {
    const node_count = full.node_count - step.node_count
    if (node_count > 0) append(missing, { ...step, node_count })
  }
  return missing
}

/** Turns changes by minute, oldest first, into steps without gaps. The last step is open if nodes remain. */
export function foldSupply(changes: readonly { readonly minute: number; readonly delta: number }[]): AllocationStep[] {
  const steps: AllocationStep[] = []
  let node_count = 0
  for (const [index, { minute, delta }] of changes.entries()) {
    node_count += delta
    const next = changes[index + 1]
    if (node_count === 0 && !next) break
    const end_at = next ? next.minute * minuteSeconds : null
    append(steps, { start_at: minute * minuteSeconds, end_at, node_count })
  }
  return steps
}

/** Turns steps into changes by minute: adding them (1) or taking them away (-1). */
export function supplyChanges(
  steps: readonly AllocationStep[],
  sign: 1 | -1,
): { readonly minute: number; readonly delta: number }[] {
  const changes = new Map<number, number>()
  const change = (at: number, delta: number) => {
    const minute = at / minuteSeconds
    changes.set(minute, (changes.get(minute) ?? 0) + delta)
  }
  for (const { start_at, end_at, node_count } of steps) {
    change(start_at, sign * node_count)
    if (end_at !== null) change(end_at, -sign * node_count)
  }
  return [...changes].map(([minute, delta]) => ({ minute, delta })).filter(({ delta }) => delta !== 0)
}

/** What a cancelled drain returns: what it had withdrawn, from the next minute on. Earlier minutes are lost. */
export function supplyAfterUncordon(withdrawn: readonly AllocationStep[], now: number): AllocationStep[] {
  const from = nextMinute(now)
  return coverFrom(from, withdrawn).filter(({ node_count }) => node_count > 0)
}

/** The steps from a second on, without gaps and without end: gaps become steps of zero nodes. */
function coverFrom(from: number, steps: readonly AllocationStep[]): AllocationStep[] {
  const covered: AllocationStep[] = []
  let at: number | null = from
  for (const { start_at, end_at, node_count } of steps) {
    if (at === null || (end_at !== null && end_at <= at)) continue
    if (start_at > at) covered.push({ start_at: at, end_at: start_at, node_count: 0 })
    covered.push({ start_at: Math.max(start_at, at), end_at, node_count })
    at = end_at
  }
  return at === null ? covered : [...covered, { start_at: at, end_at: null, node_count: 0 }]
}

function append(steps: AllocationStep[], step: AllocationStep): void {
  const last = steps.at(-1)
  if (last && last.end_at === step.start_at && last.node_count === step.node_count) {
    steps[steps.length - 1] = { ...last, end_at: step.end_at }
  } else steps.push(step)
}

function startOfMinute(at: number): number {
  return at - (at % minuteSeconds)
}

function nextMinute(at: number): number {
  return startOfMinute(at) + minuteSeconds
}
