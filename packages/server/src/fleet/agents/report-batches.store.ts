import type { ReportedSsh } from '@bourse/api/fleet/agent.ts'
import type { HostHealth, HostState } from '@bourse/api/fleet/host-states.ts'
import type { InstanceState } from '@bourse/api/fleet/instance-states.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { MachineSshKeys, ReportedState } from '../hosts/reports.rules.ts'

/** A host before a report is applied. */
export type ReportingHostRow = {
  id: Id<'host'>
  epoch: number
  generation: number
  state: HostState
  health: HostHealth
  health_message: string | null
}

/** A machine of that host. All fields are null if the host has none. */
export type ReportingMachineRow = {
  instance_id: Id<'instance'> | null
  machine_generation: number
  action: 'run' | 'stop'
  reported_state: ReportedState | null
  reported_reason: string | null
  start_failures: number
  ssh: ReportedSsh | null
  ssh_keys: MachineSshKeys | null
  instance_state: InstanceState
  connection_lost_at: number | null
}

/** A host with a steady report, and the values that were read when the report was checked. */
export type SteadyHost = Pick<ReportingHostRow, 'id' | 'epoch' | 'generation' | 'state' | 'health'> & {
  readonly reported_generation: number
}

const selectSeen = statement<ReportingHostRow & ReportingMachineRow>(
  'fleet.list_reporting_hosts',
  `select h.id, h.epoch, h.generation, h.state, h.health, h.health_message, m.instance_id,
     m.generation as machine_generation, m.action, m.state as reported_state, m.reason as reported_reason,
     m.start_failures, m.ssh, m.ssh_keys, i.state as instance_state, i.connection_lost_at
   from hosts h
   left join machines m on m.host_id = h.id
   left join instances i on i.id = m.instance_id
   where h.id = any($1)`,
)

// A locked host is being changed. It is skipped instead of waited for, and its report is handled with the host locked.
const noteSteady = statement<{ id: Id<'host'> }>(
  'fleet.update_steady_hosts',
  `with steady as (
     select h.id, s.reported_generation
     from jsonb_to_recordset($1::jsonb) as s(id text, epoch bigint, generation bigint, state text, health text,
       reported_generation bigint)
     join hosts h on h.id = s.id
     where h.epoch = s.epoch
       and h.generation = s.generation
       and h.state = s.state
       and h.health = s.health
     order by h.id
     for no key update of h skip locked
   )
   update hosts h
   set reported_generation = greatest(h.reported_generation, least(s.reported_generation, h.generation)),
     last_seen_at = floor(bourse_real_now())::bigint
   from steady s
   where h.id = s.id
   returning h.id`,
)

/** Some hosts with their machines: one row for each machine, and at least one for each host. */
export function listReportingHosts(
  db: Db,
  ids: readonly string[],
): Promise<(ReportingHostRow & ReportingMachineRow)[]> {
  return db.rows(selectSeen, [ids])
}

/** Records the reports of hosts that are unchanged and not locked. Returns their ids. */
export async function updateSteadyHosts(db: Db, hosts: readonly SteadyHost[]): Promise<Set<string>> {
  return new Set((await db.rows(noteSteady, [JSON.stringify(hosts)])).map(({ id }) => id))
}
