/** Explains the state of an instance, from the same input as placement. */
import type {
  BootReason,
  InstanceExplanation,
  TerminationReason,
  WaitingReason,
} from '@bourse/api/fleet/explanations.ts'
import { victimRule } from '@bourse/api/fleet/explanations.ts'
import type { Ref } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { allow } from '../../iam/access/permissions.service.ts'
import { readAllocation } from '../../market/pools/capacity.service.ts'
import { hostEndOf } from '../hosts/hosts.rules.ts'
import { findHost } from '../hosts/hosts.service.ts'
import type { MachineRow } from '../hosts/machines.rules.ts'
import { findMachine } from '../hosts/machines.service.ts'
import { allocationAt, stepsFrom } from '../hosts/victims.rules.ts'
import type { InstanceRow } from '../instances/instances.rules.ts'
import { loadInstance } from '../instances/instances.service.ts'
import { explainBoot, explainWaiting, forecastReduction } from './instance-explain.rules.ts'
import { readHosts } from './open-hosts.service.ts'
import type { PlacementInstance } from './placement.rules.ts'
import { type Demand, readDemand, searchFor } from './placement.service.ts'
import { allocationAround, type ReductionCause } from './reduction-causes.rules.ts'
import { causesOfReductions } from './reduction-causes.service.ts'

type WaitingExplanation = NonNullable<InstanceExplanation['waiting']>
type Boot = NonNullable<InstanceExplanation['boot']>
type Termination = NonNullable<InstanceExplanation['termination']>

const waitingTexts: Record<WaitingReason, string> = {
  no_allocation: 'The pool has no allocation of the SKU now.',
  outranked: 'The allocation of the pool is used by instances that run or rank higher.',
  no_free_host: 'No host that accepts instances has a suitable free slot.',
  host_unreachable: 'Its host does not answer.',
  predecessor_stopping: 'It waits for its predecessor to stop.',
  no_public_ipv4: 'No host with a free slot has a free public IPv4 address.',
}

const bootTexts: Record<BootReason, string> = {
  fetching_image: 'Its host is downloading the image.',
  starting: 'Its host is starting the machine.',
  start_retry: 'A start failed. Its host retries.',
}

const endTexts: Record<TerminationReason, string> = {
  user: 'It was terminated on request',
  guest_shutdown: 'The guest powered off',
  replaced: 'It was replaced by another instance',
  deployment_deleted: 'Its deployment was deleted',
  scaled_down: 'Its deployment was scaled down',
  allocation_ended: 'The allocation of its pool ends',
  sold: 'Allocation of its pool was sold',
  transferred: 'Allocation of its pool was moved to another pool',
  host_retired: 'Its host is taken out of service',
  host_unfit: 'Its host no longer has the hardware of its SKU',
  host_lost: 'Its host was lost',
}

const reductionReasons: readonly TerminationReason[] = ['allocation_ended', 'sold', 'transferred']

/** Explains why an instance waits, is still booting, will end or has ended. */
export async function explainInstance(ctx: Ctx, ref: Ref<'instance'>): Promise<InstanceExplanation> {
  const row = await loadInstance(ctx, ref)
  await allow(ctx, 'instance:read', row)
  const [demand, machine] = await Promise.all([readDemand(ctx, row), findMachine(ctx, row.id)])
  const placement = demand.instances.find(({ id }) => id === row.id)
  // The instance may have ended between the two reads; then nothing is said about its waiting.
  const waiting = row.state === 'awaiting_allocation' && placement ? await waitingOf(ctx, row, demand, placement) : null
  const boot = row.state === 'running' && machine ? bootOf(machine) : null
  const termination = await terminationOf(ctx, row, demand)
  return {
    object: 'instance_explanation',
    instance: row.id,
    state: row.state,
    as_of: ctx.now,
    summary: summaryOf(row, { waiting, boot, termination, machine }),
    waiting,
    boot,
    termination,
    connection_lost_at: row.connection_lost_at,
    replaces: row.replaces,
    replaced_by: row.replaced_by,
  }
}

async function waitingOf(
  ctx: Ctx,
  row: InstanceRow,
  demand: Demand,
  placement: PlacementInstance,
): Promise<WaitingExplanation> {
  const { rows, allocation, instances } = demand
  const search = searchFor(rows, allocation, ctx.now)
  const [hosts, unreachable_hosts, host] = await Promise.all([
    readHosts(ctx, row, search),
    readHosts(ctx, row, { ...search, health: 'unreachable' }),
    placement.slot ? findHost(ctx, placement.slot.host_id) : undefined,
  ])
  const input = { now: ctx.now, known_until: null, allocation, instances, hosts }
  const does_host_answer = host?.health !== 'unreachable'
  const facts = explainWaiting({ input, instance: placement, unreachable_hosts, does_host_answer })
  return {
    reasons: facts.reasons.map((code) => ({ code, message: waitingTexts[code] })),
    next_allocation_at: facts.next_allocation_at,
    rank: facts.rank,
    pool_allocation_now: facts.allocation_now,
    pool_instances_now: facts.in_use,
  }
}

