import { type Db, statement } from '../../core/db/db.ts'
import type { NewInstanceRow } from './instances.rules.ts'

const insertRows = statement<never>(
  'fleet.insert_instances',
  `insert into instances
   select n.*
   from jsonb_populate_recordset(null::instances, $1::jsonb) n
   order by n.id`,
)

export async function insertInstances(db: Db, rows: readonly NewInstanceRow[]): Promise<void> {
  await db.run(insertRows, [JSON.stringify(rows)])
}
