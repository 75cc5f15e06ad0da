import type { TerminationReason } from '@bourse/api/fleet/explanations.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { type HostRow, hostEndOf, isOpenHost } from '../hosts/hosts.rules.ts'
import { lockHosts } from '../hosts/hosts.service.ts'
import type { MachineRow } from '../hosts/machines.rules.ts'
import {
  bumpGenerations,
  findMachines,
  listMachinesOn,
  placeMachines,
  stopMachines,
  subnetPeersChanged,
} from '../hosts/machines.service.ts'
import {
  endInstances,
  giveNotice,
  lockInstances,
  moveDeadline,
  withdrawNotice,
} from '../instances/instance-changes.service.ts'
import type { InstanceRow } from '../instances/instances.rules.ts'
import { findInstances } from '../instances/instances.service.ts'
import { listTakenPublicAddresses } from './open-hosts.service.ts'
import type { LivingRow, PlacementPlan, PlannedDeadline, PlannedEnd } from './placement.rules.ts'
import { type PlacedAddress, updatePlacedInstances } from './placement-plans.store.ts'
import type { ReductionCause } from './reduction-causes.rules.ts'
import { causesOfReductions } from './reduction-causes.service.ts'

type PlannedStart = PlacementPlan['starts'][number]

/**
 * Applies a plan that was made from `rows`. Locks what the plan changes, instances before hosts, and skips everything
 * that has changed since the plan was made. True if nothing was skipped, so that no new plan is needed.
 */
export async function carryOut(ctx: Ctx, plan: PlacementPlan, rows: readonly LivingRow[]): Promise<boolean> {
  const touched = touchedBy(plan)
  if (touched.length === 0) return true
  const plannedRow = new Map(rows.map((row) => [row.id, row]))
  const [, instances, machines] = await Promise.all([
    lockInstances(ctx, touched),
    findInstances(ctx, touched),
    findMachines(ctx, touched),
  ])
  const standing = new Map(machines.map((machine) => [machine.instance_id, machine]))
  // All hosts are locked at once and before they are changed, so that two steps never deadlock.
  const hostIds = [...machines.map(({ host_id }) => host_id), ...plan.starts.map(({ host_id }) => host_id)]
  const hosts = await lockHosts(ctx, [...new Set(hostIds)])
  const unchanged = new Map(
    instances.flatMap((row) => (isUnchanged(plannedRow.get(row.id), row, standing.get(row.id)) ? [[row.id, row]] : [])),
  )
  const isThere = ({ instance_id }: { instance_id: Id<'instance'> }) => unchanged.has(instance_id)
  await stopMachines(
    ctx,
    plan.returns.filter((id) => unchanged.has(id)),
  )
  const isPlaced = await start(ctx, plan.starts.filter(isThere), { hosts, instances: unchanged })
  const reasons = await reasonsOf(ctx, plan, { instances: unchanged, rows: plannedRow })
  const asNotice = ({ instance_id: id, deadline_at }: PlannedDeadline) => ({ id, deadline_at, ...reasonFor(id) })
  const reasonFor = (id: Id<'instance'>) => ({ reason: reasons.get(id) as TerminationReason })
  await giveNotice(ctx, plan.notices.filter(isThere).map(asNotice))
  // A reduction that moved forward also moves the deadline, even if the instance then ends now.
  const early = plan.ends.filter(({ instance_id }) => (unchanged.get(instance_id)?.deadline_at ?? 0) > ctx.now)
  const moves = [...plan.deadline_moves, ...early.map((end) => ({ ...end, deadline_at: ctx.now }))]
  await moveDeadline(ctx, moves.filter(isThere).map(asNotice))
  await withdrawNotice(
    ctx,
    plan.withdrawals.filter((id) => unchanged.has(id)),
  )
  await bumpGenerations(ctx, hostsOfNotices(plan, standing))
  await endInstances(
    ctx,
    plan.ends.filter(isThere).map(({ instance_id: id }) => ({ id, ...reasonFor(id) })),
  )
  return isPlaced && unchanged.size === touched.length
}