function bootOf(machine: MachineRow): Boot | null {
  const codes = explainBoot(machine)
  if (!codes) return null
  const failed = machine.reason === null ? '' : ` Reported reason: ${machine.reason}.`
  const textOf = (code: BootReason) => (code === 'start_retry' ? bootTexts[code] + failed : bootTexts[code])
  return { reasons: codes.map((code) => ({ code, message: textOf(code) })) }
}

async function terminationOf(ctx: Ctx, row: InstanceRow, demand: Demand): Promise<Termination | null> {
  if (row.state === 'awaiting_allocation') return null
  if (row.termination_reason !== null || row.notice_reason !== null) {
    const reason = (row.termination_reason ?? row.notice_reason) as TerminationReason
    const at = row.deadline_at ?? row.terminated_at ?? ctx.now
    const cause = reductionReasons.includes(reason) ? await causeOf(ctx, row, at) : undefined
    return presentTermination(row, {
      reason,
      deadline_at: row.deadline_at,
      ...(await allocationOf(ctx, row, { at, cause })),
    })
  }
  const reduction = forecastReduction({ now: ctx.now, known_until: null, ...demand, hosts: [] }, row.id)
  if (!reduction) return null
  const { at } = reduction
  const cause = reduction.cause === 'allocation' ? await causeOf(ctx, row, at) : undefined
  const host = demand.rows.find(({ id }) => id === row.id)
  const end = host?.host_state && hostEndOf({ ...host, state: host.host_state })
  const reason = cause?.reason ?? end?.reason ?? 'host_retired'
  return presentTermination(row, { reason, deadline_at: at, ...(await allocationOf(ctx, row, { at, cause })) })
}

type EndExplanation = Pick<Termination, 'reason' | 'deadline_at' | 'allocation_before' | 'allocation_after'>

function presentTermination(row: InstanceRow, end: EndExplanation): Termination {
  return {
    reason: end.reason,
    notice_at: row.notice_at,
    deadline_at: end.deadline_at,
    ended_at: row.terminated_at,
    allocation_before: end.allocation_before,
    allocation_after: end.allocation_after,
    priority_level: row.priority_level,
    rule: victimRule,
  }
}

async function causeOf(ctx: Ctx, row: InstanceRow, reduced_at: number): Promise<ReductionCause | undefined> {
  const [cause] = await causesOfReductions(ctx, row, [{ reduced_at, running_at: row.running_at ?? reduced_at }])
  return cause
}

type ExplainedReduction = { readonly at: number; readonly cause: ReductionCause | undefined }

/** The allocation before and after the reduction. Both are equal unless the instance ends for lack of allocation. */
async function allocationOf(ctx: Ctx, row: InstanceRow, { at, cause }: ExplainedReduction) {
  const steps = stepsFrom(await readAllocation(ctx, row), 0)
  if (!cause) {
    const then = allocationAt(steps, row.terminated_at ?? at)
    return { allocation_before: then, allocation_after: then }
  }
  const { before, after } = allocationAround(steps, at)
  return { allocation_before: cause.node_count ? after + cause.node_count : before, allocation_after: after }
}

type ExplanationParts = {
  readonly waiting: WaitingExplanation | null
  readonly boot: Boot | null
  readonly termination: Termination | null
  readonly machine: MachineRow | undefined
}

function summaryOf(row: InstanceRow, { waiting, boot, termination, machine }: ExplanationParts): string {
  if (waiting) {
    if (waiting.reasons[0]) return waiting.reasons[0].message
    return machine ? 'It is placed, but its host has not reported it yet.' : 'It is about to be placed.'
  }
  if (row.state === 'terminated') {
    return `${endTexts[termination?.reason ?? 'user']}; it ended at ${timeOf(row.terminated_at ?? row.updated_at)}.`
  }
  const end = termination?.deadline_at ? ` ${endTexts[termination.reason]}: it ends at ${momentOf(termination)}.` : ''
  if (row.state === 'failed') return `The machine failed${machine?.reason ? `: ${machine.reason}` : ''}.${end}`
  if (row.connection_lost_at !== null) return `Its host has not reported since ${timeOf(row.connection_lost_at)}.${end}`
  if (boot?.reasons[0]) return `${boot.reasons[0].message}${end}`
  return end === '' ? 'It runs, and no end is scheduled.' : `It runs.${end}`
}

function momentOf({ deadline_at, notice_at }: Termination): string {
  const time = timeOf(deadline_at as number)
  return notice_at === null ? `${time}, as far as is known` : time
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}
