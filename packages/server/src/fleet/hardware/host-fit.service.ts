/** Hosts whose hardware changes, or whose SKU: whether they still fit it, and what follows if not. */
import { hasLostDevice, redivideSlots } from '@bourse/api/fleet/fit-slots.ts'
import { type HostHardware, isSameHardware } from '@bourse/api/fleet/hardware.ts'
import type { HostFacts } from '@bourse/api/fleet/hosts.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { allocationKey, readFree } from '../../market/pools/capacity.service.ts'
import { findSkuNeeds, listSkuNeeds } from '../../market/skus/skus.service.ts'
import { lockHostSupply, returnSupply } from '../hosts/host-changes.service.ts'
import { changeHostSupply, readHostSupply } from '../hosts/host-supply.service.ts'
import { type HostRow, planWithdrawal } from '../hosts/hosts.rules.ts'
import { findHost, lockHosts } from '../hosts/hosts.service.ts'
import { bumpGenerations, instancesChanged, listReportedMachines } from '../hosts/machines.service.ts'
import { stepsFrom } from '../hosts/victims.rules.ts'
import {
  compareFacts,
  hasDevices,
  type InstanceHardwareRow,
  misfitMessage,
  slotsForMachines,
  unfitSince,
  withHardware,
} from './host-fit.rules.ts'
import {
  listComparedHosts,
  listInstanceHardware,
  listSlotHardware,
  listTakenSlots,
  updateHostFit,
  updateSlotHardware,
} from './host-fit.store.ts'
import { hasLostHardware } from './lost-hardware.rules.ts'

/** Kind of the due rows that compare hosts with their SKU. A key is a host, a SKU, or `<SKU>/<host>`. */
export const hostFitDue = 'fleet.host_fit'

/** The hosts of a changed SKU that become due together. Other work comes between two such groups. */
const hostsAtOnce = 64

/** Whether a host fits its SKU, and why it does not. */
type FitAck = { readonly fits: boolean; readonly problems: readonly string[] }

type HostAction = 'host.facts_changed' | 'host.unfit' | 'host.fit'

/**
 * Stores the hardware of a host and compares it with its SKU. `known` was read without a lock. Undefined: the host has
 * been retired since then, and nothing is stored.
 */
export function recordHardware(ctx: Ctx, known: HostRow, hardware: HostHardware): Promise<FitAck | undefined> {
  return compareHost(ctx, known, hardware)
}

/**
 * Compares the hosts of a SKU that has changed, a group at a time: makes them due, and the rest of them after them.
 * `after` is the last host of the group before.
 */
export async function compareHostsOfSku(ctx: Ctx, sku_id: Id<'sku'>, after?: string): Promise<void> {
  const ids = await listComparedHosts(ctx.db, { sku_id, after: after ?? '' }, hostsAtOnce)
  for (const id of ids) ctx.schedule(hostFitDue, id, ctx.now)
  if (ids.length === hostsAtOnce) ctx.schedule(hostFitDue, `${sku_id}/${ids.at(-1)}`, ctx.now)
}

/** Compares a host with its SKU by the facts that are known. A simulated host has what its SKU promised at first. */
export async function compareAgain(ctx: Ctx, id: Id<'host'>): Promise<void> {
  const known = await findHost(ctx, id)
  if (known && known.state !== 'retired' && !known.is_simulated) await compareHost(ctx, known)
}

/**
 * Compares a host with its SKU. One that no longer fits takes no instances, and its free nodes leave their pool; if it
 * has lost the hardware of machines that run, they end after the time for a repair, with notice. When it fits again all
 * of that is withdrawn. Without `reported`, the facts are those that are known. A host that is retired stays as it is.
 */
