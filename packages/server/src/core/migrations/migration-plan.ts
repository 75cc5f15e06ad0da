/**
 * What the pending migrations of a database would do, statement by statement: the locks, what waits for them, and how
 * large the tables are. Changes nothing.
 */
import type pg from 'pg'
import type { DatabaseTarget } from '../db/database-target.ts'
import { connectOwner, readApplied } from './migrate.ts'
import { fileName, type Migration, readMigrations } from './migration-files.ts'
import { stoppedPrograms } from './running-programs.rules.ts'
import { readRunningPrograms } from './running-programs.ts'
import type { SchemaVersion } from './schema-state.ts'
import { blockedBy, effectOf, type LockMode, type StatementLock, type StatementWork } from './statement-effects.ts'

/** One lock of a statement of a pending migration, or a statement without locks. */
type PlannedStatement = {
  readonly object: 'planned_statement'
  readonly migration: string
  /** From 1. */
  readonly step: number
  readonly in_transaction: boolean
  readonly line: number
  /** In a few words of SQL, such as `add column`. */
  readonly action: string
  readonly table: string | null
  /** Null where the table is created by a pending migration, or no table is locked. */
  readonly lock: LockMode | null
  /** What has to wait while the lock is held. */
  readonly blocks: 'nothing' | 'writes' | 'reads and writes'
  readonly work: StatementWork
  /** An estimate; null where the database has none. */
  readonly rows: number | null
  /** With its indexes. */
  readonly bytes: number | null
  /** The oldest program that works with the schema from here on, by its schema version. */
  readonly serves: number
}

export type MigrationPlan = {
  readonly schema: SchemaVersion
  /** The schema version of this program. */
  readonly known: number
  readonly statements: readonly PlannedStatement[]
  /** The programs that use the database now, and those of them that the migrations would stop. */
  readonly programs: { readonly running: number; readonly stopped: number }
}

type TableSizes = ReadonlyMap<string, { readonly rows: number | null; readonly bytes: number }>

/** The plan for a database. Throws like `migrate`, except that it does not compare the applied migrations. */
export async function planMigrations(target: DatabaseTarget, directory: string): Promise<MigrationPlan> {
  const migrations = await readMigrations(directory)
  const client = await connectOwner(target)
  try {
    await client.query('begin read only')
    const { version, serves, applied } = await readSchema(client)
    const pending = migrations.slice(version).map((migration) => {
      const begun = applied.find((one) => one.version === migration.version)
      return { migration, first_step: begun ? migration.steps.length - begun.steps_left : 0 }
    })
    const bare = describe(pending, serves)
    const tables = await findTables(client, bare)
    const sizes = await readSizes(client, [...new Set([...tables.values()])])
    const statements = bare.map((one) => withTable(one, tables, sizes))
    const running = await readRunningPrograms(client)
    const pending_serves = Math.max(0, ...statements.map((one) => one.serves))
    const stopped = stoppedPrograms(running, { version, pending_serves }).length
    const programs = { running: running.length, stopped }
    return { schema: { version, serves }, known: migrations.length, statements, programs }
  } finally {
    await client.end()
  }
}

async function readSchema(client: pg.Client): ReturnType<typeof readApplied> {
  const { rows } = await client.query<{ is_empty: boolean }>(
    "select to_regclass('schema_migrations') is null as is_empty",
  )
  return rows[0]?.is_empty ? { version: 0, serves: 0, applied: [] } : readApplied(client)
}

type PendingMigration = { readonly migration: Migration; readonly first_step: number }
type UnmeasuredStatement = Omit<PlannedStatement, 'table' | 'rows' | 'bytes'> & {
  readonly on: StatementLock | undefined
  readonly is_new: boolean
}

/** The statements without what only the database knows. `serves` is that of the schema before. */
function describe(pending: readonly PendingMigration[], serves: number): UnmeasuredStatement[] {
  const created = new Set<string>()
  let lowest = serves
  return pending.flatMap(({ migration, first_step }) => {
    lowest = Math.max(lowest, migration.serves)
    return migration.steps.flatMap(({ is_outside, statements }, index): UnmeasuredStatement[] =>
      statements.flatMap(({ words, line }) => {
        const { action, locks, work, creates } = effectOf(words)
        if (creates !== undefined) created.add(creates)
        if (index < first_step) return []
        const shared = {
          object: 'planned_statement' as const,
          migration: fileName(migration),
          step: index + 1,
          in_transaction: !is_outside,
          line,
          action,
          work,
          serves: lowest,
        }
        const places = locks.length > 0 ? locks : [undefined]
        return places.map((on): UnmeasuredStatement => {
          const is_new = on === undefined ? creates !== undefined : 'table' in on && created.has(on.table)
          const isFelt = on !== undefined && !is_new
          return {
            ...shared,
            on,
            is_new,
            lock: isFelt ? on.mode : null,
            blocks: isFelt ? blockedBy(on.mode) : 'nothing',
          }
        })
      }),
    )
  })
}

/** The existing tables of the locks, by the name of the table or index in the statement. */
async function findTables(client: pg.Client, planned: readonly UnmeasuredStatement[]): Promise<Map<string, string>> {
  const names = planned.flatMap(({ on, is_new }) => (on && !is_new ? [nameOf(on)] : []))
  const { rows } = await client.query<{ name: string; table: string }>(
    `select c.relname::text as name, coalesce(t.relname, c.relname)::text as table
     from pg_class c
     left join pg_index i on i.indexrelid = c.oid
     left join pg_class t on t.oid = i.indrelid
     where c.relname = any($1) and c.relnamespace = current_schema()::regnamespace`,
    [names],
  )
  return new Map(rows.map(({ name, table }) => [name, table]))
}

/** The rows and bytes of tables, with their partitions. */
async function readSizes(client: pg.Client, tables: readonly string[]): Promise<TableSizes> {
  const { rows } = await client.query<{ name: string; rows: number | null; bytes: number }>(
    `with wanted as (
       select n.name, c.oid
       from unnest($1::text[]) as n(name)
       join pg_class c on c.relname = n.name and c.relnamespace = current_schema()::regnamespace
     ), parts as (
       select name, oid from wanted
       union
       select w.name, p.relid from wanted w cross join lateral pg_partition_tree(w.oid) p
     )
     select p.name, sum(nullif(c.reltuples, -1))::float8 as rows, sum(pg_total_relation_size(c.oid))::float8 as bytes
     from parts p
     join pg_class c on c.oid = p.oid
     where c.relkind = 'r'
     group by p.name`,
    [tables],
  )
  return new Map(rows.map(({ name, ...size }) => [name, size]))
}

function withTable(
  { on, is_new, ...planned }: UnmeasuredStatement,
  tables: ReadonlyMap<string, string>,
  sizes: TableSizes,
): PlannedStatement {
  const table = on === undefined ? null : (tables.get(nameOf(on)) ?? ('table' in on ? on.table : null))
  const size = is_new || table === null ? undefined : sizes.get(table)
  const whole = { ...planned, table, rows: size?.rows ?? null, bytes: size?.bytes ?? null }
  // An index that does not exist yet is one of a table that a pending migration creates.
  return on && table === null ? { ...whole, lock: null, blocks: 'nothing' } : whole
}

function nameOf(lock: StatementLock): string {
  return 'table' in lock ? lock.table : lock.index
}
