/**
 * Migrates a database to the schema version of this program: the files of migration-files.ts, one after the other. Also
 * creates the run-time role. Several programs may start at once, on one database or on several databases of one
 * cluster. Not this file's work: the steps of one migration (apply-migration.ts), and whether the database is safe to
 * use (database-settings.ts).
 */

import { pause } from '@bourse/text/time/pause.ts'
import pg from 'pg'
import { startProblem } from '../base/start-problem.ts'
import { type DatabaseTarget, describeTarget } from '../db/database-target.ts'
import { runtimeRole } from '../db/db.ts'
import { addressesOf, describeRefusedServers, openNamedServers } from '../db/named-servers.ts'
import { openSeenServers, type SeenServers } from '../db/seen-server.ts'
import { applyMigration, type LockPatience, usualPatience, withLocks } from './apply-migration.ts'
import { fileName, type Migration, readMigrations } from './migration-files.ts'
import { stoppedPrograms } from './running-programs.rules.ts'
import { readRunningPrograms } from './running-programs.ts'
import { type SchemaVersion, schemaColumns, schemaProblem } from './schema-state.ts'

/** A row of schema_migrations. */
type AppliedMigration = {
  readonly version: number
  readonly name: string
  readonly sha256: string
  /** The steps that are not applied yet. */
  readonly steps_left: number
}

type MigrateOptions = {
  readonly directory: string
  readonly log: (message: string) => void
  /** How long a step waits for locks. */
  readonly patience?: LockPatience
  /** Refuses migrations that would stop running programs. For production: a sandbox has one program, which starts. */
  readonly keeps_programs?: boolean
  /** What the program knows of servers that it has used. The default is nothing. */
  readonly seen?: SeenServers
}

// An arbitrary constant: the program's key among the advisory locks of its database.
const lockKey = 7_304_112_018
const lockPollMilliseconds = 200
const noSuchDatabase = '3D000'

/**
 * Applies the missing migrations as the owner of the database; returns the schema versions before (0: none) and after.
 * A newer schema that serves this program is left as it is. Throws database_unreachable, schema_is_newer,
 * migration_changed, migrations_misnumbered, migration_invalid, migration_failed or role_missing. Migrations and steps
 * that were applied before a failing one stay applied.
 */
export async function migrate(
  target: DatabaseTarget,
  { directory, log, patience = usualPatience, keeps_programs = false, seen }: MigrateOptions,
): Promise<{ from: number; to: number }> {
  const migrations = await readMigrations(directory)
  const client = await connectOwner(target, seen)
  try {
    await client.query('set lock_timeout = 0; set statement_timeout = 0; set client_min_messages = warning')
    await refuseStandby(client, target)
    await acquireMigrationLock(client, target, log)
    await withLocks({ patience, log }, 'of the table schema_migrations', () => ensureRecords(client, patience))
    const schema = await readSchema(client, target, migrations)
    const { version, applied } = schema
    await ensureRuntimeRole(client)
    if (version > 0) await refuseMissingGrants(client, target)
    if (version > migrations.length) {
      log(`The database has the newer schema ${version}, which serves programs of schema ${schema.serves} and newer.`)
    }
    if (keeps_programs) await refuseStops(client, schema, migrations)
    // A schema that is not whole is worth nothing. So only the last commit of a first one waits for the disk, and with
    // it all before it: the log is written in order.
    if (version === 0) await client.query('set synchronous_commit = off')
    for (const migration of migrations.slice(version)) {
      if (migration === migrations.at(-1)) await client.query('reset synchronous_commit')
      const begun = applied.find((one) => one.version === migration.version)
      warnOfContract(migration, { version, log })
      await applyMigration({ client, patience, log }, migration, begun?.steps_left)
    }
    return { from: version, to: Math.max(version, migrations.length) }
  } finally {
    // Ends the session, and with it the advisory lock.
    await client.end()
  }
}

