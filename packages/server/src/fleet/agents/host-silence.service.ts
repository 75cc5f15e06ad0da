import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { evaluateSilence, type HostRow, SILENCE_SECONDS } from '../hosts/hosts.rules.ts'
import { lockHosts, readRealNow } from '../hosts/hosts.service.ts'
import { listMachinesOn } from '../hosts/machines.service.ts'
import { lockInstances, recordConnectionLost, releaseAddresses } from '../instances/instance-changes.service.ts'
import { listSilentHosts, updateHidden, updateUnreachable } from './host-silence.store.ts'

/** Kind of the due rows that check whether a host still reports. The key is the id of the host. */
export const hostSilence = 'fleet.host_silence'

/** After this many seconds without a report the addresses of ended instances on a host are released. */
const ADDRESSES_FREE_SECONDS = 300

/**
 * Hides a simulated host: from now on it counts as silent until it reports again. This locks the host (rank `hosts`). A
 * host that is already hidden keeps the time since when it is hidden.
 */
export async function hideHost(ctx: Ctx, host_id: Id<'host'>): Promise<void> {
  await lockHosts(ctx, [host_id])
  await updateHidden(ctx.db, host_id, ctx.now)
  ctx.schedule(hostSilence, host_id, ctx.now + SILENCE_SECONDS)
}

/**
 * Checks whether one host still reports. An outage is recorded once for each of its running instances; later the
 * addresses of ended instances on the host are released. Returns the time of the next check on the business clock. For
 * hosts outside of the process it returns nothing, because a sweep on the real clock finds them.
 */
export async function checkSilence(ctx: Ctx, host_id: Id<'host'>): Promise<number | undefined> {
  const ids = (await listMachinesOn(ctx, [host_id])).map(({ instance_id }) => instance_id)
  const [, [host]] = await Promise.all([lockInstances(ctx, ids), lockHosts(ctx, [host_id])])
  if (!host || host.last_seen_at === null) return undefined
  const now = host.is_simulated ? ctx.now : await readRealNow(ctx)
  const verdict = evaluateSilence({ ...host, last_seen_at: host.last_seen_at }, now)
  if (verdict.is_lost) {
    await updateUnreachable(ctx.db, host_id)
    await recordConnectionLost(ctx, ids)
  }
  const next_at =
    verdict.next_at ?? (await freeAddressesOfSilentHost(ctx, host, { ids, now, last_seen_at: host.last_seen_at }))
  return host.is_simulated ? (next_at ?? undefined) : undefined
}

/** Hosts outside of the process that have not reported for too long. */
export function findSilentHosts(ctx: Ctx): Promise<Id<'host'>[]> {
  return listSilentHosts(ctx.db, SILENCE_SECONDS, ADDRESSES_FREE_SECONDS)
}

type SilentHost = { readonly ids: readonly Id<'instance'>[]; readonly now: number; readonly last_seen_at: number }

async function freeAddressesOfSilentHost(
  ctx: Ctx,
  host: HostRow,
  { ids, now, last_seen_at }: SilentHost,
): Promise<number | null> {
  const free_at = last_seen_at + ADDRESSES_FREE_SECONDS
  if (host.state === 'retired' || ids.length === 0) return null
  if (now < free_at) return free_at
  await releaseAddresses(ctx, ids)
  return null
}
