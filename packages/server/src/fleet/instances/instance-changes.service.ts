import type { EventAction } from '@bourse/api/events/actions.ts'
import type { TerminationReason } from '@bourse/api/fleet/explanations.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { returnLimit } from '../../iam/accounts/limits.service.ts'
import { keyOf } from '../../market/pools/capacity.service.ts'
import { freeAddresses } from '../../network/subnets.service.ts'
import { instancesChanged, stopMachines } from '../hosts/machines.service.ts'
import {
  type ChangedInstance,
  changePlainly,
  type EndedInstance,
  instanceLock,
  listReleasedInstances,
  markInstancesDeleted,
  removeAddresses,
  removeConsoles,
  removeInstances,
  updateDeadlines,
  updateNotices,
  updateToTerminated,
} from './instance-changes.store.ts'

/** Topic of `ctx.wake`: an instance has another firewall or other rights on the network. The key is its id. */
export const instanceNetworkChanged = 'fleet.instance_network_changed'
/** Topic of `ctx.wake`: a member of a fleet was made, changed its state or ended. The key is the deployment's id. */
export const fleetChanged = 'deployment.fleet_changed'

/** The kind of due rows that remove the record of an ended instance. The key is its id. */
export const instancePurge = 'fleet.instance_purge'
/** The kind of due rows that erase the user data of an ended instance. The key is its id. */
export const userDataErasure = 'fleet.user_data_erasure'

/** Seconds that an ended instance is kept (docs/concepts/instances.md, "End"). */
export const INSTANCE_KEPT_SECONDS = 7 * 86_400
/** Seconds that the user data of an ended instance is kept (docs/concepts/instances.md, "User data"). */
export const USER_DATA_KEPT_SECONDS = 86_400

/** A notice to give, or the deadline to move it to. */
export type Notice = { readonly id: Id<'instance'>; readonly deadline_at: number; readonly reason?: TerminationReason }

/** Whom a change concerns: placement is left out where it could not do anything that it could not do before. */
export type News = { readonly concerns_placement?: boolean }

/** An end to carry out. */
export type End = { readonly id: Id<'instance'>; readonly reason: TerminationReason }

/**
 * Locks instances (rank `instances`) for the changes below, which all want them locked; gives the ids that are there.
 * Sent without waiting for the answer, whatever is sent behind it sees what the last holder left.
 */
