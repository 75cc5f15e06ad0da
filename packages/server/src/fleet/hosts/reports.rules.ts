// The effect of a host's report on one instance. Reports repeat the current state, so the same report twice must change
// nothing. Ownership, epoch and health of the host are checked elsewhere.

import { isDeepStrictEqual } from 'node:util'
import type { reportedStates } from '@bourse/api/fleet/agent.ts'
import type { HostHealth, HostState } from '@bourse/api/fleet/host-states.ts'
import { type InstanceState, mayInstanceBecome } from '@bourse/api/fleet/instance-states.ts'
import type { Id } from '@bourse/api/kit/ids.ts'

/** The instance fails after this many failed starts on one slot (docs/concepts/hosts.md, "Reports"). */
const failedStartsMax = 3

/** A state in which an agent reports a machine. */
export type ReportedState = (typeof reportedStates)[number]

/** One entry of a report. */
export type ReportEntry = {
  readonly generation: number
  readonly state: ReportedState
  readonly reason?: string | null | undefined
}

/** An instance on the reporting host, as it is stored. */
export type ReportedInstance = {
  readonly state: InstanceState
  /** The generation and the desired action of its machine. */
  readonly generation: number
  readonly action: 'run' | 'stop'
  readonly failed_starts: number
  /** From the last report; null before the first report on this slot. */
  readonly reported_state: ReportedState | null
  readonly reported_reason: string | null
}

/** A machine on the reporting host, with its SSH endpoint and the time since when its connection is lost. */
export type StandingMachine = ReportedInstance & {
  readonly instance_id: string
  readonly ssh: unknown
  readonly ssh_keys: unknown
  readonly connection_lost_at: number | null
}

/** The reporting host, as it is stored. */
export type StandingHost = {
  readonly epoch: number
  readonly generation: number
  readonly state: HostState
  readonly health: HostHealth
  readonly health_message: string | null
  readonly machines: readonly StandingMachine[]
}

/** The part of a report that is checked before anything is locked. */
export type ReportContent = {
  readonly epoch: number
  readonly generation: number
  readonly health: 'healthy' | 'faulted'
  readonly message?: string | undefined
  readonly instances: readonly (ReportEntry & {
    readonly id: string
    readonly ssh?: unknown
    readonly ssh_keys?: unknown
  })[]
}

// Control characters, marks of direction and other invisible ones, separators of lines.
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** The SSH keys of the platform that a machine has, and whether its host can change them while it runs. */
export type MachineSshKeys = { readonly has_channel: boolean; readonly ids: readonly Id<'ssh_key'>[] }

/** The keys of the entries of a report, as they are stored. */
export function withKeys<E extends { readonly ssh_keys?: string; readonly guest_agent?: boolean }>(
  entries: readonly E[],
): (Omit<E, 'ssh_keys' | 'guest_agent'> & { readonly ssh_keys?: MachineSshKeys })[] {
  return entries.map(({ ssh_keys, guest_agent = false, ...entry }) => {
    if (ssh_keys === undefined) return entry
    const ids = ssh_keys.split(' ').filter((id) => id !== '') as Id<'ssh_key'>[]
    return { ...entry, ssh_keys: { has_channel: guest_agent, ids } }
  })
}

/** A report whose texts have one line and nothing invisible: people read them in terminals and pages. */
export function plainReport<R extends Pick<ReportContent, 'message' | 'instances'>>(report: R): R {
  const { message, instances } = report
  return {
    ...report,
    ...(message === undefined ? {} : { message: message.replace(invisible, ' ') }),
    instances: instances.map((entry) =>
      typeof entry.reason === 'string' ? { ...entry, reason: entry.reason.replace(invisible, ' ') } : entry,
    ),
  }
}

/** The events that a report can cause. */
export type ReportEvent = 'instance.running' | 'instance.failed' | 'instance.terminated'

/** The effect of a report: the fields of {@link ReportedInstance} afterwards, and what follows from it. */
export type ReportEffect = {
  readonly state: InstanceState
  readonly failed_starts: number
  readonly reported_state: ReportedState
  readonly reported_reason: string | null
  /** Emitted in this order, with the actor system. */
  readonly events: readonly ReportEvent[]
  /** The host confirmed that the machine is gone: its slot and its addresses are free. */
  readonly frees_slot: boolean
  /** The start is retried on the same slot, with a new generation. */
  readonly retries_start: boolean
}

