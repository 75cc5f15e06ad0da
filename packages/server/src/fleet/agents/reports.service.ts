import type { Id } from '@bourse/api/kit/ids.ts'
import { Refusal, type RefusalData } from '../../core/base/refusal.ts'
import type { BatchVerdict } from '../../core/work/batch-command.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { goneHost, type HostRow, isOpenHost } from '../hosts/hosts.rules.ts'
import { lockHosts } from '../hosts/hosts.service.ts'
import type { ReportedMachineRow } from '../hosts/machines.rules.ts'
import {
  bumpGenerations,
  listMachinesOn,
  listReportedMachines,
  outrunAgents,
  slotsChanged,
} from '../hosts/machines.service.ts'
import {
  applyReport,
  highestGeneration,
  type MachineSshKeys,
  type ReportEffect,
  type ReportEntry,
  type ReportEvent,
} from '../hosts/reports.rules.ts'
import {
  endInstances,
  lockInstances,
  markFailed,
  markRunning,
  recordConnectionBack,
} from '../instances/instance-changes.service.ts'
import { freeSlots } from './gone-machines.service.ts'
import { hostSilence } from './host-silence.service.ts'
import { type MachineReport, updateHeartbeats, updateMachines, updateSsh, updateSshKeys } from './reports.store.ts'

/** The report of one machine: its state, and its SSH endpoint once that is known. */
export type InstanceReport = ReportEntry & {
  readonly id: Id<'instance'>
  readonly ssh?: { readonly hostname: string; readonly port: number; readonly host_keys: readonly unknown[] } | null
  readonly ssh_keys?: MachineSshKeys | undefined
}

/** A report of a host. `generation` is the highest that it has applied. */
export type HostReport = {
  readonly epoch: number
  readonly generation: number
  readonly health: 'healthy' | 'faulted'
  readonly message?: string | undefined
  readonly instances: readonly InstanceReport[]
}

/** A report and its host. */
export type IncomingReport = { readonly host_id: Id<'host'>; readonly report: HostReport }

/** The answer to a report. */
export type ReportAck = { readonly desired_generation: number }

/** An accepted report, with the host and its machines. Host and instances are locked. */
type AcceptedReport = IncomingReport & { readonly host: HostRow; readonly machines: readonly ReportedMachineRow[] }
type EvaluatedEntry = {
  readonly host: HostRow
  readonly machine: ReportedMachineRow
  readonly entry: InstanceReport
  readonly effect: ReportEffect
}

/**
 * Accepts a report of what runs on a host; what should run there does not change. Entries of older generations and of
 * instances that are not or no longer on this host are ignored, so reports may arrive late or twice. Refuses
 * `host_retired`, `authentication_error` for a host that is not there, `stale_epoch` if the host has enrolled again.
 */
export async function acceptReport(ctx: Ctx, host_id: Id<'host'>, report: HostReport): Promise<ReportAck> {
  const [verdict] = await acceptReports(ctx, [{ host_id, report }])
  if (verdict && 'done' in verdict) return verdict.done
  throw new Refusal(verdict?.refusal ?? goneHost(undefined))
}

/** Accepts the reports of several hosts as {@link acceptReport} does. Returns a verdict for each, in order. */
export async function acceptReports(ctx: Ctx, reports: readonly IncomingReport[]): Promise<BatchVerdict<ReportAck>[]> {
  const hostIds = reports.map(({ host_id }) => host_id)
  const ids = (await listMachinesOn(ctx, hostIds)).map(({ instance_id }) => instance_id)
  const [, rows, standing] = await Promise.all([
    lockInstances(ctx, ids),
    lockHosts(ctx, hostIds),
    listReportedMachines(ctx, hostIds),
  ])
  const hosts = new Map(rows.map((host) => [host.id, host]))
  // A machine that was placed in between is not locked. No report of this batch can refer to it.
  const locked = new Set(ids)
  const machines = Map.groupBy(
    standing.filter(({ instance_id }) => locked.has(instance_id)),
    ({ host_id }) => host_id,
  )
  const refusals = reports.map(({ host_id, report }) => refuseReport(hosts.get(host_id), report))
  const accepted = reports.flatMap((one, index): AcceptedReport[] => {
    const host = refusals[index] === undefined ? hosts.get(one.host_id) : undefined
    return host ? [{ ...one, host, machines: machines.get(host.id) ?? [] }] : []
  })
  const generations = await applyReports(ctx, accepted)
  return reports.map(({ host_id }, index) => {
    const refusal = refusals[index]
    return refusal ? { refusal } : { done: { desired_generation: generations.get(host_id) as number } }
  })
}

function refuseReport(host: HostRow | undefined, { epoch }: HostReport): RefusalData | undefined {
  if (!host || host.state === 'retired') return goneHost(host)
  // A higher epoch was given in commits that the database has lost.
  if (epoch >= host.epoch) return undefined
  return { code: 'stale_epoch', message: 'The host has enrolled again. Use its newer epoch.' }
}

