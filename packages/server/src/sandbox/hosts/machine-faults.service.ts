import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { findHostOf } from '../../fleet/hosts/hosts.service.ts'
import { hostNotified } from '../../fleet/hosts/machines.service.ts'
import {
  insertMachineFault,
  listActiveFaults,
  listMachineFaults as listRows,
  type MachineFaultRow,
  removeMachineFault as removeRow,
  updateHits,
} from './machine-faults.store.ts'
import type { ActiveFault, MachineFaultKind } from './simulated-hosts.rules.ts'

/** The parameters of a fault of a simulated host or of one instance. */
export type NewMachineFault = {
  readonly id: Id<'sandbox_fault'>
  readonly kind: MachineFaultKind
  readonly target: { readonly host_id: Id<'host'> } | { readonly instance_id: Id<'instance'> }
  /** The maximum number of hits; 0 for no limit. */
  readonly times: number
  /** Business seconds; null: until it is removed or has used up its hits. */
  readonly ends_at: number | null
}

/** Adds a fault of a simulated host or of one machine, and notifies the host. */
export async function addMachineFault(ctx: Ctx, { id, kind, target, times, ends_at }: NewMachineFault): Promise<void> {
  const host_id = 'host_id' in target ? target.host_id : null
  const instance_id = 'instance_id' in target ? target.instance_id : null
  await insertMachineFault(ctx.db, { id, kind, host_id, instance_id, times, ends_at, created_at: ctx.now })
  await publishHost(ctx, { host_id, instance_id })
}

/** Removes a fault. False if no fault has the id. */
export async function removeMachineFault(ctx: Ctx, id: Id<'sandbox_fault'>): Promise<boolean> {
  const removed = await removeRow(ctx.db, id, ctx.now)
  if (removed) await publishHost(ctx, removed)
  return removed !== undefined
}

/** The faults of hosts and machines that have not been removed, newest first, with their hits so far. */
export function listMachineFaults(ctx: Ctx): Promise<MachineFaultRow[]> {
  return listRows(ctx.db)
}

/** The active faults of a simulated host and of the machines on it. */
export function activeFaults(
  ctx: Ctx,
  host_id: Id<'host'>,
  instance_ids: readonly Id<'instance'>[],
): Promise<ActiveFault[]> {
  return listActiveFaults(ctx.db, { host_id, instance_ids, now: ctx.now })
}

/** Counts hits. `ids` contains the id of a fault once per hit. */
export async function countHits(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await updateHits(ctx.db, ids)
}

async function publishHost(ctx: Ctx, { host_id, instance_id }: Pick<MachineFaultRow, 'host_id' | 'instance_id'>) {
  const id = host_id ?? (await findHostOf(ctx, instance_id as Id<'instance'>))
  if (id) ctx.publish(hostNotified, id)
}