/** Throws replicas_would_stop. */
async function refuseStops(client: pg.Client, schema: SchemaVersion, migrations: readonly Migration[]): Promise<void> {
  const pending_serves = Math.max(0, ...migrations.slice(schema.version).map(({ serves }) => serves))
  const { length } = stoppedPrograms(await readRunningPrograms(client), { version: schema.version, pending_serves })
  if (length === 0) return
  throw startProblem(
    'replicas_would_stop',
    `The pending migrations serve programs of schema ${pending_serves} and newer, and ${length} older ` +
      `${length === 1 ? 'program uses' : 'programs use'} the database. They would refuse all requests until they are ` +
      'replaced. Stop them and wait 15 seconds, or replace them by a version in between, if there is one. `bourse ' +
      'migrate --stop-replicas` migrates at once.',
  )
}

function warnOfContract(
  { version, name, serves }: Migration,
  { version: before, log }: { version: number; log: (message: string) => void },
): void {
  if (before === 0 || serves <= before) return
  log(
    `Migration ${fileName({ version, name })} serves programs of schema ${serves} and newer: older replicas are not ` +
      'ready from now on.',
  )
}

/** Connects to the primary: of several addresses, to the one with the newest history. */
export async function connectOwner(target: DatabaseTarget, seen = openSeenServers()): Promise<pg.Client> {
  const choice = await openNamedServers({ target, seen }).choose()
  if (choice.use === undefined && choice.replaced.length > 0) {
    const remedy = 'Start the successor. `docs/guides/failover.md` says what to do without it.'
    throw startProblem('database_unreachable', `${describeRefusedServers(choice)} ${remedy}`)
  }
  return connect({ ...target, ...addressesOf(target)[choice.use ?? 0] })
}

async function isStandby(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ in_recovery: boolean }>('select pg_is_in_recovery() as in_recovery')
  return rows[0]?.in_recovery === true
}

async function connect(target: DatabaseTarget): Promise<pg.Client> {
  const { others: _, ...one } = target
  const client = new pg.Client({ ...one, application_name: 'bourse migrate', connectionTimeoutMillis: 10_000 })
  // Where the connection breaks, the running statement fails with the error.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    if (code === noSuchDatabase) {
      throw startProblem(
        'database_unreachable',
        `The ${describeTarget(target)} does not exist. Create it on its server: createdb ${target.database}`,
        error,
      )
    }
    const why = message === '' ? code : message
    throw startProblem(
      'database_unreachable',
      `The ${describeTarget(target)} cannot be opened: ${why}. Check BOURSE_DATABASE_URL and that the database runs.`,
      error,
    )
  }
}

/** Throws database_unreachable for a standby, which accepts no writes. */
async function refuseStandby(client: pg.Client, target: DatabaseTarget): Promise<void> {
  if (!(await isStandby(client))) return
  throw startProblem(
    'database_unreachable',
    `The ${describeTarget(target)} is a standby, which accepts no writes. Set BOURSE_DATABASE_URL to the primary, or ` +
      'promote this server.',
  )
}

/** A database that was restored before the role existed has the tables and lacks every grant on them. */
async function refuseMissingGrants(client: pg.Client, target: DatabaseTarget): Promise<void> {
  const { rows } = await client.query<{ is_granted: boolean }>(
    `select exists (
       select
       from pg_class
       where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
         and has_table_privilege($1, oid, 'select')
     ) as is_granted`,
    [runtimeRole],
  )
  if (rows[0]?.is_granted) return
  throw startProblem(
    'role_missing',
    `The role ${runtimeRole} has no rights on the tables of the ${describeTarget(target)}: the backup was restored ` +
      `before the role existed, or without privileges. Run \`create role ${runtimeRole} nologin\` and restore it ` +
      'again.',
  )
}

async function acquireMigrationLock(
  client: pg.Client,
  target: DatabaseTarget,
  log: (message: string) => void,
): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) taken', [lockKey])
    if (rows[0]?.taken) return
    if (isFirst) log(`Another program is migrating the ${describeTarget(target)}; waiting for it.`)
    // A statement that waits holds a snapshot, and a concurrent creation of an index waits for all older snapshots: the
    // other program would never end.
    await pause(lockPollMilliseconds)
  }
}