/** The reason of each notice, moved deadline or end: its host, or the cause of the capacity reduction. */
async function reasonsOf(
  ctx: Ctx,
  { notices, deadline_moves, ends }: PlacementPlan,
  { instances, rows }: { instances: ReadonlyMap<string, InstanceRow>; rows: ReadonlyMap<string, LivingRow> },
): Promise<ReadonlyMap<string, TerminationReason>> {
  const going: { at: number; cause: PlannedEnd['cause']; instance: InstanceRow }[] = []
  for (const { instance_id, cause, ...end } of [...notices, ...deadline_moves, ...ends]) {
    const instance = instances.get(instance_id)
    if (instance) going.push({ at: 'deadline_at' in end ? (end.deadline_at as number) : ctx.now, cause, instance })
  }
  const reasons = new Map(
    going.map(({ instance }): [string, TerminationReason] => [instance.id, hostReason(rows.get(instance.id))]),
  )
  const reduced = going.filter(({ cause }) => cause === 'allocation')
  const [first] = reduced
  if (!first) return reasons
  const reductions = reduced.map(({ at, instance }) => ({ reduced_at: at, running_at: instance.running_at ?? at }))
  const causes = await causesOfReductions(ctx, first.instance, reductions)
  for (const [index, { instance }] of reduced.entries())
    reasons.set(instance.id, (causes[index] as ReductionCause).reason)
  return reasons
}

function hostReason(row: LivingRow | undefined): TerminationReason {
  const end = row?.host_state && hostEndOf({ ...row, state: row.host_state })
  return end?.reason ?? 'host_retired'
}

function touchedBy({ starts, returns, notices, deadline_moves, withdrawals, ends }: PlacementPlan): Id<'instance'>[] {
  const planned = [...starts, ...notices, ...deadline_moves, ...ends].map(({ instance_id }) => instance_id)
  return [...planned, ...returns, ...withdrawals]
}

/** Whether a locked instance is unchanged since the plan was made. */
function isUnchanged(plannedRow: LivingRow | undefined, row: InstanceRow, machine: MachineRow | undefined): boolean {
  if (
    plannedRow?.state !== row.state ||
    plannedRow.notice_at !== row.notice_at ||
    plannedRow.deadline_at !== row.deadline_at
  )
    return false
  return plannedRow.host_id === (machine?.host_id ?? null) && plannedRow.action === (machine?.action ?? null)
}

/** Guests read their deadline from their host, so its agent must be notified. */
function hostsOfNotices(plan: PlacementPlan, standing: ReadonlyMap<string, MachineRow>): Id<'host'>[] {
  const notified = [...plan.notices, ...plan.deadline_moves].map(({ instance_id }) => instance_id)
  return [...new Set([...notified, ...plan.withdrawals].flatMap((id) => standing.get(id)?.host_id ?? []))]
}

type PlacementRows = { readonly hosts: readonly HostRow[]; readonly instances: ReadonlyMap<string, InstanceRow> }

/** Takes the planned slots that are still free. False if a new plan would choose other slots. */
async function start(ctx: Ctx, starts: readonly PlannedStart[], { hosts, instances }: PlacementRows): Promise<boolean> {
  if (starts.length === 0) return true
  const open = new Map(hosts.filter(isOpenHost).map((host) => [host.id, host]))
  const [machines, taken] = await Promise.all([
    listMachinesOn(ctx, [...open.keys()]),
    listTakenPublicAddresses(ctx, publicAddresses(starts, { hosts, instances })),
  ])
  const used = new Set(machines.map(({ host_id, slot }) => `${host_id} ${slot}`))
  const free = starts.filter(({ host_id, slot }) => open.has(host_id) && !used.has(`${host_id} ${slot}`))
  const addressed = free.flatMap((start) => {
    const instance = instances.get(start.instance_id) as InstanceRow
    const address = addressFor(instance, open.get(start.host_id) as HostRow, taken)
    return address === undefined ? [] : [{ start, address: { id: instance.id, public_ip: address } }]
  })
  await placeMachines(
    ctx,
    addressed.map(({ start }) => start),
  )
  const addresses: PlacedAddress[] = addressed.map(({ address }) => address)
  await updatePlacedInstances(ctx.db, addresses)
  for (const { id } of addresses) {
    const subnetId = instances.get(id)?.subnet_id
    if (subnetId) ctx.publish(subnetPeersChanged, subnetId)
  }
  return free.length === starts.length
}

function publicAddresses(starts: readonly PlannedStart[], { hosts, instances }: PlacementRows): string[] {
  const wanting = starts.filter(({ instance_id }) => instances.get(instance_id)?.enable_public_ipv4)
  const ids = new Set(wanting.map(({ host_id }) => host_id))
  return hosts.filter(({ id }) => ids.has(id)).flatMap(({ facts }) => facts.public_ipv4s)
}

/** The address that the instance already has if it is one of the host, else a free one, which is marked as taken. */
function addressFor(instance: InstanceRow, { facts }: HostRow, taken: Set<string>): string | null | undefined {
  if (!instance.enable_public_ipv4) return null
  const { public_ip } = instance
  if (public_ip !== null && facts.public_ipv4s.includes(public_ip)) return public_ip
  const address = facts.public_ipv4s.find((one) => !taken.has(one))
  if (address !== undefined) taken.add(address)
  return address
}
