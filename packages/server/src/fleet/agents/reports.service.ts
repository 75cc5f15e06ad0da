import type { Id } from '@bourse/api/kit/ids.ts'
import { Refusal, type RefusalData } from '../../core/base/refusal.ts'
import type { BatchVerdict } from '../../core/work/batch-command.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { keyOf } from '../../market/pools/capacity.service.ts'
import { type HostRow, isOpenHost } from '../hosts/hosts.rules.ts'
import { lockHosts } from '../hosts/hosts.service.ts'
import type { ReportedMachineRow } from '../hosts/machines.rules.ts'
import {
  instancesChanged,
  listMachinesOn,
  listReportedMachines,
  slotsChanged,
  slotsFreedOnDraining,
  subnetPeersChanged,
  tellHosts,
} from '../hosts/machines.service.ts'
import { applyReport, type ReportEffect, type ReportEntry, type ReportEvent } from '../hosts/reports.rules.ts'
import {
  endInstances,
  forgetMachines,
  lockInstances,
  markFailed,
  markRunning,
  noteConnectionBack,
} from '../instances/instance-changes.service.ts'
import { hostSilence } from './host-silence.service.ts'
import {
  type MachineReport,
  removeMachines,
  removePublicAddresses,
  updateMachines,
  updateSeen,
  updateSsh,
} from './reports.store.ts'

/** The report of one machine: its state, and its SSH endpoint once that is known. */
export type ReportedInstance = ReportEntry & {
  readonly id: Id<'instance'>
  readonly ssh?: { readonly hostname: string; readonly port: number; readonly host_keys: readonly unknown[] } | null
}

/** A report of a host. `generation` is the highest that it has applied. */
export type HostReport = {
  readonly epoch: number
  readonly generation: number
  readonly health: 'healthy' | 'faulted'
  readonly message?: string | undefined
  readonly instances: readonly ReportedInstance[]
}

/** A report and its host. */
export type Said = { readonly host_id: Id<'host'>; readonly report: HostReport }

/** The answer to a report. */
export type Heard = { readonly desired_generation: number }

/** An accepted report, with the host and its machines. Host and instances are locked. */
type Believed = Said & { readonly host: HostRow; readonly machines: readonly ReportedMachineRow[] }
type Judged = {
  readonly host: HostRow
  readonly machine: ReportedMachineRow
  readonly entry: ReportedInstance
  readonly effect: ReportEffect
}

/**
 * Accepts a report of what runs on a host; what should run there does not change. Entries of older generations and of
 * instances that are not or no longer on this host are ignored, so reports may arrive late or twice. Refuses
 * `authentication_error` for a host that is retired or unknown, `stale_epoch` if the host has enrolled again.
 */
export async function acceptReport(ctx: Ctx, host_id: Id<'host'>, report: HostReport): Promise<Heard> {
  const [verdict] = await acceptReports(ctx, [{ host_id, report }])
  if (verdict && 'done' in verdict) return verdict.done
  throw new Refusal(verdict?.refusal ?? retired)
}

/** Accepts the reports of several hosts as {@link acceptReport} does. Returns a verdict for each, in order. */
export async function acceptReports(ctx: Ctx, said: readonly Said[]): Promise<BatchVerdict<Heard>[]> {
  const host_ids = said.map(({ host_id }) => host_id)
  const ids = (await listMachinesOn(ctx, host_ids)).map(({ instance_id }) => instance_id)
  const [, rows, standing] = await Promise.all([
    lockInstances(ctx, ids),
    lockHosts(ctx, host_ids),
    listReportedMachines(ctx, host_ids),
  ])
  const hosts = new Map(rows.map((host) => [host.id, host]))
  // A machine that was placed in between is not locked. No report of this batch can refer to it.
  const locked = new Set(ids)
  const machines = Map.groupBy(
    standing.filter(({ instance_id }) => locked.has(instance_id)),
    ({ host_id }) => host_id,
  )
  const refusals = said.map(({ host_id, report }) => refuseReport(hosts.get(host_id), report))
  const believed = said.flatMap((one, index): Believed[] => {
    const host = refusals[index] === undefined ? hosts.get(one.host_id) : undefined
    return host ? [{ ...one, host, machines: machines.get(host.id) ?? [] }] : []
  })
  const generations = await takeIn(ctx, believed)
  return said.map(({ host_id }, index) => {
    const refusal = refusals[index]
    return refusal ? { refusal } : { done: { desired_generation: generations.get(host_id) as number } }
  })
}

const retired: RefusalData = { code: 'authentication_error', message: 'This host is retired.' }

function refuseReport(host: HostRow | undefined, { epoch }: HostReport): RefusalData | undefined {
  if (!host || host.state === 'retired') return retired
  if (epoch === host.epoch) return undefined
  return { code: 'stale_epoch', message: 'The host has enrolled again. Use its newer epoch.' }
}

