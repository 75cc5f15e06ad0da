import { type Db, statement } from '../../core/db/db.ts'
import { type FaultRow, faultColumns } from './faults.rules.ts'

const insertRow = statement<never>(
  'sandbox.insert_fault',
  `insert into sandbox_faults (id, kind, fields, times, ends_at, hits, created_at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)
const removeRow = statement<never>(
  'sandbox.remove_fault',
  `update sandbox_faults
   set removed_at = $2
   where id = $1 and removed_at is null`,
)
const selectAll = statement<FaultRow>(
  'sandbox.list_faults',
  `select ${faultColumns}
   from sandbox_faults
   where removed_at is null
   order by created_at desc, id desc`,
)

export async function insertFault(db: Db, row: FaultRow): Promise<void> {
  const { id, kind, fields, times, ends_at, hits, created_at } = row
  await db.run(insertRow, [id, kind, JSON.stringify(fields), times, ends_at, hits, created_at])
}

/** Removes a fault. False if no fault has the id. */
export async function removeFault(db: Db, id: string, now: number): Promise<boolean> {
  return (await db.run(removeRow, [id, now])) > 0
}

/** The faults that have not been removed, newest first. */
export function listFaults(db: Db): Promise<FaultRow[]> {
  return db.rows(selectAll)
}
