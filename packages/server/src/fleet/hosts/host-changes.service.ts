/**
 * Changes that the owner makes to a host: rename, cordon, uncordon, drain. Each locks the host. A change of the supply
 * first locks the capacity of the SKU and the pool. Not this file's work: deciding whether a host may retire
 * (fleet/agents/host-retirement.service.ts).
 */
import type { drainHost as drainContract, Host } from '@bourse/api/fleet/hosts.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import { Refusal, throwIfRefused } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { refuseNotFound } from '../../iam/access/permissions.service.ts'
import { returnLimit } from '../../iam/names/limit-usage.service.ts'
import { renameName } from '../../iam/names/names.service.ts'
import { allocationKey, lockCapacity, readFree } from '../../market/pools/capacity.service.ts'
import { lockPools } from '../../market/pools/pools.service.ts'
import { releaseTunnel } from '../tunnels/tunnels.service.ts'
import { releaseHostAddresses } from './host-addresses.service.ts'
import { type HostStage, updateHostStage } from './host-changes.store.ts'
import { changeHostSupply, readHostSupply } from './host-supply.service.ts'
import {
  type HostRow,
  hasDrained,
  hostStateAfter,
  planDrain,
  refuseHostAction,
  supplyAfterUncordon,
  supplyOfSlots,
  withdrawnSupply,
} from './hosts.rules.ts'
import { loadHost, lockHosts, presentHost, skuBenchmarksDue } from './hosts.service.ts'
import { bumpGenerations, instancesChanged, listReportedMachines, slotsChanged } from './machines.service.ts'
import { stepsFrom } from './victims.rules.ts'

/** Kind of the due rows that check a draining host. The key is the id of the host. */
export const hostDrain = 'fleet.host_drain'

/** Renames a host in any state. */
export async function renameHost(ctx: Ctx, ref: Ref<'host'>, name: string | undefined): Promise<Host> {
  const known = await loadHost(ctx, ref, 'write')
  const host = await lockHost(ctx, known.id)
  if (name !== undefined) await renameName(ctx, { id: host.id, kind: 'host', name })
  return presentHost(ctx, host)
}

/** Stops the placement of new instances on a host. */
export async function cordonHost(ctx: Ctx, ref: Ref<'host'>): Promise<Host> {
  const host = await lockHost(ctx, (await loadHost(ctx, ref, 'write')).id)
  throwIfRefused(refuseHostAction('cordon', host.state))
  return enterStage(ctx, host, { ...host, state: hostStateAfter.cordon })
}

/** Lets a host accept instances again, and returns what a drain withdrew from its pool. */
export async function uncordonHost(ctx: Ctx, ref: Ref<'host'>): Promise<Host> {
  const host = await lockWithSupply(ctx, ref)
  throwIfRefused(refuseHostAction('uncordon', host.state))
  // The nodes of a host that lacks hardware come back when it has it again.
  if (host.unfit_at === null) await returnSupply(ctx, host)
  ctx.unschedule(hostDrain, host.id)
  ctx.publish(slotsChanged, host.sku_id)
  const state = hostStateAfter.uncordon
  return enterStage(ctx, host, { ...host, state, drain_deadline_at: null, supply_ends_at: null })
}

/** Returns to the pool of a host all that it supplies without a drain, from the next minute on. Its pool is locked. */
export async function returnSupply(ctx: Ctx, host: HostRow): Promise<void> {
  const supply = await readHostSupply(ctx, host.id)
  const withdrawn = withdrawnSupply(supplyOfSlots(host.slots, ctx.now), supply)
  await changeHostSupply(ctx, host, supplyAfterUncordon(withdrawn, ctx.now), 1)
}

/** Ends the supply of a host at a deadline. Its instances get notice. */
export async function drainHost(
  ctx: Ctx,
  ref: Ref<'host'>,
  { deadline_at, force = false }: Input<typeof drainContract>['body'],
): Promise<Host> {
  const host = await lockWithSupply(ctx, ref)
  throwIfRefused(refuseHostAction('drain', host.state))
  const supply_ends_at = await endSupply(ctx, host, { deadline_at, force })
  ctx.schedule(hostDrain, host.id, deadline_at)
  return enterStage(ctx, host, { ...host, state: hostStateAfter.drain, drain_deadline_at: deadline_at, supply_ends_at })
}

