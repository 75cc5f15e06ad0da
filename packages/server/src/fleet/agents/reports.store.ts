import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { MachineRow } from '../hosts/machines.rules.ts'
import type { MachineSshKeys } from '../hosts/reports.rules.ts'

/** The reported state of a machine, as it is stored. */
export type MachineReport = Pick<MachineRow, 'instance_id' | 'generation' | 'state' | 'reason' | 'start_failures'>

/** The part of a report that is about the host itself. */
type Heartbeat = {
  readonly id: Id<'host'>
  readonly epoch: number
  readonly health: 'healthy' | 'faulted'
  readonly health_message: string | null
  readonly reported_generation: number
}

const update = statement<never>(
  'fleet.update_machines',
  `update machines m
   set state = r.state, reason = r.reason, start_failures = r.start_failures, generation = r.generation,
     reported_at = $2
   from jsonb_to_recordset($1::jsonb) as r(instance_id text, state text, reason text, start_failures integer,
     generation bigint)
   where m.instance_id = r.instance_id`,
)

const updateSshRows = statement<never>(
  'fleet.update_ssh',
  `update machines m
   set ssh = r.ssh, ssh_read_at = $2
   from jsonb_to_recordset($1::jsonb) as r(instance_id text, ssh jsonb)
   where m.instance_id = r.instance_id and m.ssh is distinct from r.ssh`,
)

const updateKeyRows = statement<never>(
  'fleet.update_machine_ssh_keys',
  `update machines m
   set ssh_keys = r.ssh_keys
   from jsonb_to_recordset($1::jsonb) as r(instance_id text, ssh_keys jsonb)
   where m.instance_id = r.instance_id and m.ssh_keys is distinct from r.ssh_keys`,
)

const caughtUp = 'greatest(h.reported_generation, least(s.reported_generation, h.generation))'
const writeHeartbeats = statement<{ id: Id<'host'>; generation: number }>(
  'fleet.update_heartbeats',
  `update hosts h
   set epoch = greatest(h.epoch, s.epoch),
     health = case when h.unfit_at is null then s.health else 'faulted' end,
     health_message = coalesce(h.unfit_message, s.health_message),
     reported_generation = ${caughtUp},
     last_seen_at = case when h.is_simulated then null else floor(bourse_real_now())::bigint end
   from jsonb_to_recordset($1::jsonb) as s(id text, epoch bigint, health text, health_message text,
     reported_generation bigint)
   where h.id = s.id
   returning h.id, h.generation`,
)

/** Stores the reported state of machines. */
export async function updateMachines(db: Db, reports: readonly MachineReport[], now: number): Promise<void> {
  await db.run(update, [JSON.stringify(reports), now])
}

/** Stores SSH endpoints. An unchanged endpoint keeps the time at which its keys were read. */
export async function updateSsh(
  db: Db,
  rows: readonly { instance_id: Id<'instance'>; ssh: unknown }[],
  now: number,
): Promise<void> {
  if (rows.length > 0) await db.run(updateSshRows, [JSON.stringify(rows), now])
}

/** Stores which SSH keys machines have. */
export async function updateSshKeys(
  db: Db,
  rows: readonly { instance_id: Id<'instance'>; ssh_keys: MachineSshKeys }[],
): Promise<void> {
  if (rows.length > 0) await db.run(updateKeyRows, [JSON.stringify(rows)])
}

/** Records the reports of locked hosts. Returns the desired generation of each. */
export async function updateHeartbeats(db: Db, heartbeats: readonly Heartbeat[]): Promise<Map<string, number>> {
  const rows = await db.rows(writeHeartbeats, [JSON.stringify(heartbeats)])
  return new Map(rows.map(({ id, generation }) => [id, generation]))
}