/** Creates the table of applied migrations, or adds the columns that it did not have in older programs. */
async function ensureRecords(client: pg.Client, { wait_milliseconds }: LockPatience): Promise<void> {
  const { rows } = await client.query<{ is_complete: boolean }>(
    `select count(*) = 2 as is_complete
     from pg_attribute
     where attrelid = to_regclass('schema_migrations') and attname in ('serves', 'steps_left')`,
  )
  if (rows[0]?.is_complete) return
  await client.query(`
    set lock_timeout = ${wait_milliseconds};
    create table if not exists schema_migrations (
      version int primary key,
      name text not null,
      sha256 text not null,
      applied_at bigint not null);
    alter table schema_migrations
      add column if not exists serves int,
      add column if not exists steps_left int not null default 0;
    set lock_timeout = 0`)
}

type MigratedSchema = SchemaVersion & { readonly applied: readonly AppliedMigration[] }

/** Reads the schema of the database. Refuses one that does not serve this program, and changed migrations. */
async function readSchema(client: pg.Client, target: DatabaseTarget, migrations: Migration[]): Promise<MigratedSchema> {
  const schema = await readApplied(client)
  const { version, applied } = schema
  const known = migrations.length
  const problem = schemaProblem(known, schema)
  if (problem && schema.serves > known) {
    throw startProblem(
      'schema_is_newer',
      `The ${describeTarget(target)} is too new: ${problem}. Start the newer program that migrated it, or restore an ` +
        'older backup.',
    )
  }
  for (const [index, { version, name, sha256 }] of applied.slice(0, known).entries()) {
    const file = migrations[index]
    if (file && version === file.version && name === file.name && sha256 === file.sha256) continue
    throw startProblem(
      'migration_changed',
      `Migration ${fileName({ version, name })} of the ${describeTarget(target)} differs from the one of this program` +
        `${file ? ` (${fileName(file)})` : ''}. Applied migrations must not change: undo it and add a new one.`,
    )
  }
  return { ...schema, version, applied }
}

/** Reads which migrations a database has. */
export async function readApplied(client: pg.Client): Promise<MigratedSchema> {
  const found = await client.query<AppliedMigration>(
    `select version, name, sha256, coalesce((to_jsonb(m) ->> 'steps_left')::integer, 0) as steps_left
     from schema_migrations m
     order by version`,
  )
  const { rows } = await client.query<SchemaVersion>(`select ${schemaColumns} from schema_migrations m`)
  return { ...(rows[0] as SchemaVersion), applied: found.rows }
}

/**
 * Creates the role that the program runs as and grants it to the owner. Roles belong to the whole cluster, so programs
 * that migrate its other databases may do the same at the same time. The error of the second one means that the role
 * exists.
 */
async function ensureRuntimeRole(client: pg.Client): Promise<void> {
  const role = client.escapeIdentifier(runtimeRole)
  await attempt(client, async () => {
    const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [runtimeRole])
    if (!rowCount) await client.query(`create role ${role} nologin`)
  })
  await attempt(client, async () => {
    const locked = await client.query<{ held: boolean }>("select pg_has_role(current_user, $1, 'set') held", [
      runtimeRole,
    ])
    if (!locked.rows[0]?.held) await client.query(`grant ${role} to current_user with set true`)
  })
  await client.query(`do $$ begin execute format('grant usage on schema %I to ${role}', current_schema()); end $$`)
}

async function attempt(client: pg.Client, work: () => Promise<void>, tries = 20): Promise<void> {
  try {
    await work()
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code === '42501') {
      const { rows } = await client.query<{ name: string }>('select quote_ident(current_user) as name')
      throw startProblem(
        'role_missing',
        `The database user may not create the role that Bourse runs as (${message}). Ask an administrator to run: ` +
          `create role ${runtimeRole} nologin; grant ${runtimeRole} to ${rows[0]?.name};`,
        error,
      )
    }
    // duplicate_object, unique_violation; XX000 is "tuple concurrently updated".
    const lostRace = code === '42710' || code === '23505' || (code === 'XX000' && message.includes('concurrently'))
    if (!lostRace || tries <= 1) throw error
    await attempt(client, work, tries - 1)
  }
}