/**
 * Applies an entry of a report to its instance; `undefined` if nothing changes. Entries of an older generation are
 * ignored, so each generation counts at most one failed start. While a stop is pending, every state but `stopped` is
 * ignored. Events never skip `instance.running`: it is also emitted if the first report says that the machine failed.
 */
export function applyReport(instance: ReportedInstance, entry: ReportEntry): ReportEffect | undefined {
  if (entry.generation < instance.generation) return undefined
  const reported_reason = entry.reason ?? null
  const isNew = { reported_state: entry.state, reported_reason }
  const still = { ...isNew, state: instance.state, failed_starts: instance.failed_starts }
  const quiet = { events: [], frees_slot: false, retries_start: false }
  if (instance.action === 'stop' || instance.state === 'terminated') {
    return entry.state === 'stopped' ? { ...still, ...quiet, frees_slot: true } : undefined
  }
  const before: readonly ReportEvent[] = instance.state === 'awaiting_allocation' ? ['instance.running'] : []
  const running = instance.state === 'awaiting_allocation' ? 'running' : instance.state
  switch (entry.state) {
    case 'fetching':
    case 'starting':
    case 'running': {
      const isNew = entry.state !== instance.reported_state || reported_reason !== instance.reported_reason
      return isNew || before.length > 0 ? { ...still, ...quiet, state: running, events: before } : undefined
    }
    case 'start_failed': {
      if (running === 'failed') return undefined
      const failed_starts = instance.failed_starts + 1
      if (failed_starts >= failedStartsMax) return { ...failed(), failed_starts }
      return { ...still, ...quiet, state: running, failed_starts, events: before, retries_start: true }
    }
    case 'unhealthy':
      return running === 'failed' ? undefined : failed()
    case 'stopped': {
      if (reported_reason === 'guest_shutdown') {
        const events: ReportEvent[] = [...before, 'instance.terminated']
        return { ...still, ...quiet, state: become(running, 'terminated'), events, frees_slot: true }
      }
      // Without a requested stop or a guest shutdown the machine is lost, whatever reason the agent gives.
      return running === 'failed' ? undefined : { ...failed(), reported_reason: 'machine_lost' }
    }
  }

  function failed(): ReportEffect {
    return { ...still, ...quiet, state: become(running, 'failed'), events: [...before, 'instance.failed'] }
  }
}

/**
 * Whether a report only repeats what is already stored, so that only the time of the report must be recorded. Not
 * steady: reports that are refused, that have an effect, or that are the first after an outage.
 */
export function isSteady(host: StandingHost, report: ReportContent): boolean {
  const { epoch, health, message, instances } = report
  if (host.state === 'retired' || host.epoch !== epoch) return false
  if (highestGeneration(report, host.machines) > host.generation) return false
  if (host.health !== health || host.health_message !== (message ?? null)) return false
  if (host.machines.some(({ connection_lost_at }) => connection_lost_at !== null)) return false
  const byId = new Map(host.machines.map((machine) => [machine.instance_id, machine]))
  return instances.every((entry) => {
    const machine = byId.get(entry.id)
    return (
      !machine ||
      (applyReport(machine, entry) === undefined && !hasNewSsh(machine, entry) && !hasNewKeys(machine, entry))
    )
  })
}

/**
 * The highest generation that an agent knows, of its host and of the host's machines. It exceeds that of the host only
 * if the database has lost commits.
 */
export function highestGeneration(
  { generation, instances }: Pick<ReportContent, 'generation' | 'instances'>,
  machines: readonly { readonly instance_id: string }[],
): number {
  const own = new Set(machines.map(({ instance_id }) => instance_id))
  return Math.max(generation, ...instances.filter(({ id }) => own.has(id)).map((entry) => entry.generation))
}

/** An SSH endpoint is accepted only for the desired generation. */
function hasNewSsh(machine: StandingMachine, { generation, ssh }: ReportContent['instances'][number]): boolean {
  return Boolean(ssh) && generation === machine.generation && !isDeepStrictEqual(ssh, machine.ssh)
}

function hasNewKeys(machine: StandingMachine, { generation, ssh_keys }: ReportContent['instances'][number]): boolean {
  return Boolean(ssh_keys) && generation === machine.generation && !isDeepStrictEqual(ssh_keys, machine.ssh_keys)
}

function become(from: InstanceState, to: InstanceState): InstanceState {
  if (!mayInstanceBecome(from, to)) throw new Error(`An instance that is ${from} cannot become ${to}.`)
  return to
}