/** Applies accepted reports. Returns the desired generation of each host. */
async function applyReports(ctx: Ctx, accepted: readonly AcceptedReport[]): Promise<Map<string, number>> {
  if (accepted.length === 0) return new Map()
  const evaluated = (await outrun(ctx, accepted)).flatMap(evaluate)
  await keepMachines(ctx, evaluated)
  await updateSsh(ctx.db, accepted.flatMap(sshEndpointsOf), ctx.now)
  await updateSshKeys(ctx.db, accepted.flatMap(sshKeysOf))
  await changeInstances(ctx, evaluated)
  await freeSlots(
    ctx,
    evaluated.filter(({ effect }) => effect.frees_slot),
  )
  const lost = accepted
    .flatMap(({ machines }) => machines)
    .filter(({ connection_lost_at }) => connection_lost_at !== null)
  await recordConnectionBack(
    ctx,
    lost.map(({ instance_id }) => instance_id),
  )
  return recordHeartbeats(ctx, accepted)
}

/** Raises the generations of hosts whose agents know higher ones. Entries of their reports are then out of date. */
async function outrun(ctx: Ctx, accepted: readonly AcceptedReport[]): Promise<readonly AcceptedReport[]> {
  const reported = accepted.map(({ host, report, machines }) => {
    return { id: host.id, generation: highestGeneration(report, machines), host }
  })
  const ahead = reported.filter(({ generation, host }) => generation > host.generation)
  if (ahead.length === 0) return accepted
  const raised = await outrunAgents(
    ctx,
    ahead.map(({ id, generation }) => ({ id, generation })),
  )
  const ids = new Set(raised.map(({ id }) => id))
  ctx.log.warn({ hosts: [...ids] }, 'Agents know of commits that the database has lost.')
  return accepted.filter(({ host }) => !ids.has(host.id))
}

function evaluate({ host, machines, report }: AcceptedReport): EvaluatedEntry[] {
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
async function keepMachines(ctx: Ctx, evaluated: readonly EvaluatedEntry[]): Promise<void> {
  const kept = evaluated.filter(({ effect }) => !effect.frees_slot)
  if (kept.length === 0) return
  const retried = kept.filter(({ effect }) => effect.retries_start).map(({ host }) => host.id)
  const bumped = new Map((await bumpGenerations(ctx, retried)).map(({ id, generation }) => [id, generation]))
  const rows = kept.map(({ host, machine, effect }): MachineReport => {
    const generation = (effect.retries_start && bumped.get(host.id)) || machine.generation
    const { reported_state: state, reported_reason: reason, failed_starts: start_failures } = effect
    return { instance_id: machine.instance_id, generation, state, reason, start_failures }
  })
  await updateMachines(ctx.db, rows, ctx.now)
}

/** SSH endpoints become known only after a machine runs, and every report repeats them. */
function sshEndpointsOf({ machines, report }: AcceptedReport) {
  const running = new Map(machines.map((machine) => [machine.instance_id, machine]))
  return report.instances.flatMap(({ id, generation, ssh }) =>
    ssh && running.get(id)?.generation === generation ? [{ instance_id: id, ssh }] : [],
  )
}

/** Which keys a machine has may change with every report. */
function sshKeysOf({ machines, report }: AcceptedReport) {
  const known = new Map(machines.map((machine) => [machine.instance_id, machine]))
  return report.instances.flatMap(({ id, generation, ssh_keys }) =>
    ssh_keys && known.get(id)?.generation === generation ? [{ instance_id: id, ssh_keys }] : [],
  )
}

async function changeInstances(ctx: Ctx, evaluated: readonly EvaluatedEntry[]): Promise<void> {
  const having = (event: ReportEvent) =>
    evaluated.filter(({ effect }) => effect.events.includes(event)).map(({ machine }) => machine.instance_id)
  await markRunning(ctx, having('instance.running'))
  await markFailed(ctx, having('instance.failed'))
  const reason = 'guest_shutdown'
  await endInstances(
    ctx,
    having('instance.terminated').map((id) => ({ id, reason })),
  )
}

function recordHeartbeats(ctx: Ctx, accepted: readonly AcceptedReport[]): Promise<Map<string, number>> {
  for (const { host, report } of accepted) {
    if (host.is_simulated && host.last_seen_at !== null) ctx.unschedule(hostSilence, host.id)
    const isBack =
      !isOpenHost(host) && host.unfit_at === null && isOpenHost({ state: host.state, health: report.health })
    if (isBack) ctx.publish(slotsChanged, host.sku_id)
  }
  const heartbeats = accepted.map(({ host, report: { epoch, health, message, generation } }) => {
    const reported = { health_message: message ?? null, reported_generation: generation }
    return { id: host.id, epoch, health, ...reported }
  })
  return updateHeartbeats(ctx.db, heartbeats)
}
