/**
 * Each test file has its own database: a copy of a template that is migrated once for the whole run.
 */
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import type { DatabaseTarget } from '../../src/core/db/database-target.ts'
import { migrate } from '../../src/core/migrations/migrate.ts'
import { readMigrations } from '../../src/core/migrations/migration-files.ts'
import { testCluster } from './cluster.ts'

export type TestDatabase = AsyncDisposable & { readonly target: DatabaseTarget }

const migrationsDirectory = join(import.meta.dirname, '../../../../migrations')
const templateLock = 7_304_112_019
const templates = new Map<string, Promise<string>>()

/** A migrated, empty database, dropped on dispose. The options are for tests of clusters and migrations. */
export async function createTestDatabase(
  options: { cluster?: DatabaseTarget; migrations?: string } = {},
): Promise<TestDatabase> {
  const cluster = options.cluster ?? (await testCluster())
  const directory = options.migrations ?? migrationsDirectory
  const key = `${cluster.host} ${directory}`
  const template = templates.get(key) ?? ensureTemplate(cluster, directory)
  templates.set(key, template)
  return await createDatabase(cluster, await template)
}

/** A database without any schema, dropped on dispose. */
export async function createEmptyDatabase(options: { cluster?: DatabaseTarget } = {}): Promise<TestDatabase> {
  return await createDatabase(options.cluster ?? (await testCluster()), 'template0')
}

async function createDatabase(cluster: DatabaseTarget, template: string): Promise<TestDatabase> {
  const database = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  // Without fsync, copying files is faster than logging their contents.
  const create = `create database ${database} template ${template} strategy file_copy`
  await asAdministrator(cluster, (client) => client.query(create))
  return {
    target: { ...cluster, database },
    [Symbol.asyncDispose]: async () => {
      await asAdministrator(cluster, (client) => client.query(`drop database if exists ${database} with (force)`))
    },
  }
}

/** Returns the name of the template and creates it if it is missing. Concurrent test files wait for the first. */
async function ensureTemplate(cluster: DatabaseTarget, directory: string): Promise<string> {
  const migrations = await readMigrations(directory)
  const key = createHash('sha256').update(migrations.map(({ name, sha256 }) => `${name} ${sha256}`).join('\n'))
  const template = `template_${key.digest('hex').slice(0, 16)}`
  await asAdministrator(cluster, async (client) => {
    if (await exists(client, template)) return
    await client.query('select pg_advisory_lock($1)', [templateLock])
    if (await exists(client, template)) return
    // Renamed once it is complete, so that an interrupted run leaves no partly migrated template.
    const draft = `${template}_new`
    await client.query(`drop database if exists ${draft} with (force)`)
    await client.query(`create database ${draft} template template0`)
    await migrate({ ...cluster, database: draft }, { directory, log: () => {} })
    await client.query(`alter database ${draft} rename to ${template}`)
  })
  return template
}

async function exists(client: pg.Client, database: string): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database])
  return rowCount === 1
}

/** Runs `work` with a short connection to the database `postgres`. */
export async function asAdministrator<T>(cluster: DatabaseTarget, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...cluster, database: 'postgres' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
