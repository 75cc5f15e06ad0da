import type { Id } from '@bourse/api/kit/ids.ts'
import type { Db } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { MachineRow, ReportedMachineRow } from './machines.rules.ts'
import {
  hasUnreported,
  hostsOfInstancesLock,
  insertMachines,
  listMachines,
  listReportedMachines as listReported,
  listTakenSlots,
  type NotifiedHost,
  raiseAllGenerations,
  raiseGenerations,
  raiseGenerationsAbove,
  type SlotClaim,
  type TakenSlotRow,
  updateToStop,
} from './machines.store.ts'

/**
 * Topic of `ctx.publish`: the instances of a pool and SKU have changed in a way that matters to placement. The key is
 * `<pool id>/<sku id>`.
 */
export const instancesChanged = 'fleet.instances_changed'
/** Topic of `ctx.publish`: slots of a SKU may have become free. The key is the id of the SKU. */
export const slotsChanged = 'fleet.slots_changed'
/** Topic of `ctx.publish`: a draining host has fewer machines. The key is the id of the host. */
export const slotsFreedOnDraining = 'fleet.slots_freed_on_draining'
/** Topic of `ctx.publish`: the desired state of a simulated host has changed. The key is the id of the host. */
export const hostNotified = 'fleet.host_notified'
/** Topic of `ctx.publish`: a machine on an unreachable host must stop. The key is the id of the host. */
export const stopUnanswered = 'fleet.stop_unanswered'
/** Topic of `ctx.publish`: the machines of a subnet have other hosts than before. The key is the id of the subnet. */
export const subnetPeersChanged = 'fleet.subnet_peers_changed'

/** More generations than a host gets in the time in which commits can be lost: it gets a few each second at most. */
const generationsOfHistory = 1_000_000

/** Puts instances into slots and asks the hosts to run them. Instances and hosts are locked, the slots are free. */
export async function placeMachines(ctx: Ctx, claims: readonly SlotClaim[]): Promise<void> {
  if (claims.length > 0) publishNotified(ctx, await insertMachines(ctx.db, claims, ctx.now))
}

/**
 * Asks hosts to stop the machines of some instances. The slots stay taken until the hosts report the machines gone. The
 * instances are locked; this locks the hosts (rank `hosts`).
 */
export async function stopMachines(ctx: Ctx, instanceIds: readonly Id<'instance'>[]): Promise<void> {
  if (instanceIds.length === 0) return
  const [, notified] = await Promise.all([
    ctx.lock(hostsOfInstancesLock, instanceIds),
    updateToStop(ctx.db, instanceIds),
  ])
  publishNotified(ctx, notified)
  for (const { id, health } of notified) if (health === 'unreachable') ctx.publish(stopUnanswered, id)
}

/** Raises the generation of locked hosts, so that their agents fetch the desired state again. */
export async function bumpGenerations(ctx: Ctx, hostIds: readonly Id<'host'>[]): Promise<NotifiedHost[]> {
  const notified = hostIds.length === 0 ? [] : await raiseGenerations(ctx.db, hostIds)
  publishNotified(ctx, notified)
  return notified
}

/**
 * Raises the generations of locked hosts above what their agents know. An agent that knows a higher generation than the
 * database has seen commits that were lost, and would ignore the desired state.
 */
export async function outrunAgents(
  ctx: Ctx,
  reported: readonly { readonly id: Id<'host'>; readonly generation: number }[],
): Promise<NotifiedHost[]> {
  const notified = reported.length === 0 ? [] : await raiseGenerationsAbove(ctx.db, reported)
  publishNotified(ctx, notified)
  return notified
}

/**
 * Raises the generations of all hosts with agents in a new history of the database. Without it a generation of the new
 * history could equal one of the lost commits that an agent has applied, and the agent would see no change.
 */
export async function beginHostHistory(db: Db): Promise<void> {
  await raiseAllGenerations(db, generationsOfHistory)
}

/** The machine of an instance; undefined if it has none. */
export async function findMachine(ctx: Ctx, instanceId: Id<'instance'>): Promise<MachineRow | undefined> {
  return (await findMachines(ctx, [instanceId]))[0]
}

/** The machines of some instances. Instances without a machine are left out. */
export function findMachines(ctx: Ctx, instanceIds: readonly Id<'instance'>[]): Promise<MachineRow[]> {
  return listMachines(ctx.db, instanceIds)
}

/** The taken slots of some hosts, with their instances. */
export function listMachinesOn(ctx: Ctx, hostIds: readonly Id<'host'>[]): Promise<TakenSlotRow[]> {
  return listTakenSlots(ctx.db, hostIds)
}

/** The machines of some hosts, with the fields of the instance that a report needs. */
export function listReportedMachines(ctx: Ctx, hostIds: readonly Id<'host'>[]): Promise<ReportedMachineRow[]> {
  return listReported(ctx.db, hostIds)
}

/** Whether a reachable host has not yet reported a machine that was placed on it. */
export function hasUnreportedMachines(ctx: Ctx): Promise<boolean> {
  return hasUnreported(ctx.db)
}

function publishNotified(ctx: Ctx, notified: readonly NotifiedHost[]): void {
  for (const { id, is_simulated } of notified) if (is_simulated) ctx.publish(hostNotified, id)
}
