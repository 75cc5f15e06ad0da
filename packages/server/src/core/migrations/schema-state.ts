/**
 * What the database says about its schema, and whether a program works with it. A program knows nothing of migrations
 * that are newer than itself, so the database tells it which programs they serve.
 */
import { type Db, statement } from '../db/db.ts'

/** The schema of a database. */
export type SchemaVersion = {
  /** The last migration that is applied completely; 0 without any. */
  readonly version: number
  /** The oldest program that works with the schema, by its schema version. A migration that is being applied counts. */
  readonly serves: number
}

/** The schema of a database, and how far its reconcilers are behind the clock. */
type SchemaState = SchemaVersion & { readonly lag_seconds: number }

/**
 * The columns of {@link SchemaVersion}, to be read from schema_migrations. Read by way of JSON, because a database that
 * an older program migrated lacks the columns. Such a migration serves only the programs that have it.
 */
export const schemaColumns = `
  coalesce(max(version) filter (where coalesce((to_jsonb(m) ->> 'steps_left')::integer, 0) = 0), 0) as version,
  coalesce(max(coalesce((to_jsonb(m) ->> 'serves')::integer, version)), 0) as serves`

const selectState = statement<SchemaState>(
  'core.read_schema_state',
  `select s.version, s.serves,
     greatest(0, bourse_now() - coalesce((select min(due_at) from due), bourse_now())) as lag_seconds
   from (select ${schemaColumns} from schema_migrations m) s`,
)

/** Reads the schema of the database and the lag of the reconcilers. */
export async function readSchemaState(db: Db): Promise<SchemaState> {
  return (await db.row(selectState)) as SchemaState
}

/** Why a program with schema version `known` does not work with a schema; undefined if it does. */
export function schemaProblem(known: number, { version, serves }: SchemaVersion): string | undefined {
  if (version < known) return `schema ${version} is older than schema ${known} of this program`
  if (serves <= known) return undefined
  return `the database serves programs of schema ${serves} and newer, and this program has schema ${known}`
}
