/**
 * The database of a program that was given none: a real PostgreSQL 18, a child on a unix socket. One that a killed
 * server left running is adopted; one that dies is started again on the same socket; it stops when the server stops.
 * The caller holds the data directory's lock (data-directory.ts), so nobody else starts or stops it meanwhile.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, realpath, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { every } from './clock.ts'
import type { DatabaseTarget } from './database-target.ts'
import { locatePostgres, makeRunnable, type PostgresBinaries, postgresEnvironment } from './postgres-binaries.ts'
import { choosePlace, makeClusterDirectory, type PostgresPlace, removeSocket, settleSocket } from './postgres-place.ts'
import {
  answers,
  findPostmaster,
  isRunning,
  launchPostmaster,
  type PostgresSettings,
  type Postmaster,
  requestStop,
  stopPostmaster,
} from './postmaster.ts'
import { startProblem } from './start-problem.ts'
import { waitFor } from './wait.ts'

export type BundledPostgres = AsyncDisposable & {
  readonly target: DatabaseTarget
  /** Of the postmaster that runs now: another one after a death. */
  readonly pid: number
  /** Whether it was running already, left by a killed server. */
  readonly adopted: boolean
  /** PostgreSQL's own data directory. */
  readonly directory: string
  stop(): Promise<void>
}

type Options = {
  data_directory: string
  log: (message: string) => void
  /** Settings of postgresql.conf, over the safe defaults. Only a test turns fsync off. */
  settings?: PostgresSettings
  /** Another place of the npm package that holds the programs. */
  package_directory?: string
}

// A killed server's postmaster may be recovering or stopping when the next one finds it.
const adoptMilliseconds = 60_000
const watchMilliseconds = 100
const retryMilliseconds = 1_000

/**
 * Starts or adopts the PostgreSQL of a data directory, which exists and is locked by the caller. Throws a StartProblem
 * that says what to do where it cannot run.
 */
export async function startBundledPostgres(options: Options): Promise<BundledPostgres> {
  const { log, settings = {} } = options
  const postgres = await locatePostgres(options.package_directory)
  const place = await choosePlace(await realpath(options.data_directory), log)
  const existing = await checkVersion(place.cluster, postgres.major)
  const adoptee = existing ? await adopt(place.cluster, log) : undefined
  const settled = await settleSocket(place, adoptee?.socket_directory)
  const target = targetOf(settled.socket_directory)
  const launch = async () => {
    const binaries = await makeRunnable(postgres, { ...place, log })
    if (!existsSync(place.cluster)) await makeCluster(binaries, place, log)
    return await launchPostmaster({ binaries, place: settled, settings }, target)
  }
  const supervised = supervise({ current: adoptee ?? (await launch()), launch, log })
  const stop = async () => {
    await supervised.stop()
    await removeSocket(settled)
  }
  let stopped: Promise<void> | undefined
  const stopOnce = () => {
    stopped ??= stop()
    return stopped
  }
  return {
    target,
    get pid() {
      return supervised.pid()
    },
    adopted: adoptee !== undefined,
    directory: place.cluster,
    stop: stopOnce,
    [Symbol.asyncDispose]: stopOnce,
  }
}

function targetOf(socket_directory: string): DatabaseTarget {
  return { host: socket_directory, port: 5432, user: 'bourse', database: 'bourse', ssl: false }
}

async function adopt(cluster: string, log: (message: string) => void) {
  const found = await findPostmaster(cluster)
  if (!found) return undefined
  const reached = waitFor(
    async () => !isRunning(found) || (await answers(targetOf(found.socket_directory), cluster, 0)),
    {
      at_most_milliseconds: existsSync(found.socket_directory) ? adoptMilliseconds : 0,
    },
  )
  if ((await reached) && isRunning(found)) {
    log(`Adopted the PostgreSQL (pid ${found.pid}) that an earlier server left running.`)
    return found
  }
  // Running without a socket, for instance because somebody cleared the temporary directory: no use to anybody.
  if (isRunning(found))
    log(`The PostgreSQL that runs on ${cluster} (pid ${found.pid}) cannot be reached; starting it again.`)
  await stopPostmaster(found)
  return undefined
}

