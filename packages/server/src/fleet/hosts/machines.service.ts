import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { MachineRow, ReportedMachineRow } from './machines.rules.ts'
import {
  hasUnreported,
  hostsOfInstancesLock,
  insertMachines,
  listMachines,
  listReportedMachines as listReported,
  listTakenSlots,
  raiseGenerations,
  type SlotClaim,
  type TakenSlotRow,
  type ToldHost,
  updateToStop,
} from './machines.store.ts'

/**
 * Topic of `ctx.wake`: what is to be placed or ended of a pool and SKU has changed. The key is `<pool id>/<sku id>`.
 */
export const instancesChanged = 'fleet.instances_changed'
/** Topic of `ctx.wake`: slots of a SKU may have become free. The key is the SKU's id. */
export const slotsChanged = 'fleet.slots_changed'
/** Topic of `ctx.wake`: a draining host has fewer machines. The key is its id. */
export const slotsFreedOnDraining = 'fleet.slots_freed_on_draining'
/** Topic of `ctx.wake`: a host inside the process is to run something else than before. The key is its id. */
export const hostTold = 'fleet.host_told'
/** Topic of `ctx.wake`: a machine on a host that does not answer is to stop. The key is the host's id. */
export const stopUnanswered = 'fleet.stop_unanswered'
/** Topic of `ctx.wake`: the machines of a subnet stand elsewhere than before. The key is its id. */
export const subnetPeersChanged = 'fleet.subnet_peers_changed'

/** Gives instances their slots and lets the hosts run them. Instances and hosts are locked, the slots are free. */
export async function placeMachines(ctx: Ctx, claims: readonly SlotClaim[]): Promise<void> {
  if (claims.length > 0) wakeTold(ctx, await insertMachines(ctx.db, claims, ctx.now))
}

/**
 * Asks for the stop of whatever machines some instances have; the slots stay theirs until the hosts report them gone.
 * The instances are locked, the hosts get locked (rank `hosts`).
 */
export async function stopMachines(ctx: Ctx, instance_ids: readonly Id<'instance'>[]): Promise<void> {
  if (instance_ids.length === 0) return
  const [, told] = await Promise.all([ctx.lock(hostsOfInstancesLock, instance_ids), updateToStop(ctx.db, instance_ids)])
  wakeTold(ctx, told)
  for (const { id, health } of told) if (health === 'unreachable') ctx.wake(stopUnanswered, id)
}

/** Lets hosts that are locked fetch their desired state again, as something in it has changed. */
export async function tellHosts(ctx: Ctx, host_ids: readonly Id<'host'>[]): Promise<ToldHost[]> {
  const told = host_ids.length === 0 ? [] : await raiseGenerations(ctx.db, host_ids)
  wakeTold(ctx, told)
  return told
}

/** The machine of an instance; undefined where it has none. */
export async function findMachine(ctx: Ctx, instance_id: Id<'instance'>): Promise<MachineRow | undefined> {
  return (await findMachines(ctx, [instance_id]))[0]
}

/** The machines of some instances, of those that have one. */
export function findMachines(ctx: Ctx, instance_ids: readonly Id<'instance'>[]): Promise<MachineRow[]> {
  return listMachines(ctx.db, instance_ids)
}

/** Which slots of some hosts are taken, and by which instances. */
export function listMachinesOn(ctx: Ctx, host_ids: readonly Id<'host'>[]): Promise<TakenSlotRow[]> {
  return listTakenSlots(ctx.db, host_ids)
}

/** The machines of some hosts, with what a report about them depends on. */
export function listReportedMachines(ctx: Ctx, host_ids: readonly Id<'host'>[]): Promise<ReportedMachineRow[]> {
  return listReported(ctx.db, host_ids)
}

/** Whether a host that answers has still to say a first word of a machine. */
export function hasUnreportedMachines(ctx: Ctx): Promise<boolean> {
  return hasUnreported(ctx.db)
}

function wakeTold(ctx: Ctx, told: readonly ToldHost[]): void {
  for (const { id, is_simulated } of told) if (is_simulated) ctx.wake(hostTold, id)
}
