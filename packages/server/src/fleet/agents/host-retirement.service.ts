/**
 * Removes hosts for good: drained ones, and with `force` those that are lost. Only the owner knows that an unreachable
 * host is gone, so nothing here happens by itself (docs/decisions/177-retiring-a-lost-host.md).
 */
import type { Host, retireHost as retireContract } from '@bourse/api/fleet/hosts.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Ref } from '@bourse/api/kit/ids.ts'
import { throwIfRefused } from '../../core/base/refusal.ts'
import type { Actor, Ctx } from '../../core/work/ctx.ts'
import { endSupply, lockHost, lockSupply, removeHost } from '../hosts/host-changes.service.ts'
import type { HostRow } from '../hosts/hosts.rules.ts'
import { loadHost } from '../hosts/hosts.service.ts'
import type { ReportedMachineRow } from '../hosts/machines.rules.ts'
import { listMachinesOn, listReportedMachines } from '../hosts/machines.service.ts'
import { endInstances, lockInstances, markFailed } from '../instances/instance-changes.service.ts'
import { freeSlots } from './gone-machines.service.ts'
import { planLoss, refuseRetirement } from './host-retirement.rules.ts'

/** The owner of a host is nobody to the accounts of its instances. */
const system: Actor = { type: 'system' }

/**
 * Retires a drained host, or with `force` an unreachable one: what it supplies from the current minute on leaves its
 * pool as far as it is free, and its instances end. Refuses `invalid_state`.
 */
export async function retireHost(
  ctx: Ctx,
  ref: Ref<'host'>,
  { force = false }: Input<typeof retireContract>['body'],
): Promise<Host> {
  const known = await loadHost(ctx, ref, 'write')
  if (force) return retireLostHost(ctx, known)
  const host = await lockHost(ctx, known.id)
  throwIfRefused(refuseRetirement(host, force))
  return removeHost(ctx, host)
}

async function retireLostHost(ctx: Ctx, known: HostRow): Promise<Host> {
  const { host, machines } = await lockWithMachines(ctx, known)
  const endsAt = await endSupply(ctx, host, { deadline_at: ctx.now, force: true })
  const { failing, ending } = planLoss(machines)
  await markFailed(ctx, failing, { actor: system })
  await endInstances(
    ctx,
    ending.map((id) => ({ id, reason: 'host_lost' })),
    { actor: system },
  )
  await freeSlots(
    ctx,
    machines.map((machine) => ({ host, machine })),
  )
  const drain_deadline_at = Math.min(host.drain_deadline_at ?? ctx.now, ctx.now)
  const supply_ends_at = Math.min(host.supply_ends_at ?? endsAt, endsAt)
  return removeHost(ctx, { ...host, drain_deadline_at, supply_ends_at })
}

/** Locks a host that may retire by force, with all that it supplies and runs. */
async function lockWithMachines(
  ctx: Ctx,
  known: HostRow,
): Promise<{ host: HostRow; machines: readonly ReportedMachineRow[] }> {
  await lockSupply(ctx, known)
  const ids = new Set((await listMachinesOn(ctx, [known.id])).map(({ instance_id }) => instance_id))
  await lockInstances(ctx, [...ids])
  const host = await lockHost(ctx, known.id)
  const machines = await listReportedMachines(ctx, [host.id])
  // Only a host that reports gets a machine, so one that is not locked was placed after a report in between.
  const hasReported = machines.some(({ instance_id }) => !ids.has(instance_id))
  throwIfRefused(refuseRetirement(hasReported ? { ...host, health: 'healthy' } : host, true))
  return { host, machines }
}
