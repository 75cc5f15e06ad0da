import type { EventAction } from '@bourse/api/events/actions.ts'
import type { TerminationReason } from '@bourse/api/fleet/explanations.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { daySeconds, weekSeconds } from '@bourse/text/time/units.ts'
import type { Actor, Ctx } from '../../core/work/ctx.ts'
import { returnLimit } from '../../iam/names/limit-usage.service.ts'
import { allocationKey } from '../../market/pools/capacity.service.ts'
import { freeAddresses } from '../../network/subnets.service.ts'
import { instancesChanged, stopMachines } from '../hosts/machines.service.ts'
import {
  type ChangedInstance,
  changePlainly,
  type EndedInstance,
  instanceLock,
  markInstancesDeleted,
  removeAddresses,
  removeConsoles,
  removeInstances,
  updateDeadlines,
  updateDeploymentSlots,
  updateNotices,
  updateToTerminated,
} from './instance-writes.store.ts'
import { listReleasedInstances } from './instances.store.ts'

/** Topic of `ctx.publish`: the firewall of an instance has changed. The key is the id of the instance. */
export const instanceNetworkChanged = 'fleet.instance_network_changed'
/**
 * Topic of `ctx.publish`: a member of a fleet was created or changed its state. The key is the id of the deployment.
 */
export const deploymentMembersChanged = 'deployment.fleet_changed'

/** Kind of the due rows that remove the record of an ended instance. The key is its id. */
export const instancePurge = 'fleet.instance_purge'
/** Kind of the due rows that erase the user data of an ended instance. The key is its id. */
export const userDataErasure = 'fleet.user_data_erasure'

/** How long the record of an ended instance is kept (docs/concepts/instances.md, "End"). */
export const instanceKeptSeconds = weekSeconds
/** How long the user data of an ended instance is kept (docs/concepts/instances.md, "User data"). */
export const userDataKeptSeconds = daySeconds

/** A notice to give, or one whose deadline moves. */
type InstanceNotice = { readonly id: Id<'instance'>; readonly deadline_at: number; readonly reason?: TerminationReason }

/** Who is notified of a change. Placement is not if the change gives it nothing new to do. */
type ChangeScope = ChangeAuthor & { readonly concerns_placement?: boolean }

/** The author of the events of a change, where it is not that of the command. */
type ChangeAuthor = { readonly actor?: Actor }

/** An instance to end, and why. */
type InstanceEnd = { readonly id: Id<'instance'>; readonly reason: TerminationReason }

/**
 * Locks instances (rank `instances`), as all changes below require. Returns the ids that exist. A statement that is
 * sent after this one, even before its answer, sees what the previous holder of the locks committed.
 */
