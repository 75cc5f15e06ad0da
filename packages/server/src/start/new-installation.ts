/** Checks what a new installation of production is going to use, before anything of it is written. */
import type { Environment } from '@bourse/text/program.ts'
import { readConfig } from '../config.ts'
import { wallMilliseconds } from '../core/base/clock.ts'
import { startProblem } from '../core/base/start-problem.ts'
import { oldestPostgres } from '../core/db/database-settings.ts'
import { type DatabaseTarget, describeTarget } from '../core/db/database-target.ts'
import { connectOwner } from '../core/migrations/migrate.ts'
import { foreignHost } from '../core/tls/certificate-pair.rules.ts'
import { readPair } from '../core/tls/certificates.ts'
import { insecureSettings } from './insecure-settings.ts'

/** What PostgreSQL says of itself. */
type ServerFacts = { readonly version: number; readonly standbys: string; readonly is_migrated: boolean }

/**
 * Checks settings and certificate as `bourse serve` does, the version of the database, and that it belongs to no
 * installation yet. Changes nothing. Returns what the operator should know. Throws start problems.
 */
export async function checkNewInstallation(variables: Environment): Promise<readonly string[]> {
  const config = readConfig('production', variables)
  const pair = config.tls_files && (await readPair(config.tls_files, Math.floor(wallMilliseconds() / 1000)))
  if (!config.database) throw new Error('readConfig requires a database in production.')
  const { version, standbys, is_used } = await readFacts(config.database)
  const place = describeTarget(config.database)
  if (version < oldestPostgres * 10_000) {
    const found = `${Math.floor(version / 10_000)}`
    throw startProblem('unsafe_database', `The ${place} is PostgreSQL ${found}. Use ${oldestPostgres} or newer.`)
  }
  if (is_used) {
    const remedy = 'Use its settings and its key files: new keys could read none of its secrets.'
    throw startProblem('database_in_use', `The ${place} belongs to an installation already. ${remedy}`)
  }
  const foreign = pair && foreignHost(pair.leaf, config.public_url)
  return [
    ...insecureSettings(config).map(({ setting, exposes }) => `${setting}: ${exposes}.`),
    ...(foreign === undefined ? [] : [`Note: ${foreign}.`]),
    standbys === ''
      ? 'No commit waits for a standby: a failover may lose the newest ones. See synchronous_standby_names.'
      : `Commits wait for a standby (synchronous_standby_names: ${standbys}).`,
  ]
}

async function readFacts(target: DatabaseTarget): Promise<ServerFacts & { readonly is_used: boolean }> {
  const client = await connectOwner(target)
  try {
    const { rows } = await client.query<ServerFacts>(
      `select current_setting('server_version_num')::int as version,
              current_setting('synchronous_standby_names') as standbys,
              to_regclass('accounts') is not null as is_migrated`,
    )
    const facts = rows[0] as ServerFacts
    // A database that was only migrated has nothing that needs keys.
    const used = facts.is_migrated ? await client.query('select from accounts limit 1') : undefined
    return { ...facts, is_used: used !== undefined && used.rows.length > 0 }
  } finally {
    await client.end()
  }
}
