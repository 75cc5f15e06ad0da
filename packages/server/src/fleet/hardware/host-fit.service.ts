/** Hosts whose hardware changes: whether they still fit their SKU, and what follows if not. */
import { type HostHardware, isSameHardware } from '@bourse/api/fleet/hardware.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { keyOf, readFree } from '../../market/pools/capacity.service.ts'
import { findSkuNeeds } from '../../market/skus/skus.service.ts'
import { lockHostSupply, returnSupply } from '../hosts/host-changes.service.ts'
import { changeHostSupply, readHostSupply } from '../hosts/host-supply.service.ts'
import { type HostRow, planWithdrawal } from '../hosts/hosts.rules.ts'
import { lockHosts } from '../hosts/hosts.service.ts'
import { bumpGenerations, instancesChanged, listReportedMachines } from '../hosts/machines.service.ts'
import { stepsFrom } from '../hosts/victims.rules.ts'
import { compareFacts, type InstanceHardwareRow, misfitMessage, withHardware } from './host-fit.rules.ts'
import { listInstanceHardware, updateHostFit } from './host-fit.store.ts'

/** Whether a host fits its SKU, and why it does not. */
export type FitAck = { readonly fits: boolean; readonly problems: readonly string[] }

type HostAction = 'host.facts_changed' | 'host.unfit' | 'host.fit'

/**
 * Stores the hardware of a host. A host that no longer fits takes no instances, and its free nodes leave their pool; if
 * it lacks the hardware of machines that run, they end after the time for a repair, with notice. When it fits again all
 * of that is withdrawn. `known` was read without a lock.
 */
export async function recordHardware(ctx: Ctx, known: HostRow, hardware: HostHardware): Promise<FitAck> {
  const needs = await findSkuNeeds(ctx, known.sku_id)
  const expected = compareFacts(withHardware(known.facts, hardware), needs, known.slots)
  const changesSupply = expected.fits !== (known.unfit_at === null)
  const host = changesSupply ? await lockHostSupply(ctx, known) : ((await lockHosts(ctx, [known.id]))[0] ?? known)
  const facts = withHardware(host.facts, hardware)
  const fit = compareFacts(facts, needs, host.slots)
  const unfit_message = misfitMessage(fit)
  const { hardware: before } = host.facts
  if (before && !isSameHardware(before, hardware)) emit(ctx, host, 'host.facts_changed')
  // Another report may have changed the host before the lock. Then the next report compares it again.
  const becomesUnfit = changesSupply && !fit.fits && host.unfit_at === null
  const becomesFit = changesSupply && fit.fits && host.unfit_at !== null
  if (becomesUnfit) await withdrawSupply(ctx, host)
  const isStaying = host.state === 'active' || host.state === 'cordoned'
  if (becomesFit && isStaying) await returnSupply(ctx, host)
  const unfit_at = becomesUnfit ? ctx.now : becomesFit ? null : host.unfit_at
  const { fitting_slots, slots: slot_hardware } = fit
  const isUnfit = unfit_at !== null
  await updateHostFit(ctx.db, {
    ...{ id: host.id, facts, facts_at: ctx.now, fitting_slots, slot_hardware, unfit_at },
    unfit_message: isUnfit ? (unfit_message ?? host.unfit_message) : null,
  })
  if (becomesUnfit) emit(ctx, host, 'host.unfit')
  if (becomesFit) emit(ctx, host, 'host.fit')
  if (becomesUnfit || becomesFit || (isUnfit && fitting_slots !== host.fitting_slots)) await wakeInstances(ctx, host)
  return { fits: fit.fits, problems: unfit_message === null ? [] : [unfit_message] }
}

/** What some instances run on. */
export function readInstanceHardware(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<InstanceHardwareRow[]> {
  return ids.length === 0 ? Promise.resolve([]) : listInstanceHardware(ctx.db, ids)
}

async function withdrawSupply(ctx: Ctx, host: HostRow): Promise<void> {
  const supply = await readHostSupply(ctx, host.id)
  const free = stepsFrom(await readFree(ctx, host), ctx.now)
  await changeHostSupply(ctx, host, planWithdrawal(supply, free, ctx.now), -1)
}

/** Wakes the placement of all instances of a host: the end of their host has changed. */
export async function wakeInstances(ctx: Ctx, { id }: Pick<HostRow, 'id'>): Promise<void> {
  await bumpGenerations(ctx, [id])
  const keys = new Set((await listReportedMachines(ctx, [id])).map(keyOf))
  for (const key of keys) ctx.publish(instancesChanged, key)
}

function emit(ctx: Ctx, { id, account_id, workspace_id }: HostRow, action: HostAction): void {
  ctx.emit({ account_id, workspace_id, action, target_type: 'host', target_id: id })
}
