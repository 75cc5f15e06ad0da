import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../core/ctx.ts'
import { refuse } from '../core/refusal.ts'
import { keyOf } from '../market/capacity.service.ts'
import { hostSilence } from './host-silence.service.ts'
import { isOpenHost } from './hosts.rules.ts'
import { lockHosts } from './hosts.service.ts'
import { findHost, type HostRow, updateSeen } from './hosts.store.ts'
import {
  endInstances,
  forgetMachines,
  instancesChanged,
  lockInstances,
  markFailed,
  markRunning,
  noteConnectionBack,
} from './instance-changes.service.ts'
import { slotsChanged, slotsFreedOnDraining, subnetPeersChanged, tellHosts } from './machines.service.ts'
import {
  listMachinesOn,
  listReportedMachines,
  type MachineReport,
  type ReportedMachineRow,
  removeMachines,
  updateMachines,
  updateSsh,
} from './machines.store.ts'
import { removePublicAddresses } from './placement.store.ts'
import { applyReport, type ReportEffect, type ReportEntry, type ReportEvent } from './reports.rules.ts'

/** What a host says of one machine: its state, and how to reach it once that is known. */
export type ReportedInstance = ReportEntry & {
  readonly id: Id<'instance'>
  readonly ssh?: { readonly hostname: string; readonly port: number; readonly host_keys: readonly unknown[] } | null
}

/** What a host says of itself (surface.md 15). `generation` is the highest that it has carried out. */
export type HostReport = {
  readonly epoch: number
  readonly generation: number
  readonly health: 'healthy' | 'faulted'
  readonly message?: string | undefined
  readonly instances: readonly ReportedInstance[]
}

type Judged = { readonly machine: ReportedMachineRow; readonly entry: ReportedInstance; readonly effect: ReportEffect }

/**
 * Takes a host's report: believes it about what runs, not about what should run. Entries of older generations, and
 * those of instances that do not stand on this host (any more), are ignored, so a report may come late and twice.
 * Refuses `authentication_error` for a host that is retired or unknown, `stale_epoch` where it enrolled again since.
 */
export async function acceptReport(
  ctx: Ctx,
  host_id: Id<'host'>,
  report: HostReport,
): Promise<{ desired_generation: number }> {
  const [known, standing] = await Promise.all([findHost(ctx.db, host_id), listMachinesOn(ctx.db, [host_id])])
  if (!known || known.state === 'retired') refuseRetired()
  const ids = standing.map(({ instance_id }) => instance_id)
  const [, [host], machines] = await Promise.all([
    lockInstances(ctx, ids),
    lockHosts(ctx, [host_id]),
    listReportedMachines(ctx.db, host_id),
  ])
  if (!host) refuseRetired()
  if (report.epoch !== host.epoch) refuse('stale_epoch', 'The host has enrolled again since; use its newer epoch.')
  const judged = judge(
    machines.filter(({ instance_id }) => ids.includes(instance_id)),
    report.instances,
  )
  await keepMachines(ctx, host, judged)
  await keepWays(ctx, machines, report.instances)
  await changeInstances(ctx, judged)
  await freeSlots(ctx, host, judged)
  const lost = machines.filter(({ connection_lost_at }) => connection_lost_at !== null)
  await noteConnectionBack(
    ctx,
    lost.map(({ instance_id }) => instance_id),
  )
  return { desired_generation: await noteSeen(ctx, host, report) }
}

function refuseRetired(): never {
  refuse('authentication_error', 'This host is retired.')
}

function judge(machines: readonly ReportedMachineRow[], entries: readonly ReportedInstance[]): Judged[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return machines.flatMap((machine) => {
    const entry = byId.get(machine.instance_id)
    const effect = entry && applyReport(asReported(machine), entry)
    return effect ? [{ machine, entry, effect }] : []
  })
}

function asReported(machine: ReportedMachineRow) {
  const { instance_state: state, generation, action, start_failures: failed_starts } = machine
  return { state, generation, action, failed_starts, reported_state: machine.state, reported_reason: machine.reason }
}

/** Keeps what was said of machines that stay. A start to be tried again is a new wish, under a new generation. */
async function keepMachines(ctx: Ctx, host: HostRow, judged: readonly Judged[]): Promise<void> {
  const kept = judged.filter(({ effect }) => !effect.frees_slot)
  if (kept.length === 0) return
  const retries = kept.some(({ effect }) => effect.retries_start)
  const [told] = retries ? await tellHosts(ctx, [host.id]) : []
  const rows = kept.map(({ machine, effect }): MachineReport => {
    const generation = effect.retries_start && told ? told.generation : machine.generation
    const { reported_state: state, reported_reason: reason, failed_starts: start_failures } = effect
    return { instance_id: machine.instance_id, generation, state, reason, start_failures }
  })
  await updateMachines(ctx.db, rows, ctx.now)
}

/** How machines are reached is known only after they run, and is said again with every report. */
async function keepWays(
  ctx: Ctx,
  machines: readonly ReportedMachineRow[],
  entries: readonly ReportedInstance[],
): Promise<void> {
  const running = new Map(machines.map((machine) => [machine.instance_id, machine]))
  const ways = entries.flatMap(({ id, generation, ssh }) =>
    ssh && running.get(id)?.generation === generation ? [{ instance_id: id, ssh }] : [],
  )
  await updateSsh(ctx.db, ways, ctx.now)
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

/** The slots of machines that are gone are free, the addresses of ended instances too; who waits for them is woken. */
async function freeSlots(ctx: Ctx, host: HostRow, judged: readonly Judged[]): Promise<void> {
  const gone = judged.filter(({ effect }) => effect.frees_slot).map(({ machine }) => machine)
  if (gone.length === 0) return
  const ids = gone.map(({ instance_id }) => instance_id)
  await removeMachines(ctx.db, host.id, ids)
  // A public address belongs to the host, so an instance that goes back to waiting loses it.
  await removePublicAddresses(ctx.db, ids)
  await forgetMachines(ctx, ids)
  for (const machine of gone) {
    ctx.wake(instancesChanged, keyOf(machine))
    if (machine.subnet_id !== null) ctx.wake(subnetPeersChanged, machine.subnet_id)
  }
  // An agent clears a machine away once it is not listed any more; hosts inside the process have done so already.
  if (!host.is_simulated) await tellHosts(ctx, [host.id])
  ctx.wake(slotsChanged, host.sku_id)
  if (host.state === 'draining') ctx.wake(slotsFreedOnDraining, host.id)
}

async function noteSeen(ctx: Ctx, host: HostRow, { health, message, generation }: HostReport): Promise<number> {
  if (host.is_simulated && host.last_seen_at !== null) ctx.clearDue(hostSilence, host.id)
  const isBack = !isOpenHost(host) && isOpenHost({ state: host.state, health })
  if (isBack) ctx.wake(slotsChanged, host.sku_id)
  const health_message = message ?? null
  return updateSeen(ctx.db, { id: host.id, health, health_message, reported_generation: generation })
}
