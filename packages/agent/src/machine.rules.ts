// What is to be done next with one machine, from what is wanted and what is known. Worked out afresh after each step,
// so it does not matter where an agent was interrupted.

import { isDeepStrictEqual } from 'node:util'
import type { DesiredInstance, reportHost } from '@bourse/api/fleet/agent.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'

/** One line of a report. */
export type ReportEntry = Input<typeof reportHost>['body']['instances'][number]

/** Where a machine is in its life on this host. */
export type Phase = 'fetching' | 'starting' | 'running' | 'start_failed' | 'unhealthy' | 'stopping' | 'stopped'

/** What is remembered of a machine over restarts of the agent. The ticket for its user data is not. */
export type MachineRecord = {
  readonly id: string
  /** The newest generation that was acted on. */
  readonly generation: number
  readonly phase: Phase
  readonly reason: string | null
  readonly wanted: Omit<DesiredInstance, 'user_data_ticket'>
  /** How much of its console the server has: the next chunk's number, and where it begins. */
  readonly next_seqnum: number
  readonly console_byte: number
  /** How many bytes from there on are being handed in; absent: none. */
  readonly console_under_way?: number | undefined
}

/** The next thing to do. `keep`: note the newer wish, the machine stays as it is. */
export type Step = 'start' | 'stop' | 'remove' | 'keep' | 'nothing'

/** What to do with a machine; `wanted` undefined: the server does not list it any more. */
export function nextStep(record: MachineRecord | undefined, wanted: DesiredInstance | undefined): Step {
  if (!record) return wanted === undefined ? 'nothing' : wanted.action === 'run' ? 'start' : 'stop'
  if (!wanted) return 'remove'
  if (wanted.generation < record.generation) return 'nothing'
  const isNewer = wanted.generation > record.generation
  if (wanted.action === 'stop') {
    if (record.phase === 'stopped') return isNewer ? 'keep' : 'nothing'
    return 'stop'
  }
  switch (record.phase) {
    // An agent that was interrupted in the middle of a start begins it again.
    case 'fetching':
    case 'starting':
      return 'start'
    case 'start_failed':
    case 'stopped':
      return isNewer ? 'start' : 'nothing'
    case 'stopping':
      return 'stop'
    case 'running':
    case 'unhealthy':
      return isNewer || isChanged(record.wanted, wanted) ? 'keep' : 'nothing'
  }
}

/** Firewalls, neighbours and deadlines change while a machine runs, without a new generation of its own. */
function isChanged(
  before: MachineRecord['wanted'],
  { network, terminate_at, terminate_reason }: DesiredInstance,
): boolean {
  if (before.terminate_at !== terminate_at || before.terminate_reason !== terminate_reason) return true
  return !isDeepStrictEqual(before.network, network)
}

/** Whether a start that is under way has to be broken off for what is wanted now. */
export function endsStart(wanted: DesiredInstance | undefined): boolean {
  return wanted === undefined || wanted.action === 'stop'
}

/** What a report says of a machine. Of a stop under way nothing is said: the server listens for its end only. */
export function entryOf(record: MachineRecord, ssh: ReportEntry['ssh']): ReportEntry {
  const { id, generation, phase, reason } = record
  return {
    id: id as ReportEntry['id'],
    generation,
    state: phase === 'stopping' ? 'running' : phase,
    ...(reason === null ? {} : { reason }),
    ...(ssh === undefined ? {} : { ssh }),
  }
}