async function compareHost(ctx: Ctx, known: HostRow, reported?: HostHardware): Promise<FitAck | undefined> {
  const expected = compareFacts(factsAfter(known, reported), await findSkuNeeds(ctx, known.sku_id), known.slots)
  const changesSupply = expected.fits !== (known.unfit_at === null)
  const host = changesSupply ? await lockHostSupply(ctx, known) : ((await lockHosts(ctx, [known.id]))[0] ?? known)
  if (host.state === 'retired') return undefined
  // The SKU may have changed before the lock. A change after it compares the host once more.
  const needs = await findSkuNeeds(ctx, known.sku_id)
  const facts = factsAfter(host, reported)
  const fit = compareFacts(facts, needs, host.slots)
  const unfit_message = misfitMessage(fit)
  const { hardware: before } = host.facts
  const isSame = !reported || (before !== undefined && isSameHardware(before, reported))
  if (before && !isSame) emit(ctx, host, 'host.facts_changed')
  // Another report may have changed the host before the lock. Then the next report compares it again.
  const becomesUnfit = changesSupply && !fit.fits && host.unfit_at === null
  const becomesFit = changesSupply && fit.fits && host.unfit_at !== null
  if (becomesUnfit) await withdrawSupply(ctx, host)
  const isStaying = host.state === 'active' || host.state === 'cordoned'
  if (becomesFit && isStaying) await returnSupply(ctx, host)
  const hasLost = reported !== undefined && !isSame && hasLostHardware(host.facts, reported)
  const fitting_slots = slotsForMachines(fit, host, hasLost)
  const isUnfit = becomesUnfit || (host.unfit_at !== null && !becomesFit)
  const unfit_at = isUnfit ? unfitSince(host, fitting_slots, ctx.now) : null
  const taken = (await listTakenSlots(ctx.db, [host.id])).get(host.id) ?? new Map()
  const slot_hardware = needs ? redivideSlots({ facts, needs, slots: host.slots }, taken) : fit.slots
  await updateHostFit(ctx.db, {
    id: host.id,
    facts,
    facts_at: reported ? ctx.now : host.facts_at,
    fitting_slots,
    slot_hardware,
    unfit_at,
    unfit_message: isUnfit ? (unfit_message ?? host.unfit_message) : null,
  })
  if (becomesUnfit) emit(ctx, host, 'host.unfit')
  if (becomesFit) emit(ctx, host, 'host.fit')
  if (becomesUnfit || becomesFit || (isUnfit && fitting_slots !== host.fitting_slots)) await wakeInstances(ctx, host)
  return { fits: fit.fits, problems: unfit_message === null ? [] : [unfit_message] }
}

/**
 * Those of some locked hosts whose devices must be divided anew once some of their machines are gone: a slot of one of
 * these has a device that is lost. Simulated hosts lose none, and one that does not fit keeps its slots until it does.
 * Reads nothing for hosts without devices.
 */
export async function listHostsToDivide(
  ctx: Ctx,
  hosts: readonly HostRow[],
  instanceIds: readonly Id<'instance'>[],
): Promise<HostRow[]> {
  const watched = hosts.filter((host) => !host.is_simulated && host.unfit_at === null && hasDevices(host.facts))
  if (watched.length === 0) return []
  const slots = Map.groupBy(await listSlotHardware(ctx.db, instanceIds), ({ host_id }) => host_id)
  return watched.filter(({ id, facts }) => slots.get(id)?.some(({ hardware }) => hasLostDevice(facts, hardware)))
}

/** Divides the devices of some locked hosts anew between the free slots of each. */
export async function divideSlots(ctx: Ctx, hosts: readonly HostRow[]): Promise<void> {
  if (hosts.length === 0) return
  const [ids, skuIds] = [hosts.map(({ id }) => id), [...new Set(hosts.map(({ sku_id }) => sku_id))]]
  const [needsOfSkus, taken] = await Promise.all([listSkuNeeds(ctx, skuIds), listTakenSlots(ctx.db, ids)])
  const divided = hosts.flatMap(({ id, sku_id, facts, slots }) => {
    const needs = needsOfSkus.get(sku_id)
    return needs ? [{ id, slot_hardware: redivideSlots({ facts, needs, slots }, taken.get(id) ?? new Map()) }] : []
  })
  await updateSlotHardware(ctx.db, divided)
}

function factsAfter({ facts }: HostRow, reported: HostHardware | undefined): HostFacts {
  return reported ? withHardware(facts, reported) : facts
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
  const keys = new Set((await listReportedMachines(ctx, [id])).map(allocationKey))
  for (const key of keys) ctx.publish(instancesChanged, key)
}

function emit(ctx: Ctx, { id, account_id, workspace_id }: HostRow, action: HostAction): void {
  ctx.emit({ account_id, workspace_id, action, target_type: 'host', target_id: id })
}
