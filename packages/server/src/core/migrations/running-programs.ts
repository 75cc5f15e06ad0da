/**
 * The programs that use a database: each writes a row every five seconds. Those of before that table existed have only
 * their connections.
 */
import type pg from 'pg'
import type { RunningProgram } from './running-programs.rules.ts'

/** A program that has written nothing for so long has ended, or cannot write. */
const aliveSeconds = 15

/** Reads them. */
export async function readRunningPrograms(client: pg.Client): Promise<RunningProgram[]> {
  const { rows: found } = await client.query<{ has_table: boolean }>(
    "select to_regclass('write_probes') is not null as has_table",
  )
  const text = found[0]?.has_table ? selectRows : selectConnections
  return (await client.query<RunningProgram>(text)).rows
}

// By way of JSON, because an older schema lacks the column.
const selectRows = `
  select (to_jsonb(p) ->> 'schema_version')::integer as schema_version
  from write_probes p
  where written_at > floor(bourse_real_now())::bigint - ${aliveSeconds}`
const selectConnections = `
  select null::integer as schema_version
  from pg_stat_activity
  where datname = current_database() and application_name = 'bourse'
  limit 1`
