// What a host's report means for one instance (docs/concepts/hosts.md, "Reports"). A report says how things are, again
// and again, so the same one twice must change nothing. Whom the host belongs to, its epoch and its own health are
// judged elsewhere.

import { isDeepStrictEqual } from 'node:util'
import type { reportedStates } from '@bourse/api/fleet/agent.ts'
import type { HostHealth, HostState } from '@bourse/api/fleet/host-states.ts'
import { type InstanceState, mayInstanceBecome } from '@bourse/api/fleet/instance-states.ts'

/** Starts that may fail on one slot before the instance does (docs/concepts/hosts.md, "Reports"). */
export const FAILED_STARTS_MAX = 3

/** What an agent says of a machine. */
export type ReportedState = (typeof reportedStates)[number]

/** One entry of a report. */
export type ReportEntry = {
  readonly generation: number
  readonly state: ReportedState
  readonly reason?: string | null | undefined
}

/** An instance on the reporting host, as the server holds it. */
export type ReportedInstance = {
  readonly state: InstanceState
  /** The generation and the action that the host was last told for it. */
  readonly generation: number
  readonly action: 'run' | 'stop'
  readonly failed_starts: number
  /** What was last reported, null before the first report on this slot. */
  readonly reported_state: ReportedState | null
  readonly reported_reason: string | null
}

/** A machine on the reporting host, with how it is reached and since when it is told that it does not answer. */
export type StandingMachine = ReportedInstance & {
  readonly instance_id: string
  readonly ssh: unknown
  readonly connection_lost_at: number | null
}

/** The reporting host, as the server holds it. */
export type StandingHost = {
  readonly epoch: number
  readonly state: HostState
  readonly health: HostHealth
  readonly health_message: string | null
  readonly machines: readonly StandingMachine[]
}

/** What of a report is judged before anything is locked. */
export type SaidOfHost = {
  readonly epoch: number
  readonly health: 'healthy' | 'faulted'
  readonly message?: string | undefined
  readonly instances: readonly (ReportEntry & { readonly id: string; readonly ssh?: unknown })[]
}

/** What happened to an instance, in the order of its events. */
export type ReportEvent = 'instance.running' | 'instance.failed' | 'instance.terminated'

/** What a report changes; the fields are those of {@link ReportedInstance} afterwards. */
export type ReportEffect = {
  readonly state: InstanceState
  readonly failed_starts: number
  readonly reported_state: ReportedState
  readonly reported_reason: string | null
  /** To be emitted in this order, actor system. */
  readonly events: readonly ReportEvent[]
  /** The machine is gone and confirmed so: the slot and the addresses are free. */
  readonly frees_slot: boolean
  /** The start is to be tried again on the same slot: the instance gets a new generation. */
  readonly retries_start: boolean
}

/**
 * What an entry of a report does to its instance; `undefined` = nothing. Ignored are entries of an older generation,
 * so each generation can fail to start only once however often that is reported, and what an instance that is to stop
 * says before it has stopped. A machine that was lost or failed before any of its reports got through has run first:
 * events never skip `instance.running`.
 */
export function applyReport(instance: ReportedInstance, entry: ReportEntry): ReportEffect | undefined {
  if (entry.generation < instance.generation) return undefined
  const reported_reason = entry.reason ?? null
  const seen = { reported_state: entry.state, reported_reason }
  const still = { ...seen, state: instance.state, failed_starts: instance.failed_starts }
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
      if (failed_starts >= FAILED_STARTS_MAX) return { ...failed(), failed_starts }
      return { ...still, ...quiet, state: running, failed_starts, events: before, retries_start: true }
    }
    case 'unhealthy':
      return running === 'failed' ? undefined : failed()
    case 'stopped': {
      if (reported_reason === 'guest_shutdown') {
        const events: ReportEvent[] = [...before, 'instance.terminated']
        return { ...still, ...quiet, state: become(running, 'terminated'), events, frees_slot: true }
      }
      // Nobody asked for a stop and the guest did not power off: the machine is lost, whatever the agent calls it.
      return running === 'failed' ? undefined : { ...failed(), reported_reason: 'machine_lost' }
    }
  }

  function failed(): ReportEffect {
    return { ...still, ...quiet, state: become(running, 'failed'), events: [...before, 'instance.failed'] }
  }
}

/**
 * Whether a report only says that all is as it was said before, so that the host is to be noted as seen and nothing
 * else changes. Whatever is refused, whatever has an effect, and the first word after a silence is news.
 */
export function isSteady(host: StandingHost, { epoch, health, message, instances }: SaidOfHost): boolean {
  if (host.state === 'retired' || host.epoch !== epoch) return false
  if (host.health !== health || host.health_message !== (message ?? null)) return false
  if (host.machines.some(({ connection_lost_at }) => connection_lost_at !== null)) return false
  const byId = new Map(host.machines.map((machine) => [machine.instance_id, machine]))
  return instances.every((entry) => {
    const machine = byId.get(entry.id)
    return !machine || (applyReport(machine, entry) === undefined && !showsNewWay(machine, entry))
  })
}

/** How a machine is reached is believed of the generation that is wanted, and of no other. */
function showsNewWay(machine: StandingMachine, { generation, ssh }: SaidOfHost['instances'][number]): boolean {
  return Boolean(ssh) && generation === machine.generation && !isDeepStrictEqual(ssh, machine.ssh)
}

function become(from: InstanceState, to: InstanceState): InstanceState {
  if (!mayInstanceBecome(from, to)) throw new Error(`An instance that is ${from} cannot become ${to}.`)
  return to
}
