/** The database and the keys of an installation, for commands that check it beside its servers. */
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '@bourse/text/program.ts'
import { type Config, readConfig } from '../config.ts'
import { startProblem } from '../core/base/start-problem.ts'
import type { DatabaseTarget } from '../core/db/database-target.ts'
import { openDatabase } from '../core/db/db.ts'
import { keyPaths, readKeyFiles } from '../core/keys/key-files.ts'
import type { Keys } from '../core/keys/keys.ts'
import { startBundledPostgres } from '../core/postgres/bundled-postgres.ts'
import { dataDirectoryHolder, lockDataDirectory } from '../core/postgres/data-directory.ts'
import { choosePlace, recordedSocketDirectory, systemDirectory } from '../core/postgres/postgres-place.ts'
import type { ExpectedSeal } from '../iam/audit/seals.rules.ts'
import { sealsOf, type Verification, verifyTrail } from '../iam/audit/seals.service.ts'

/** Whether these are the settings of `bourse serve`. */
function isProduction({ BOURSE_DATABASE_URL, BOURSE_PUBLIC_URL }: Environment): boolean {
  return Boolean(BOURSE_DATABASE_URL && BOURSE_PUBLIC_URL)
}

/** Reads the key files. Throws where one is missing or not valid. */
export async function readKeys({ mode, data_directory, key_paths }: Config): Promise<Keys> {
  const isOwn = mode === 'production'
  const paths = isOwn ? key_paths : { ...keyPaths(join(data_directory, 'keys')), ...key_paths }
  return readKeyFiles(paths, { production: isOwn })
}

/** Verifies the whole audit trail of an installation. `expected` are seals that it must have. */
export async function verifyInstallation(
  variables: Environment,
  print: (line: string) => void,
  expected: readonly ExpectedSeal[],
): Promise<Verification> {
  await using stack = new AsyncDisposableStack()
  const config = configOf(variables)
  const keys = await readKeys(config)
  const database = stack.use(openDatabase(await openTarget(config, stack, print), { connections_max: 1 }))
  return await verifyTrail(database, keys, { expected })
}

/** Calls `use` for each seal of the audit trail of an installation, oldest first. Verifies nothing. */
export async function readSeals(
  variables: Environment,
  print: (line: string) => void,
  use: (seal: ExpectedSeal) => void,
): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const target = await openTarget(configOf(variables), stack, print)
  for await (const seal of sealsOf(stack.use(openDatabase(target, { connections_max: 1 })))) use(seal)
}

/** The configuration of a command beside the servers. */
export function configOf(variables: Environment): Config {
  return readConfig(isProduction(variables) ? 'production' : 'sandbox', variables, { serves: false })
}

/** Opens the database that is configured, or that of a sandbox, which may be stopped. Throws where there is none. */
export async function openTarget(
  config: Config,
  stack: AsyncDisposableStack,
  print: (line: string) => void,
): Promise<DatabaseTarget> {
  if (config.database) return config.database
  const { data_directory } = config
  const socket = await recordedSocketDirectory(data_directory)
  if (socket === undefined) throw nothingThere(data_directory)
  const holder = await dataDirectoryHolder(data_directory)
  if (holder) {
    print(`A server (pid ${holder.pid}) runs on ${data_directory}. Checking its database.`)
    return { host: socket, port: 5432, user: 'bourse', database: 'bourse', ssl: false }
  }
  // Without a cluster, the start would create a new one, which would pass every check.
  const place = await choosePlace({
    data_directory: await realpath(data_directory),
    system_directory: systemDirectory,
    log: print,
  })
  if (!existsSync(join(place.cluster, 'PG_VERSION'))) throw nothingThere(data_directory)
  print(`No server runs on ${data_directory}. Starting its database for the check.`)
  stack.use(await lockDataDirectory(data_directory))
  return stack.use(await startBundledPostgres({ data_directory, log: print })).target
}

function nothingThere(data_directory: string): Error {
  return startProblem(
    'database_unreachable',
    `There is no database in ${data_directory}. Set BOURSE_DATA_DIR to the data directory of a sandbox, ` +
      'BOURSE_DATABASE_URL to a database, or run `bourse start` first.',
  )
}
