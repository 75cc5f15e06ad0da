// What the server knows of a machine: what its host is to do with it, and what that host reported of it.

import type { InstanceState } from '@bourse/api/fleet/instance-states.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { ReportedState } from './reports.rules.ts'

/** The slot of an instance on a host: the desired action and the reported state. */
export type MachineRow = {
  instance_id: Id<'instance'>
  host_id: Id<'host'>
  slot: number
  generation: number
  action: 'run' | 'stop'
  state: ReportedState | null
  reason: string | null
  start_failures: number
}

/** A machine with what a report about it depends on. */
export type ReportedMachineRow = MachineRow & {
  instance_state: InstanceState
  connection_lost_at: number | null
  subnet_id: Id<'subnet'> | null
  pool_id: Id<'pool'>
  sku_id: Id<'sku'>
}
