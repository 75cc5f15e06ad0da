import { readFileSync } from 'node:fs'
import pg from 'pg'
import type { DatabaseTarget } from '../../packages/server/src/core/db/database-target.ts'
import { clusterVariable, startTestCluster, testCluster } from '../../packages/server/test/support/cluster.ts'
import { createTestDatabase } from '../../packages/server/test/support/database.ts'
import { readCatalogue } from './catalogue.ts'
import { fingerprintOf } from './fingerprint.ts'
import { schemaPath, tablesPath } from './paths.ts'
import { printSchema } from './schema.ts'
import { printTables } from './tables.ts'

/** The texts of the files that are generated from a database after these migrations, by path. */
export async function printFromMigrations(paths: readonly string[]): Promise<Map<string, string>> {
  const fingerprint = fingerprintOf(paths.map((path) => ({ path, text: readFileSync(path, 'utf8') })))
  const catalogue = await onMigratedDatabase(readCatalogue)
  return new Map([
    [schemaPath, printSchema(catalogue, fingerprint)],
    [tablesPath, printTables(catalogue, fingerprint)],
  ])
}

/** Uses the cluster of the test run if there is one, otherwise a temporary one. */
async function onMigratedDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  if (process.env[clusterVariable]) return await onDatabaseOf(await testCluster(), work)
  await using cluster = await startTestCluster()
  return await onDatabaseOf(cluster.target, work)
}

async function onDatabaseOf<T>(cluster: DatabaseTarget, work: (client: pg.Client) => Promise<T>): Promise<T> {
  await using database = await createTestDatabase({ cluster })
  const client = new pg.Client({ ...database.target })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
