import { type Db, statement } from '../../core/db/db.ts'
import { type NewInstanceRow, newInstanceColumns } from './instances.rules.ts'

const listed = newInstanceColumns.join(', ')

const insertRows = statement<never>(
  'fleet.insert_instances',
  `insert into instances (${listed})
   select ${listed}
   from jsonb_populate_recordset(null::instances, $1::jsonb) n
   order by n.id`,
)

export async function insertInstances(db: Db, rows: readonly NewInstanceRow[]): Promise<void> {
  await db.run(insertRows, [JSON.stringify(rows)])
}