/** Applies accepted reports. Returns the desired generation of each host. */
async function takeIn(ctx: Ctx, believed: readonly Believed[]): Promise<Map<string, number>> {
  if (believed.length === 0) return new Map()
  const judged = believed.flatMap(judge)
  await keepMachines(ctx, judged)
  await updateSsh(ctx.db, believed.flatMap(waysOf), ctx.now)
  await changeInstances(ctx, judged)
  await freeSlots(ctx, judged)
  const lost = believed
    .flatMap(({ machines }) => machines)
    .filter(({ connection_lost_at }) => connection_lost_at !== null)
  await noteConnectionBack(
    ctx,
    lost.map(({ instance_id }) => instance_id),
  )
  return noteSeen(ctx, believed)
}

function judge({ host, machines, report }: Believed): Judged[] {
  const byId = new Map(report.instances.map((entry) => [entry.id, entry]))
  return machines.flatMap((machine) => {
    const entry = byId.get(machine.instance_id)
    const effect = entry && applyReport(asReported(machine), entry)
    return effect ? [{ host, machine, entry, effect }] : []
  })
}

function asReported(machine: ReportedMachineRow) {
  const { instance_state: state, generation, action, start_failures: failed_starts } = machine
  return { state, generation, action, failed_starts, reported_state: machine.state, reported_reason: machine.reason }
}

/** Stores the reported state of machines that stay. A start that is retried gets a new generation. */
async function keepMachines(ctx: Ctx, judged: readonly Judged[]): Promise<void> {
  const kept = judged.filter(({ effect }) => !effect.frees_slot)
  if (kept.length === 0) return
  const retried = kept.filter(({ effect }) => effect.retries_start).map(({ host }) => host.id)
  const told = new Map((await tellHosts(ctx, retried)).map(({ id, generation }) => [id, generation]))
  const rows = kept.map(({ host, machine, effect }): MachineReport => {
    const generation = (effect.retries_start && told.get(host.id)) || machine.generation
    const { reported_state: state, reported_reason: reason, failed_starts: start_failures } = effect
    return { instance_id: machine.instance_id, generation, state, reason, start_failures }
  })
  await updateMachines(ctx.db, rows, ctx.now)
}

/** SSH endpoints become known only after a machine runs, and every report repeats them. */
function waysOf({ machines, report }: Believed) {
  const running = new Map(machines.map((machine) => [machine.instance_id, machine]))
  return report.instances.flatMap(({ id, generation, ssh }) =>
    ssh && running.get(id)?.generation === generation ? [{ instance_id: id, ssh }] : [],
  )
}

async function changeInstances(ctx: Ctx, judged: readonly Judged[]): Promise<void> {
  const having = (event: ReportEvent) =>
    judged.filter(({ effect }) => effect.events.includes(event)).map(({ machine }) => machine.instance_id)
  await markRunning(ctx, having('instance.running'))
  await markFailed(ctx, having('instance.failed'))
  const reason = 'guest_shutdown'
  await endInstances(
    ctx,
    having('instance.terminated').map((id) => ({ id, reason })),
  )
}

/** Frees the slots of machines that are gone and the addresses of ended instances, and wakes what waits for them. */
async function freeSlots(ctx: Ctx, judged: readonly Judged[]): Promise<void> {
  const gone = judged.filter(({ effect }) => effect.frees_slot)
  if (gone.length === 0) return
  const ids = gone.map(({ machine }) => machine.instance_id)
  await removeMachines(ctx.db, ids)
  // A public address belongs to the host, so an instance that returns to waiting loses it.
  await removePublicAddresses(ctx.db, ids)
  await forgetMachines(ctx, ids)
  for (const { machine } of gone) {
    ctx.wake(instancesChanged, keyOf(machine))
    if (machine.subnet_id !== null) ctx.wake(subnetPeersChanged, machine.subnet_id)
  }
  const hosts = [...new Set(gone.map(({ host }) => host))]
  // An agent removes a machine once it is no longer listed. Simulated hosts have already removed it.
  await tellHosts(
    ctx,
    hosts.filter(({ is_simulated }) => !is_simulated).map(({ id }) => id),
  )
  for (const { id, sku_id, state } of hosts) {
    ctx.wake(slotsChanged, sku_id)
    if (state === 'draining') ctx.wake(slotsFreedOnDraining, id)
  }
}

function noteSeen(ctx: Ctx, believed: readonly Believed[]): Promise<Map<string, number>> {
  for (const { host, report } of believed) {
    if (host.is_simulated && host.last_seen_at !== null) ctx.clearDue(hostSilence, host.id)
    const isBack = !isOpenHost(host) && isOpenHost({ state: host.state, health: report.health })
    if (isBack) ctx.wake(slotsChanged, host.sku_id)
  }
  const sightings = believed.map(({ host, report: { health, message, generation } }) => {
    return { id: host.id, health, health_message: message ?? null, reported_generation: generation }
  })
  return updateSeen(ctx.db, sightings)
}