export function lockInstances(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<Id<'instance'>[]> {
  return ctx.lock(instanceLock, ids) as Promise<Id<'instance'>[]>
}

/**
 * Marks waiting instances as running after their hosts have reported them. Other instances are skipped. Returns the
 * changed ids.
 */
export function markRunning(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<Id<'instance'>[]> {
  return changeAndNotify(ctx, 'running', ids, 'instance.running')
}

/** Marks running instances as failed; they still use allocation. Others are skipped. Returns the changed ids. */
export function markFailed(
  ctx: Ctx,
  ids: readonly Id<'instance'>[],
  author: ChangeAuthor = {},
): Promise<Id<'instance'>[]> {
  return changeAndNotify(ctx, 'failed', ids, 'instance.failed', author)
}

/** Records that running instances are unreachable, once until {@link recordConnectionBack}. Returns the changed ids. */
export function recordConnectionLost(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<Id<'instance'>[]> {
  return changeAndNotify(ctx, 'connection_lost', ids, 'instance.connection_lost')
}

/**
 * Records that instances are reachable again, without an event. Placement is not woken: the instances kept their slots,
 * and whatever waits for a slot is woken when the host returns. Otherwise a fleet that reconnects would be planned
 * again for every report.
 */
export async function recordConnectionBack(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<Id<'instance'>[]> {
  if (ids.length === 0) return []
  const back = await changePlainly(ctx.db, 'connection_back', ids, ctx.now)
  return notifyChanged(ctx, ids, back, undefined, { concerns_placement: false })
}

/** Withdraws notices. Instances without a notice are skipped. Returns the changed ids. */
export function withdrawNotice(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<Id<'instance'>[]> {
  return changeAndNotify(ctx, 'notice_withdrawn', ids, 'instance.termination_withdrawn')
}

/** Gives notice to running and failed instances. Those that already have a notice are skipped. */
export async function giveNotice(ctx: Ctx, notices: readonly InstanceNotice[]): Promise<Id<'instance'>[]> {
  if (notices.length === 0) return []
  const found = await updateNotices(ctx.db, notices.map(withReason), ctx.now)
  return notifyChanged(ctx, notices.map(idOf), found, 'instance.termination_imminent')
}

/** Moves the deadlines of existing notices, without an event. */
export async function moveDeadline(ctx: Ctx, notices: readonly InstanceNotice[]): Promise<Id<'instance'>[]> {
  if (notices.length === 0) return []
  const found = await updateDeadlines(ctx.db, notices.map(withReason), ctx.now)
  return notifyChanged(ctx, notices.map(idOf), found, undefined)
}

/**
 * Ends instances. Those that have already ended are skipped. Returns their use to the limit, schedules the erasure of
 * user data and the removal of records, and frees the addresses of instances without a machine. Returns the changed
 * ids.
 */
export async function endInstances(
  ctx: Ctx,
  ends: readonly InstanceEnd[],
  author: ChangeAuthor = {},
): Promise<Id<'instance'>[]> {
  if (ends.length === 0) return []
  const ended = await updateToTerminated(ctx.db, ends, ctx.now)
  const machineless = ended.filter(({ has_machine }) => !has_machine).map(idOf)
  const freed = [...returnLimits(ctx, ended), clearAddresses(ctx, machineless)]
  const stopped = stopMachines(ctx, ended.filter(({ has_machine }) => has_machine).map(idOf))
  for (const endedOne of ended) planRemains(ctx, endedOne)
  const changedRow = notifyChanged(ctx, ends.map(idOf), ended, 'instance.terminated', author)
  await Promise.all([stopped, ...freed])
  return changedRow
}

/** Ends one instance. False if it had already ended. */
export async function endInstance(ctx: Ctx, id: Id<'instance'>, reason: TerminationReason): Promise<boolean> {
  return (await endInstances(ctx, [{ id, reason }])).length > 0
}

/** Schedules the removal of the record and of the user data of an ended instance. */
export function planRemains(ctx: Ctx, { id, user_data_used }: Pick<EndedInstance, 'id' | 'user_data_used'>): void {
  ctx.schedule(instancePurge, id, ctx.now + instanceKeptSeconds)
  if (user_data_used) ctx.schedule(userDataErasure, id, ctx.now + userDataKeptSeconds)
}

/**
 * Frees the addresses of ended instances whose machines are gone, and removes records that were deleted before. Called
 * when the rows of the machines are removed, with the instances locked.
 */
export async function forgetMachines(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<void> {
  const released = await releaseAddresses(ctx, ids)
  if (released.length > 0) await removeInstances(ctx.db, released)
}

/**
 * Frees the addresses of those of some instances that have ended, even if their machines still exist. Returns their
 * ids.
 */
export async function releaseAddresses(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<Id<'instance'>[]> {
  const released = ids.length === 0 ? [] : await listReleasedInstances(ctx.db, ids)
  await clearAddresses(ctx, released)
  return released
}

/**
 * Removes the records of locked, ended instances with their consoles and due rows. The caller releases the names before
 * it locks. The row of an instance whose machine still exists stays, marked as deleted, until {@link forgetMachines}.
 */
export async function removeRecords(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<void> {
  const [, marked] = await Promise.all([removeConsoles(ctx.db, ids), markInstancesDeleted(ctx.db, ids, ctx.now)])
  const free = marked.filter(({ has_machine }) => !has_machine).map(idOf)
  for (const { id } of marked) {
    ctx.unschedule(instancePurge, id)
    ctx.unschedule(userDataErasure, id)
  }
  await clearAddresses(ctx, free)
  if (free.length > 0) await removeInstances(ctx.db, free)
}

/** Emits one event for each instance, in the given order, and wakes placement and deployments. */
export function notifyChanged(
  ctx: Ctx,
  order: readonly Id<'instance'>[],
  changed: readonly ChangedInstance[],
  action: EventAction | undefined,
  { actor = ctx.actor, concerns_placement = true }: ChangeScope = {},
): Id<'instance'>[] {
  const byId = new Map(changed.map((row) => [row.id, row]))
  const changedRow = order.flatMap((id) => byId.get(id) ?? [])
  for (const { id, account_id, workspace_id, pool_id, sku_id, deployment_id } of changedRow) {
    if (action) ctx.emit({ account_id, workspace_id, action, target_type: 'instance', target_id: id, actor })
    if (concerns_placement) ctx.publish(instancesChanged, allocationKey({ pool_id, sku_id }))
    if (deployment_id !== null) ctx.publish(deploymentMembersChanged, deployment_id)
  }
  return changedRow.map(idOf)
}

async function changeAndNotify(
  ctx: Ctx,
  which: Parameters<typeof changePlainly>[1],
  ids: readonly Id<'instance'>[],
  action: EventAction | undefined,
  author: ChangeAuthor = {},
): Promise<Id<'instance'>[]> {
  if (ids.length === 0) return []
  return notifyChanged(ctx, ids, await changePlainly(ctx.db, which, ids, ctx.now), action, author)
}

async function clearAddresses(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<void> {
  if (ids.length > 0) await Promise.all([freeAddresses(ctx, ids), removeAddresses(ctx.db, ids)])
}

function returnLimits(ctx: Ctx, ended: readonly EndedInstance[]): Promise<void>[] {
  const counts = new Map<string, number>()
  for (const { account_id } of ended) counts.set(account_id, (counts.get(account_id) ?? 0) + 1)
  return [...counts].map(([account_id, count]) => returnLimit(ctx, account_id, 'instances', count))
}

function withReason({ id, deadline_at, reason = undefined }: InstanceNotice) {
  return { id, deadline_at, reason: reason ?? null }
}

function idOf<T extends { readonly id: Id<'instance'> }>({ id }: T): Id<'instance'> {
  return id
}

/** Moves locked members to other slots of their deployment, which are free. */
export async function moveMembers(
  ctx: Ctx,
  moves: readonly { readonly instance_id: Id<'instance'>; readonly deployment_slot: number }[],
): Promise<void> {
  const rows = moves.map(({ instance_id, deployment_slot }) => ({ id: instance_id, slot: deployment_slot }))
  if (rows.length > 0) await updateDeploymentSlots(ctx.db, rows, ctx.now)
}
