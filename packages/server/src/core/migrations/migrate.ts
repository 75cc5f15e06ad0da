/**
 * Migrates a database to the schema version of this program: plain SQL files, forward only, each in its own
 * transaction. Also creates the run-time role. Several programs may start at once, on one database or on several
 * databases of one cluster. Not this file's work: whether the database is safe to use (database-settings.ts).
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { startProblem } from '../base/start-problem.ts'
import { type DatabaseTarget, describeTarget } from './database-target.ts'
import { runtimeRole } from './db.ts'

export type Migration = {
  readonly version: number
  readonly name: string
  readonly sql: string
  readonly sha256: string
}

type Applied = { version: number; name: string; sha256: string }

// An arbitrary constant: the program's key among the advisory locks of its database.
const lockKey = 7_304_112_018
const noSuchDatabase = '3D000'

/**
 * Applies the missing migrations as the owner of the database; returns the schema versions before (0: none) and after.
 * Throws database_unreachable, schema_is_newer, migration_changed, migrations_misnumbered, migration_failed or
 * role_missing. Migrations that were applied before a failing one stay applied.
 */
export async function migrate(
  target: DatabaseTarget,
  { directory, log }: { directory: string; log: (message: string) => void },
): Promise<{ from: number; to: number }> {
  const migrations = await readMigrations(directory)
  const client = await connectOwner(target)
  try {
    await client.query('set lock_timeout = 0; set statement_timeout = 0; set client_min_messages = warning')
    await refuseStandby(client, target)
    await acquireMigrationLock(client, target, log)
    const from = await checkApplied(client, migrations, target)
    await ensureRuntimeRole(client)
    if (from > 0) await refuseMissingGrants(client, target)
    for (const migration of migrations.slice(from)) {
      await apply(client, migration)
      log(`Applied migration ${fileName(migration)}.`)
    }
    return { from, to: migrations.length }
  } finally {
    // Ends the session, and with it the advisory lock.
    await client.end()
  }
}

/** Connects to the primary: of several addresses, to the first one that accepts writes. */
async function connectOwner(target: DatabaseTarget): Promise<pg.Client> {
  const { others = [] } = target
  for (const address of others.length === 0 ? [] : [target, ...others]) {
    const client = await connect({ ...target, host: address.host, port: address.port }).catch(() => undefined)
    if (client && !(await isStandby(client))) return client
    await client?.end()
  }
  return connect(target)
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

/** Reads a directory of migrations in order: NNNN_name.sql from 0001 without a gap. Ignores schema.sql. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql') && file !== 'schema.sql').sort()
  return await Promise.all(
    files.map(async (file, index) => {
      const [, number, name] = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file) ?? []
      if (name === undefined || Number(number) !== index + 1) {
        const expected = `${String(index + 1).padStart(4, '0')}_name.sql`
        const message = `Migrations must be numbered from 0001 without a gap: found ${file}, expected ${expected}.`
        throw startProblem('migrations_misnumbered', message)
      }
      const sql = await readFile(join(directory, file), 'utf8')
      return { version: index + 1, name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

function fileName({ version, name }: { version: number; name: string }): string {
  return `${String(version).padStart(4, '0')}_${name}.sql`
}

async function acquireMigrationLock(
  client: pg.Client,
  target: DatabaseTarget,
  log: (message: string) => void,
): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) taken', [lockKey])
  if (rows[0]?.taken) return
  log(`Another program is migrating the ${describeTarget(target)}; waiting for it.`)
  await client.query('select pg_advisory_lock($1)', [lockKey])
}

/** Compares the applied migrations with the files; returns the version of the schema. */
async function checkApplied(client: pg.Client, migrations: Migration[], target: DatabaseTarget): Promise<number> {
  await client.query(`
    create table if not exists schema_migrations (
      version int primary key,
      name text not null,
      sha256 text not null,
      applied_at bigint not null)`)
  const { rows } = await client.query<Applied>('select version, name, sha256 from schema_migrations order by version')
  const newest = rows.at(-1)?.version ?? 0
  if (newest > migrations.length) {
    throw startProblem(
      'schema_is_newer',
      `The ${describeTarget(target)} has schema version ${newest}, and this program supports versions up to ` +
        `${migrations.length}. Start the newer program that migrated it, or restore an older backup.`,
    )
  }
  for (const [index, applied] of rows.entries()) {
    const file = migrations[index]
    if (file && applied.version === file.version && applied.name === file.name && applied.sha256 === file.sha256)
      continue
    throw startProblem(
      'migration_changed',
      `Migration ${fileName(applied)} of the ${describeTarget(target)} differs from the one of this program` +
        `${file ? ` (${fileName(file)})` : ''}. Applied migrations must not change: undo it and add a new one.`,
    )
  }
  return newest
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const { version, name, sql, sha256 } = migration
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query(
      `insert into schema_migrations (version, name, sha256, applied_at)
       values ($1, $2, $3, extract(epoch from clock_timestamp())::bigint)`,
      [version, name, sha256],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    const { message, position } = error as { message: string; position?: string }
    const line = position ? `, line ${sql.slice(0, Number(position)).split('\n').length}` : ''
    throw startProblem(
      'migration_failed',
      `Migration ${fileName(migration)}${line} failed and was rolled back: ${message}.`,
      error,
    )
  }
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
