import type { DesiredState } from '@bourse/api/fleet/agent.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { lockedElsewhere, type StepResult } from '../../core/work/reconciler.ts'
import { desiredState } from '../../fleet/agents/desired-state.service.ts'
import { hideHost } from '../../fleet/agents/host-silence.service.ts'
import { keepChunks } from '../../fleet/agents/instance-logs.service.ts'
import { acceptReport, type InstanceReport } from '../../fleet/agents/reports.service.ts'
import { activeFaults, countHits } from './machine-faults.service.ts'
import { evaluateOutage, loseMachines, type SimulatedMachine, stepHost } from './simulated-hosts.rules.ts'
import {
  findSimulatedHost,
  listSimulatedMachines,
  replaceSimulatedMachines,
  type SimulatedHostRow,
  simulatedHostLock,
  updateSimulatedHost,
} from './simulated-hosts.store.ts'
import { bootLog, keysOf, sshOf } from './simulated-machines.rules.ts'

type KnownHostMachines = { readonly host: SimulatedHostRow; readonly machines: readonly SimulatedMachine[] }

/**
 * Does the work of an agent for a simulated host: reads the desired state, takes one step towards it, and reports.
 * Returns the time of the next state change in seconds; undefined if there is none.
 */
export async function runHost(ctx: Ctx, host_id: Id<'host'>): Promise<StepResult> {
  const [[locked], host, machines] = await Promise.all([
    ctx.lock(simulatedHostLock, [host_id]),
    findSimulatedHost(ctx.db, host_id),
    listSimulatedMachines(ctx.db, host_id),
  ])
  if (!host) return undefined
  if (locked === undefined) return lockedElsewhere
  const desired = await desiredState(ctx, host_id)
  if (!desired) {
    await replaceSimulatedMachines(ctx.db, host_id, [])
    return undefined
  }
  return (await act(ctx, { host, machines }, desired)) ?? undefined
}

async function act(ctx: Ctx, { host, machines }: KnownHostMachines, desired: DesiredState): Promise<number | null> {
  const { host_id, seed } = host
  const instanceIds = desired.instances.map(({ id }) => id)
  const faults = await activeFaults(ctx, host_id, instanceIds)
  const outage = evaluateOutage(host, faults, ctx.now)
  await countHits(ctx, outage.hits)
  await recordOutage(ctx, host, outage)
  if (outage.is_away) {
    if (outage.crashes) await keep(ctx, host_id, machines, loseMachines(machines))
    return outage.next_at
  }
  const step = stepHost({ now: ctx.now, seed, wanted: desired.instances, machines, faults })
  await countHits(ctx, step.hits)
  await keep(ctx, host_id, machines, step.machines)
  const { epoch, generation } = desired
  const running = step.entries.filter(({ state }) => state === 'running')
  const reachable = new Map(running.map(({ id }) => [id, sshOf(id)]))
  const keys = new Map(desired.instances.map(({ id, ssh_keys = [] }) => [id as string, keysOf(ssh_keys)]))
  const instances = step.entries.map((entry) => {
    const ssh_keys = reachable.has(entry.id) ? keys.get(entry.id) : undefined
    return { ...entry, ssh: reachable.get(entry.id), ssh_keys }
  }) as InstanceReport[]
  await acceptReport(ctx, host_id, { epoch, generation, health: 'healthy', instances })
  const ran = new Set(machines.filter(({ state }) => state === 'running').map(({ instance_id }) => instance_id))
  for (const { id } of running) {
    if (ran.has(id)) continue
    await keepChunks(ctx, id as Id<'instance'>, bootLog(id, ctx.now), ctx.now * 1000)
  }
  const nextTimes = [step.next_at, outage.next_at].filter((at) => at !== null)
  return nextTimes.length === 0 ? null : Math.min(...nextTimes)
}

async function recordOutage(
  ctx: Ctx,
  host: SimulatedHostRow,
  outage: ReturnType<typeof evaluateOutage>,
): Promise<void> {
  const { host_id } = host
  const { down_until } = outage
  const hidden_at = outage.is_away ? (host.hidden_at ?? ctx.now) : null
  if (hidden_at === host.hidden_at && down_until === host.down_until) return
  await updateSimulatedHost(ctx.db, { host_id, hidden_at, down_until })
  if (outage.is_away && host.hidden_at === null) await hideHost(ctx, host_id)
}

async function keep(
  ctx: Ctx,
  host_id: Id<'host'>,
  before: readonly SimulatedMachine[],
  after: readonly SimulatedMachine[],
): Promise<void> {
  if (JSON.stringify(before) !== JSON.stringify(after)) await replaceSimulatedMachines(ctx.db, host_id, after)
}
