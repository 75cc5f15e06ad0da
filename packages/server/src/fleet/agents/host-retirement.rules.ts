// Whether a host may retire, and how the instances on a lost host end.

import type { InstanceState } from '@bourse/api/fleet/instance-states.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { RefusalData } from '../../core/base/refusal.ts'
import { type HostRow, refuseHostAction } from '../hosts/hosts.rules.ts'

/** A host that is to retire. */
type LeavingHost = Pick<HostRow, 'state' | 'health'>

/**
 * Refuses to retire a host that is not drained: `invalid_state`. With `force`, refuses only a host that reports, and
 * one that has retired.
 */
export function refuseRetirement({ state, health }: LeavingHost, force: boolean): RefusalData | undefined {
  const refusal = refuseHostAction('retire', state)
  if (!refusal || state === 'retired') return refusal
  if (health !== 'unreachable') return force ? { ...refusal, message: stillReports } : refusal
  if (force) return undefined
  return { ...refusal, message: `${refusal.message} It is unreachable: if it is gone for good, send \`force\`.` }
}

/** The refusal to retire a host by force that reports. */
const stillReports = 'The host still reports, so its instances may run. Drain it, and retire it once it is drained.'

/** An instance on a lost host. */
type LostInstance = { readonly instance_id: Id<'instance'>; readonly instance_state: InstanceState }

/** Which instances fail, and which of these and others end. */
type HostLoss = { readonly failing: readonly Id<'instance'>[]; readonly ending: readonly Id<'instance'>[] }

/**
 * How the instances on a lost host end. One that runs fails, as one does whose machine its host reports lost, and ends:
 * it has no slot any more that it could keep for a successor. One that the host has not reported yet waits again.
 */
export function planLoss(instances: readonly LostInstance[]): HostLoss {
  const inState = (...states: readonly InstanceState[]) =>
    instances.filter(({ instance_state }) => states.includes(instance_state)).map(({ instance_id }) => instance_id)
  return { failing: inState('running'), ending: inState('running', 'failed') }
}