/**
 * Takes from the pool of a host what it supplies after a deadline, as far as that is free. Host, pool and capacity are
 * locked. Returns when the supply ends. Refuses `in_the_past`, and without `force` `supply_sold`.
 */
export async function endSupply(
  ctx: Ctx,
  host: HostRow,
  { deadline_at, force }: { readonly deadline_at: number; readonly force: boolean },
): Promise<number> {
  const { slots, created_at } = host
  const drain = planDrain({
    slots,
    supply: await readHostSupply(ctx, host.id),
    now: ctx.now,
    deadline_at,
    supply_starts_at: supplyOfSlots(slots, created_at).start_at,
    free: stepsFrom(await readFree(ctx, host), ctx.now),
    force,
  })
  if ('refusal' in drain) throw new Refusal(drain.refusal)
  await changeHostSupply(ctx, host, drain.withdrawn, -1)
  return drain.supply_ends_at
}

/** Removes a locked host without machines for good, and frees its limit, its addresses and its tunnel. */
export async function removeHost(ctx: Ctx, host: HostRow): Promise<Host> {
  if (host.enrolment_id !== null) await returnLimit(ctx, host.account_id, 'hosts')
  await releaseHostAddresses(ctx, host.id)
  await releaseTunnel(ctx, host.id)
  if (host.benchmark !== null) ctx.schedule(skuBenchmarksDue, host.sku_id, ctx.now)
  ctx.unschedule(hostDrain, host.id)
  return enterStage(ctx, host, { ...host, state: hostStateAfter.retire, retired_at: ctx.now })
}

/** Checks whether a draining host is empty. Returns its deadline if that is in the future. */
export async function watchDrain(ctx: Ctx, hostId: Id<'host'>): Promise<number | undefined> {
  const [host] = await lockHosts(ctx, [hostId])
  if (host?.state !== 'draining' || host.drain_deadline_at === null) return undefined
  if (host.drain_deadline_at > ctx.now) return host.drain_deadline_at
  // If slots are still taken, the report that frees the last one wakes this again.
  if (hasDrained(host, ctx.now)) await updateHostStage(ctx.db, { ...host, state: 'drained' })
  return undefined
}

/** Locks a host and reads it under the lock. 404 if it is not there. */
export async function lockHost(ctx: Ctx, id: Id<'host'>): Promise<HostRow> {
  const [host] = await lockHosts(ctx, [id])
  return host ?? refuseNotFound()
}

async function lockWithSupply(ctx: Ctx, ref: Ref<'host'>): Promise<HostRow> {
  return lockHostSupply(ctx, await loadHost(ctx, ref, 'write'))
}

/** Locks a host, and before it the capacity of its SKU and its pool. */
export async function lockHostSupply(ctx: Ctx, known: Pick<HostRow, 'id' | 'sku_id' | 'pool_id'>): Promise<HostRow> {
  await lockSupply(ctx, known)
  return lockHost(ctx, known.id)
}

/** Locks the capacity of the SKU of a host, and its pool. */
export async function lockSupply(ctx: Ctx, { sku_id, pool_id }: Pick<HostRow, 'sku_id' | 'pool_id'>): Promise<void> {
  await lockCapacity(ctx, sku_id)
  await lockPools(ctx, [pool_id])
}

/** Writes a new stage, notifies the agent and wakes the placement of its instances. */
async function enterStage(ctx: Ctx, before: HostRow, stage: HostStage & HostRow): Promise<Host> {
  await updateHostStage(ctx.db, stage)
  await bumpGenerations(ctx, [before.id])
  const keys = new Set((await listReportedMachines(ctx, [before.id])).map(allocationKey))
  for (const key of keys) ctx.publish(instancesChanged, key)
  return presentHost(ctx, stage)
}
