import { type Db, statement } from './db.ts'

/** The schema version of a database, and how far its reconcilers are behind the clock. */
export type SchemaState = { readonly version: number; readonly lag_seconds: number }

const selectState = statement<SchemaState>(
  'core.read_schema_state',
  `select
     (select max(version) from schema_migrations) as version,
     greatest(0, bourse_now() - coalesce((select min(due_at) from due), bourse_now())) as lag_seconds`,
)

/** Reads the schema version and the lag of the reconcilers. */
export async function readSchemaState(db: Db): Promise<SchemaState> {
  return (await db.row(selectState)) as SchemaState
}
