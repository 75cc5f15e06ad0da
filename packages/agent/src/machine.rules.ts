// The next step for one machine, from its desired state and its journal. Computed again after each step, so it does not
// matter where an agent was interrupted.

import { isDeepStrictEqual } from 'node:util'
import { type DesiredInstance, type ReportedSsh, type reportHost, sshBounds } from '@bourse/api/fleet/agent.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { MachineEnd } from './drivers/driver.ts'

/** An entry of a report. */
export type ReportEntry = Input<typeof reportHost>['body']['instances'][number]

/** The phase of a machine on this host. */
export type Phase = 'fetching' | 'starting' | 'running' | 'start_failed' | 'unhealthy' | 'stopping' | 'stopped'

/** The SSH keys of the platform in a machine, and whether its guest agent has answered. */
export type MachineKeys = { readonly has_channel: boolean; readonly ids: readonly string[] }

/** The journal of a machine. It does not contain the ticket for user data. */
export type MachineRecord = {
  readonly id: string
  /** The newest generation that was handled. */
  readonly generation: number
  readonly phase: Phase
  readonly reason: string | null
  readonly wanted: Omit<DesiredInstance, 'user_data_ticket'>
  /** How much of the console the server has: the number of the next chunk, and the byte where it begins. */
  readonly next_seqnum: number
  readonly console_byte: number
  /** How many bytes from there on are being sent. Absent: none. */
  readonly console_under_way?: number | undefined
  /** The SSH keys of the platform in it. Absent: none yet. */
  readonly ssh_keys?: MachineKeys | undefined
  /** How it has ended without a request, while its process and its devices are still to be cleared. */
  readonly ended?: MachineEnd | undefined
}

/** The next step. `keep`: record the newer desired state without changing the machine. */
type MachineStep = 'start' | 'stop' | 'remove' | 'keep' | 'nothing'

/** The next step for a machine. `wanted` undefined: the server no longer lists it. */
export function nextStep(record: MachineRecord | undefined, wanted: DesiredInstance | undefined): MachineStep {
  if (!record) return wanted === undefined ? 'nothing' : wanted.action === 'run' ? 'start' : 'stop'
  if (!wanted) return 'remove'
  if (wanted.generation < record.generation) return 'nothing'
  const isNewer = wanted.generation > record.generation
  if (wanted.action === 'stop') {
    if (record.phase === 'stopped') return isNewer ? 'keep' : 'nothing'
    return 'stop'
  }
  switch (record.phase) {
    // An agent that was interrupted during a start repeats it.
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

/** Firewalls, peers, SSH keys and deadlines change while a machine runs, without a new generation of the machine. */
function isChanged(
  before: MachineRecord['wanted'],
  { network, ssh_keys, terminate_at, terminate_reason }: DesiredInstance,
): boolean {
  if (before.terminate_at !== terminate_at || before.terminate_reason !== terminate_reason) return true
  return !isDeepStrictEqual(before.network, network) || !isDeepStrictEqual(before.ssh_keys, ssh_keys)
}

/** Whether the desired state requires a running start to be aborted. */
export function endsStart(wanted: DesiredInstance | undefined): boolean {
  return wanted === undefined || wanted.action === 'stop'
}

/** The report entry of a machine. A pending stop is reported as running: the server waits only for its end. */
export function entryOf(record: MachineRecord, ssh: ReportEntry['ssh']): ReportEntry {
  const { id, generation, phase, reason, ssh_keys } = record
  return {
    id: id as ReportEntry['id'],
    generation,
    state: phase === 'stopping' ? 'running' : phase,
    ...(reason === null ? {} : { reason }),
    ...(ssh === undefined ? {} : { ssh }),
    ...(ssh_keys === undefined ? {} : { ssh_keys: ssh_keys.ids.join(' '), guest_agent: ssh_keys.has_channel }),
  }
}

/**
 * The keys of a guest that may be reported. The guest chooses them, and the server refuses a report with a key that is
 * out of bounds, so a single guest could silence its host.
 */
export function reportableKeys(keys: ReportedSsh['host_keys']): ReportedSsh['host_keys'] {
  const { key_type: typePattern, key: keyPattern, key_type_max, key_max, keys_max } = sshBounds
  const isReportable = ({ key_type, key }: ReportedSsh['host_keys'][number]) =>
    key_type.length <= key_type_max &&
    key.length <= key_max &&
    new RegExp(typePattern).test(key_type) &&
    new RegExp(keyPattern).test(key)
  return keys.filter(isReportable).slice(0, keys_max)
}