/** Whether there is a cluster; one of another major version cannot be opened. */
async function checkVersion(cluster: string, major: string): Promise<boolean> {
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (version === undefined || version.trim() === major) return version !== undefined
  throw startProblem(
    'wrong_postgres_version',
    `The data in ${cluster} was made by PostgreSQL ${version.trim()}, this program brings ${major}. ` +
      'Start the Bourse that made it, or move the data to a PostgreSQL of your own and set BOURSE_DATABASE_URL.',
  )
}

/** Makes the cluster on the first start, in another directory first: one that is there is whole. */
async function makeCluster(
  binaries: PostgresBinaries,
  place: PostgresPlace,
  log: (message: string) => void,
): Promise<void> {
  const { cluster, user } = place
  log(`Making a new database in ${cluster}.`)
  const draft = `${cluster}.new`
  try {
    await makeClusterDirectory(draft, user)
    await runInitdb(binaries, draft, place)
    await rename(draft, cluster)
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => {})
    throw explainInitdb(error, cluster)
  }
}

async function runInitdb(binaries: PostgresBinaries, directory: string, { user }: PostgresPlace): Promise<void> {
  // trust: only the user itself and root can open the socket, and both can read the files anyway. The C locale sorts
  // bytes, the same on every machine and in every version of the system's libraries.
  const args = ['-D', directory, '--username=bourse', '--auth=trust', '--no-locale', '--encoding=UTF8']
  const as = user ? { uid: user.uid, gid: user.gid } : {}
  await promisify(execFile)(binaries.initdb, args, { cwd: '/', env: postgresEnvironment, ...as })
}

function explainInitdb(error: unknown, cluster: string): Error {
  const { stderr = '', code, message } = error as { stderr?: string; code?: unknown; message: string }
  const why =
    stderr
      .split('\n')
      .findLast((line) => /error|FATAL/.test(line))
      ?.replace(/^initdb: error: /, '') ?? message
  if (/No space left on device|Disk quota exceeded/.test(stderr) || code === 'ENOSPC' || code === 'EDQUOT') {
    return startProblem(
      'disk_full',
      `There is no room for a database (40 MB) in ${cluster}. Free some space and start again.`,
    )
  }
  if (/user does not exist/.test(stderr)) {
    const unknown = 'PostgreSQL runs only as a user that the machine knows by name'
    return startProblem(
      'no_permission',
      `${unknown} (${why}). Add the user to /etc/passwd, or set BOURSE_DATABASE_URL.`,
    )
  }
  const denied = /Permission denied/.test(stderr) || code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
  return startProblem(
    denied ? 'no_permission' : 'postgres_failed',
    `No database could be made in ${cluster}: ${why}. ` +
      'Set BOURSE_DATA_DIR to a directory that can be written, or BOURSE_DATABASE_URL to a PostgreSQL 17 or newer.',
    error,
  )
}

/** Watches the postmaster, starts it again when it dies, and stops it in the end. */
function supervise(options: {
  current: Postmaster
  launch: () => Promise<Postmaster>
  log: (message: string) => void
}) {
  const { launch, log } = options
  let { current } = options
  let stopping = false
  let restart: Promise<void> | undefined
  const startAgain = async () => {
    log(`PostgreSQL (pid ${current.pid}) has ended; starting it again.`)
    for (let failed = false; !stopping; failed = true) {
      try {
        current = await launch()
        return log(`PostgreSQL runs again (pid ${current.pid}).`)
      } catch (error) {
        // Said once: a full disk may last for hours.
        if (!failed) log(error instanceof Error ? error.message : String(error))
        await waitFor(() => stopping, { every_milliseconds: 50, at_most_milliseconds: retryMilliseconds })
      }
    }
  }
  // No exit event tells of an adopted one's death, so both kinds are watched alike.
  const stopWatching = every(watchMilliseconds, () => {
    if (stopping || restart || isRunning(current)) return
    restart = startAgain().finally(() => {
      restart = undefined
    })
  })
  const onExit = () => requestStop(current)
  process.once('exit', onExit)
  return {
    pid: () => current.pid,
    stop: async () => {
      stopping = true
      stopWatching()
      await restart
      await stopPostmaster(current)
      process.off('exit', onExit)
    },
  }
}
