import { type Db, statement } from '../../core/db/db.ts'
import type { ActiveFault, MachineFaultKind } from './simulated-hosts.rules.ts'

/** A fault of a host or of one instance. `times` 0: no limit; the fault hits until it is removed. */
export type MachineFaultRow = {
  id: string
  kind: MachineFaultKind
  host_id: string | null
  instance_id: string | null
  times: number
  ends_at: number | null
  hits: number
  created_at: number
  removed_at: number | null
}

const columns = 'id, kind, host_id, instance_id, times, ends_at, hits, created_at, removed_at'

const insertRow = statement<never>(
  'sandbox.insert_machine_fault',
  `insert into sandbox_machine_faults (id, kind, host_id, instance_id, times, ends_at, created_at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)
const removeRow = statement<Pick<MachineFaultRow, 'host_id' | 'instance_id'>>(
  'sandbox.remove_machine_fault',
  `update sandbox_machine_faults
   set removed_at = $2
   where id = $1 and removed_at is null
   returning host_id, instance_id`,
)
const selectAll = statement<MachineFaultRow>(
  'sandbox.list_machine_faults',
  `select ${columns}
   from sandbox_machine_faults
   where removed_at is null
   order by created_at desc, id desc`,
)
// host_silent hits once, when it begins, and continues. Its end time ends it, not its number of hits.
const selectActive = statement<ActiveFault>(
  'sandbox.list_active_machine_faults',
  `select id, kind, instance_id, nullif(times, 0) - hits as times_left, hits, ends_at
   from sandbox_machine_faults
   where removed_at is null
     and (host_id = $1 or instance_id = any($2))
     and (ends_at is null or ends_at > $3)
     and (times = 0 or hits < times or kind = 'host_silent')
   order by created_at, id`,
)
const addHits = statement<never>(
  'sandbox.add_machine_fault_hits',
  `update sandbox_machine_faults f
   set hits = f.hits + h.hits
   from (
     select id, count(*)::integer as hits
     from unnest($1::text[]) as id
     group by id
   ) h
   where f.id = h.id`,
)

export async function insertMachineFault(db: Db, row: Omit<MachineFaultRow, 'hits' | 'removed_at'>): Promise<void> {
  const { id, kind, host_id, instance_id, times, ends_at, created_at } = row
  await db.run(insertRow, [id, kind, host_id, instance_id, times, ends_at, created_at])
}

/** Removes a fault. Returns its host or instance; undefined if there is no such fault. */
export function removeMachineFault(
  db: Db,
  id: string,
  now: number,
): Promise<Pick<MachineFaultRow, 'host_id' | 'instance_id'> | undefined> {
  return db.row(removeRow, [id, now])
}

/** The faults that have not been removed, newest first. */
export function listMachineFaults(db: Db): Promise<MachineFaultRow[]> {
  return db.rows(selectAll)
}

/** The active faults of a host and of some instances, oldest first. `now` in business seconds. */
export function listActiveFaults(
  db: Db,
  { host_id, instance_ids, now }: { host_id: string; instance_ids: readonly string[]; now: number },
): Promise<ActiveFault[]> {
  return db.rows(selectActive, [host_id, instance_ids, now])
}

/** Counts hits. `ids` contains the id of a fault once per hit. */
export async function updateHits(db: Db, ids: readonly string[]): Promise<void> {
  await db.run(addHits, [ids])
}
