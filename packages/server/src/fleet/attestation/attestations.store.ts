import type { SlotHardware } from '@bourse/api/fleet/fit-slots.ts'
import type { HostFacts } from '@bourse/api/fleet/hosts.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { StatedMachine } from './statements.rules.ts'

/** What is known about the machine of an instance. Statement and key are null if its host has stated nothing. */
export type AttestedMachineRow = {
  host_id: Id<'host'>
  is_simulated: boolean
  facts: HostFacts
  slot_hardware: SlotHardware | null
  statement: string | null
  machine_key: string | null
  expires_at: number | null
}

/** A statement to keep. */
export type StatementRow = {
  readonly instance_id: string
  readonly statement: string
  readonly machine_key: string
  readonly expires_at: number
}

const selectMachines = statement<StatedMachine>(
  'fleet.list_stated_machines',
  `select m.instance_id, m.host_id, m.slot, h.public_key
   from machines m
   join hosts h on h.id = m.host_id
   where m.host_id = $1 and m.instance_id = any($2)`,
)
const selectMachine = statement<AttestedMachineRow>(
  'fleet.find_attested_machine',
  `select m.host_id, h.is_simulated, h.facts, h.slot_hardware -> m.slot as slot_hardware, s.statement, s.machine_key,
     s.expires_at
   from machines m
   join hosts h on h.id = m.host_id
   left join machine_statements s on s.instance_id = m.instance_id
   where m.instance_id = $1 and m.action = 'run'`,
)
const upsertStatements = statement<never>(
  'fleet.put_machine_statements',
  `insert into machine_statements (instance_id, statement, machine_key, expires_at)
   select n.instance_id, n.statement, n.machine_key, n.expires_at
   from jsonb_to_recordset($1::jsonb) as n(instance_id text, statement text, machine_key text, expires_at bigint)
   order by n.instance_id
   on conflict (instance_id) do update
   set statement = excluded.statement, machine_key = excluded.machine_key, expires_at = excluded.expires_at`,
)

/** Some machines of a host. Instances without a machine there are left out. */
export function listStatedMachines(db: Db, hostId: string, instanceIds: readonly string[]): Promise<StatedMachine[]> {
  return db.rows(selectMachines, [hostId, instanceIds])
}

/** The machine of an instance that is to run; undefined if it has none. */
export function findAttestedMachine(db: Db, instanceId: string): Promise<AttestedMachineRow | undefined> {
  return db.row(selectMachine, [instanceId])
}

/** Stores the newest statements about machines. Their host is locked, so that no machine leaves meanwhile. */
export async function putStatements(db: Db, rows: readonly StatementRow[]): Promise<void> {
  await db.run(upsertStatements, [JSON.stringify(rows)])
}
