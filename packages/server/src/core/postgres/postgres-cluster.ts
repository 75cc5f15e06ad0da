/**
 * Creates PostgreSQL's own data directory, once. Not this file's work: its path (postgres-place.ts).
 */
import { execFile } from 'node:child_process'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { startProblem } from '../base/start-problem.ts'
import { postgresEnvironment } from './postgres-binaries.ts'
import { makeClusterDirectory, type PostgresPlace } from './postgres-place.ts'
import type { PostgresSettings } from './postmaster.ts'

type ClusterPlan = {
  place: PostgresPlace
  settings: PostgresSettings
  log: (message: string) => void
  meanwhile: (() => void) | undefined
}

/** Whether there is a cluster. Throws where it has another major version. */
export async function hasCluster(cluster: string, major: string): Promise<boolean> {
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch((error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw startProblem(
      'no_permission',
      `The database in ${cluster} belongs to another user. Start Bourse as the user that started it before.`,
      error,
    )
  })
  if (version === undefined || version.trim() === major) return version !== undefined
  throw startProblem(
    'wrong_postgres_version',
    `The data in ${cluster} was created by PostgreSQL ${version.trim()}, and this program bundles ${major}. ` +
      'Start the Bourse that created it, or move the data to a PostgreSQL of your own and set BOURSE_DATABASE_URL.',
  )
}

/** Creates the cluster in a draft directory and renames it, so that an existing cluster is always complete. */
export async function makeCluster(initdb: string, { place, settings, log, meanwhile }: ClusterPlan): Promise<void> {
  const { cluster, user } = place
  log(`Creating a new database in ${cluster}.`)
  const draft = `${cluster}.new`
  try {
    await makeClusterDirectory(draft, user)
    await runInitdb(initdb, draft, { place, settings, meanwhile })
    await rename(draft, cluster)
    await syncDirectory(dirname(cluster))
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => {})
    throw explainInitdb(error, cluster)
  }
}

/** Makes the rename durable: a new name survives a power failure only after its directory is synced. */
async function syncDirectory(directory: string): Promise<void> {
  await using handle = await open(directory)
  await handle.sync()
}

async function runInitdb(
  initdb: string,
  directory: string,
  { place, settings, meanwhile }: Omit<ClusterPlan, 'log'>,
): Promise<void> {
  // trust: only the user itself and root can open the socket, and both can read the files anyway. The C locale sorts by
  // bytes, which is the same on every machine and in every version of the system's libraries.
  const args = ['-D', directory, '--username=bourse', '--auth=trust', '--no-locale', '--encoding=UTF8']
  if (settings.fsync === 'off') args.push('--no-sync')
  const as = place.user ? { uid: place.user.uid, gid: place.user.gid } : {}
  const running = promisify(execFile)(initdb, args, { cwd: '/', env: postgresEnvironment, ...as })
  meanwhile?.()
  await running
}

function explainInitdb(error: unknown, cluster: string): Error {
  const { stderr = '', code, message } = error as { stderr?: string; code?: unknown; message: string }
  const why =
    stderr
      .split('\n')
      .findLast((line) => /error:|FATAL:|could not/.test(line))
      ?.replace(/^initdb: (error: )?/, '') ?? message
  if (/No space left on device|Disk quota exceeded/.test(stderr) || code === 'ENOSPC' || code === 'EDQUOT') {
    return startProblem(
      'disk_full',
      `There is no space for a database (40 MB) in ${cluster}. Free some space and start Bourse again.`,
    )
  }
  if (/user does not exist/.test(stderr)) {
    const unknown = 'PostgreSQL runs only as a user with an entry in the user database'
    return startProblem(
      'no_permission',
      `${unknown} (${why}). Add the user to /etc/passwd, or set BOURSE_DATABASE_URL.`,
    )
  }
  const denied = /Permission denied/.test(stderr) || code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
  return startProblem(
    denied ? 'no_permission' : 'postgres_failed',
    `Creating the database in ${cluster} failed: ${why}. ` +
      'Set BOURSE_DATA_DIR to a writable directory, or BOURSE_DATABASE_URL to a PostgreSQL 17 or newer.',
    error,
  )
}
