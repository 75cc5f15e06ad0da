import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { evaluateSilence, type HostRow, silenceSeconds } from '../hosts/hosts.rules.ts'
import { lockHosts, readRealNow } from '../hosts/hosts.service.ts'
import { listMachinesOn } from '../hosts/machines.service.ts'
import { lockInstances, recordConnectionLost, releaseAddresses } from '../instances/instance-changes.service.ts'
import { listSilentHosts, updateHidden, updateUnreachable } from './host-silence.store.ts'

/** Kind of the due rows that check whether a host still reports. The key is the id of the host. */
export const hostSilence = 'fleet.host_silence'

/** After this many seconds without a report the addresses of ended instances on a host are released. */
const addressesFreeSeconds = 300

/**
 * Hides a simulated host: from now on it counts as silent until it reports again. This locks the host (rank `hosts`). A
 * host that is already hidden keeps the time since when it is hidden.
 */
export async function hideHost(ctx: Ctx, hostId: Id<'host'>): Promise<void> {
  await lockHosts(ctx, [hostId])
  await updateHidden(ctx.db, hostId, ctx.now)
  ctx.schedule(hostSilence, hostId, ctx.now + silenceSeconds)
}

/**
 * Checks whether one host still reports. An outage is recorded once for each of its running instances; later the
 * addresses of ended instances on the host are released. Returns the time of the next check on the business clock. For
 * hosts outside of the process it returns nothing, because a sweep on the real clock finds them.
 */
export async function checkSilence(ctx: Ctx, hostId: Id<'host'>): Promise<number | undefined> {
  const ids = (await listMachinesOn(ctx, [hostId])).map(({ instance_id }) => instance_id)
  const [, [host]] = await Promise.all([lockInstances(ctx, ids), lockHosts(ctx, [hostId])])
  if (!host || host.last_seen_at === null) return undefined
  const now = host.is_simulated ? ctx.now : await readRealNow(ctx)
  const verdict = evaluateSilence({ ...host, last_seen_at: host.last_seen_at }, now)
  if (verdict.is_lost) {
    await updateUnreachable(ctx.db, hostId)
    await recordConnectionLost(ctx, ids)
  }
  const nextAt =
    verdict.next_at ?? (await freeAddressesOfSilentHost(ctx, host, { ids, now, last_seen_at: host.last_seen_at }))
  return host.is_simulated ? (nextAt ?? undefined) : undefined
}

/** Hosts outside of the process that have not reported for too long. */
export function findSilentHosts(ctx: Ctx): Promise<Id<'host'>[]> {
  return listSilentHosts(ctx.db, silenceSeconds, addressesFreeSeconds)
}

type SilentHost = { readonly ids: readonly Id<'instance'>[]; readonly now: number; readonly last_seen_at: number }

async function freeAddressesOfSilentHost(
  ctx: Ctx,
  host: HostRow,
  { ids, now, last_seen_at }: SilentHost,
): Promise<number | null> {
  const freeAt = last_seen_at + addressesFreeSeconds
  if (host.state === 'retired' || ids.length === 0) return null
  if (now < freeAt) return freeAt
  await releaseAddresses(ctx, ids)
  return null
}
