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

/** A fault to be: of a host inside the process, or of one instance. */
export type NewMachineFault = {
  readonly id: Id<'sandbox_fault'>
  readonly kind: MachineFaultKind
  readonly target: { readonly host_id: Id<'host'> } | { readonly instance_id: Id<'instance'> }
  /** 0 = as often as it can until it is removed. */
  readonly times: number
  /** By the business clock; null = until it is removed or has hit as often as it may. */
  readonly ends_at: number | null
}

/** Lets something go wrong on a host inside the process or with a machine; it takes notice at once. */
export async function addMachineFault(ctx: Ctx, { id, kind, target, times, ends_at }: NewMachineFault): Promise<void> {
  const host_id = 'host_id' in target ? target.host_id : null
  const instance_id = 'instance_id' in target ? target.instance_id : null
  await insertMachineFault(ctx.db, { id, kind, host_id, instance_id, times, ends_at, created_at: ctx.now })
  await publishHost(ctx, { host_id, instance_id })
}

/** Ends a fault; false where there is none of that id. */
export async function removeMachineFault(ctx: Ctx, id: Id<'sandbox_fault'>): Promise<boolean> {
  const removed = await removeRow(ctx.db, id, ctx.now)
  if (removed) await publishHost(ctx, removed)
  return removed !== undefined
}

/** The faults of hosts and machines that were not removed, newest first, with what they have hit so far. */
export function listMachineFaults(ctx: Ctx): Promise<MachineFaultRow[]> {
  return listRows(ctx.db)
}

/** What may go wrong now on a host inside the process and on the machines that stand there. */
export function activeFaults(
  ctx: Ctx,
  host_id: Id<'host'>,
  instance_ids: readonly Id<'instance'>[],
): Promise<ActiveFault[]> {
  return listActiveFaults(ctx.db, { host_id, instance_ids, now: ctx.now })
}

/** Counts what faults have hit; an id stands once for each hit. */
export async function countHits(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await updateHits(ctx.db, ids)
}

async function publishHost(ctx: Ctx, { host_id, instance_id }: Pick<MachineFaultRow, 'host_id' | 'instance_id'>) {
  const id = host_id ?? (await findHostOf(ctx, instance_id as Id<'instance'>))
  if (id) ctx.publish(hostNotified, id)
}