export function lockInstances(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<Id<'instance'>[]> {
  return ctx.lock(instanceLock, ids) as Promise<Id<'instance'>[]>
}

/**
 * Lets waiting instances run: their hosts told of their machines. Others are passed over. Gives the ids it was news
 * for.
 */
export function markRunning(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<Id<'instance'>[]> {
  return changeAndTell(ctx, 'running', ids, 'instance.running')
}

/** Lets running instances fail; they still count. Others are passed over. Gives the ids it was news for. */
export function markFailed(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<Id<'instance'>[]> {
  return changeAndTell(ctx, 'failed', ids, 'instance.failed')
}

/**
 * Notes that running instances no longer answer, once until {@link noteConnectionBack}. Gives the ids it was news for.
 */
export function noteConnectionLost(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<Id<'instance'>[]> {
  return changeAndTell(ctx, 'connection_lost', ids, 'instance.connection_lost')
}

/**
 * Notes that instances answer again, without event. That concerns no placement: they held their slots all the while,
 * and whoever waits for a slot of their host hears that it is back. Else a fleet that comes back would be planned over
 * and over.
 */
export async function noteConnectionBack(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<Id<'instance'>[]> {
  if (ids.length === 0) return []
  const back = await changePlainly(ctx.db, 'connection_back', ids, ctx.now)
  return tell(ctx, ids, back, undefined, { concerns_placement: false })
}

/** Withdraws notices. Instances without one are passed over. Gives the ids it was news for. */
export function withdrawNotice(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<Id<'instance'>[]> {
  return changeAndTell(ctx, 'notice_withdrawn', ids, 'instance.termination_withdrawn')
}

/** Tells running and failed instances when they will end. Those that have a notice are passed over. */
export async function giveNotice(ctx: Ctx, notices: readonly Notice[]): Promise<Id<'instance'>[]> {
  if (notices.length === 0) return []
  const found = await updateNotices(ctx.db, notices.map(withReason), ctx.now)
  return tell(ctx, notices.map(idOf), found, 'instance.termination_imminent')
}

/** Moves the deadlines of notices that stand, without event. */
export async function moveDeadline(ctx: Ctx, notices: readonly Notice[]): Promise<Id<'instance'>[]> {
  if (notices.length === 0) return []
  const found = await updateDeadlines(ctx.db, notices.map(withReason), ctx.now)
  return tell(ctx, notices.map(idOf), found, undefined)
}

/**
 * Ends instances; those that have ended are passed over. Gives back what they used of the limit, plans their erasure
 * and purge, and frees the addresses of those that have no machine. Gives the ids it was news for, in order.
 */
export async function endInstances(ctx: Ctx, ends: readonly End[]): Promise<Id<'instance'>[]> {
  if (ends.length === 0) return []
  const ended = await updateToTerminated(ctx.db, ends, ctx.now)
  const machineless = ended.filter(({ has_machine }) => !has_machine).map(idOf)
  const freed = [...returnLimits(ctx, ended), dropAddresses(ctx, machineless)]
  const stopped = stopMachines(ctx, ended.filter(({ has_machine }) => has_machine).map(idOf))
  for (const one of ended) planRemains(ctx, one)
  const told = tell(ctx, ends.map(idOf), ended, 'instance.terminated')
  await Promise.all([stopped, ...freed])
  return told
}

/** Ends one instance; false where it had ended before. */
export async function endInstance(ctx: Ctx, id: Id<'instance'>, reason: TerminationReason): Promise<boolean> {
  return (await endInstances(ctx, [{ id, reason }])).length > 0
}

/** Plans what is due after the end of an instance. */
export function planRemains(ctx: Ctx, { id, user_data_used }: Pick<EndedInstance, 'id' | 'user_data_used'>): void {
  ctx.due(instancePurge, id, ctx.now + INSTANCE_KEPT_SECONDS)
  if (user_data_used) ctx.due(userDataErasure, id, ctx.now + USER_DATA_KEPT_SECONDS)
}

/**
 * What is left of ended instances once their machines are gone: the addresses are free, and so are records that were
 * deleted meanwhile. Call it when the rows of the machines are removed, with the instances locked.
 */
export async function forgetMachines(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<void> {
  const released = await releaseAddresses(ctx, ids)
  if (released.length > 0) await removeInstances(ctx.db, released)
}

/**
 * Frees the addresses of the ended ones among some instances, whether or not their machines are gone. Gives their ids.
 */
export async function releaseAddresses(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<Id<'instance'>[]> {
  const released = ids.length === 0 ? [] : await listReleasedInstances(ctx.db, ids)
  await dropAddresses(ctx, released)
  return released
}

/**
 * Removes the records of ended instances that are locked, and what was planned for them. Names are the caller's to
 * release before it locks. While a machine still stands for one its row stays, unseen, until {@link forgetMachines}.
 */
export async function removeRecords(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<void> {
  const [, marked] = await Promise.all([removeConsoles(ctx.db, ids), markInstancesDeleted(ctx.db, ids, ctx.now)])
  const free = marked.filter(({ has_machine }) => !has_machine).map(idOf)
  for (const { id } of marked) {
    ctx.clearDue(instancePurge, id)
    ctx.clearDue(userDataErasure, id)
  }
  await dropAddresses(ctx, free)
  if (free.length > 0) await removeInstances(ctx.db, free)
}

/** Emits one event for each instance, in the order given, and wakes whoever follows them. */
export function tell(
  ctx: Ctx,
  order: readonly Id<'instance'>[],
  changed: readonly ChangedInstance[],
  action: EventAction | undefined,
  { concerns_placement = true }: News = {},
): Id<'instance'>[] {
  const byId = new Map(changed.map((row) => [row.id, row]))
  const told = order.flatMap((id) => byId.get(id) ?? [])
  for (const { id, account_id, workspace_id, pool_id, sku_id, deployment_id } of told) {
    if (action) ctx.emit({ account_id, workspace_id, action, target_type: 'instance', target_id: id })
    if (concerns_placement) ctx.wake(instancesChanged, keyOf({ pool_id, sku_id }))
    if (deployment_id !== null) ctx.wake(fleetChanged, deployment_id)
  }
  return told.map(idOf)
}

async function changeAndTell(
  ctx: Ctx,
  which: Parameters<typeof changePlainly>[1],
  ids: readonly Id<'instance'>[],
  action: EventAction | undefined,
): Promise<Id<'instance'>[]> {
  if (ids.length === 0) return []
  return tell(ctx, ids, await changePlainly(ctx.db, which, ids, ctx.now), action)
}

async function dropAddresses(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<void> {
  if (ids.length > 0) await Promise.all([freeAddresses(ctx, ids), removeAddresses(ctx.db, ids)])
}

function returnLimits(ctx: Ctx, ended: readonly EndedInstance[]): Promise<void>[] {
  const counts = new Map<string, number>()
  for (const { account_id } of ended) counts.set(account_id, (counts.get(account_id) ?? 0) + 1)
  return [...counts].map(([account_id, count]) => returnLimit(ctx, account_id, 'instances', count))
}

function withReason({ id, deadline_at, reason = undefined }: Notice) {
  return { id, deadline_at, reason: reason ?? null }
}

function idOf<T extends { readonly id: Id<'instance'> }>({ id }: T): Id<'instance'> {
  return id
}
