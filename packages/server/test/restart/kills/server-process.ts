/**
 * A sandbox with its bundled PostgreSQL, as `bourse start` runs it, for the kill loop. It has an empty world, prints
 * one line of JSON when it is ready, and stops in order on SIGTERM. Only a loop that must fail disables durability.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { openLog } from '../../../src/core/base/log.ts'
import { ensureKeyFiles, readKeyFiles } from '../../../src/core/keys/key-files.ts'
import { migrate } from '../../../src/core/migrations/migrate.ts'
import { readMigrations } from '../../../src/core/migrations/migration-files.ts'
import { startBundledPostgres } from '../../../src/core/postgres/bundled-postgres.ts'
import { lockDataDirectory } from '../../../src/core/postgres/data-directory.ts'
import { ensureSandbox } from '../../../src/sandbox/scenarios/bootstrap.service.ts'
import { startServer } from '../../../src/server.ts'

/** The options on the command line. */
export type ServerProcessOptions = {
  readonly data_directory: string
  readonly port: number
  /** PostgreSQL settings that replace those of production. */
  readonly settings: Readonly<Record<string, string>>
  readonly requires_safe_database: boolean
}

/** The line that it prints when it is ready. */
export type Ready = {
  readonly url: string
  readonly platform_token: string
  /** The directory of the socket of the database. */
  readonly socket_directory: string
  readonly directory: string
}

const migrations = join(import.meta.dirname, '../../../../../migrations')

if (import.meta.main) await serve(JSON.parse(process.argv[2] ?? '') as ServerProcessOptions)

async function serve({ data_directory, port, settings, requires_safe_database }: ServerProcessOptions): Promise<void> {
  const stopped = once(process, 'SIGTERM')
  await using lock = await lockDataDirectory(data_directory)
  const keys = await readKeyFiles(await ensureKeyFiles(join(lock.path, 'keys')), { production: false })
  await using postgres = await startBundledPostgres({ data_directory: lock.path, log: () => {}, settings })
  await migrate(postgres.target, { directory: migrations, log: () => {} })
  await using server = await startServer({
    mode: 'sandbox',
    target: postgres.target,
    keys,
    log: openLog('error'),
    host: '127.0.0.1',
    port,
    schema_version: (await readMigrations(migrations)).length,
    requires_safe_database,
    rate_multiplier: 1_000_000,
  })
  const { platform_token } = await ensureSandbox(server.runtime, 'bourse', 'empty')
  const { directory, target } = postgres
  const ready: Ready = { url: server.url, platform_token, directory, socket_directory: target.host }
  console.log(JSON.stringify(ready))
  await stopped
}
