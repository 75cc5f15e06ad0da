/**
 * The bundled database, for programs without BOURSE_DATABASE_URL: a PostgreSQL 18 as a child process on a Unix socket.
 * The server adopts a PostgreSQL that a killed server left running, restarts one that dies on the same socket, and
 * stops it at its own end. The caller holds the lock of the data directory (data-directory.ts), so no other program
 * starts or stops it at the same time.
 */
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { waitFor } from '@bourse/text/time/pause.ts'
import { every } from '../base/clock.ts'
import type { DatabaseTarget } from '../db/database-target.ts'
import { explainFileError } from './data-directory.ts'
import { locatePostgres, makeRunnable } from './postgres-binaries.ts'
import { hasCluster, makeCluster } from './postgres-cluster.ts'
import { choosePlace, removeSocket, type SettledPlace, settleSocket, systemDirectory } from './postgres-place.ts'
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

export type BundledPostgres = AsyncDisposable & {
  readonly target: DatabaseTarget
  /** The pid of the present postmaster. It changes after a restart. */
  readonly pid: number
  /** Whether a killed server had left it running. */
  readonly adopted: boolean
  /** PostgreSQL's own data directory. */
  readonly directory: string
  stop(): Promise<void>
}

type BundledPostgresOptions = {
  data_directory: string
  log: (message: string) => void
  /** Settings of postgresql.conf, which override the safe defaults. Only tests turn fsync off. */
  settings?: PostgresSettings
  /** Called as soon as the start waits for a program of PostgreSQL, for work that does not need the database. */
  meanwhile?: () => void
  /** Another directory of the npm package with the programs. */
  package_directory?: string
  /** Where root stores the files that the unprivileged user cannot reach elsewhere. */
  system_directory?: string
}

// The postmaster of a killed server may still be in recovery or shutting down when the next server finds it.
const adoptMilliseconds = 600_000
const watchMilliseconds = 100
const retryMilliseconds = 1_000

/**
 * Starts or adopts the PostgreSQL of a data directory, which exists and is locked by the caller. Throws a StartProblem
 * with the remedy where it cannot run.
 */
export async function startBundledPostgres(options: BundledPostgresOptions): Promise<BundledPostgres> {
  try {
    return await start(options)
  } catch (error) {
    throw explainFileError(error, options.data_directory)
  }
}

async function start(options: BundledPostgresOptions): Promise<BundledPostgres> {
  const { log, settings = {}, meanwhile, system_directory = systemDirectory } = options
  const postgres = await locatePostgres(options.package_directory)
  const place = await choosePlace({ data_directory: await realpath(options.data_directory), system_directory, log })
  const existing = await hasCluster(place.cluster, postgres.major)
  const adoptee = existing ? await adopt(place.cluster, log) : undefined
  if (!existing) {
    const { initdb } = await makeRunnable(postgres, { ...place, log })
    await makeCluster(initdb, { place, settings, log, meanwhile })
  }
  const settled = await settleSocket(place, adoptee?.socket_directory)
  const target = targetOf(settled.socket_directory)
  // Located again at each start, because npm may have replaced the programs.
  const launch = async () => {
    const binaries = await makeRunnable(postgres, { ...place, log })
    return await launchPostmaster({ binaries, place: settled, settings, log, meanwhile }, target)
  }
  const current = adoptee ?? (await launchFirst(launch, settled))
  const supervised = supervise({ current, launch, log })
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

async function launchFirst(launch: () => Promise<Postmaster>, place: SettledPlace): Promise<Postmaster> {
  try {
    return await launch()
  } catch (error) {
    await removeSocket(place)
    throw error
  }
}

function targetOf(socketDirectory: string): DatabaseTarget {
  return { host: socketDirectory, port: 5432, user: 'bourse', database: 'bourse', ssl: false }
}

async function adopt(cluster: string, log: (message: string) => void) {
  const found = await findPostmaster(cluster)
  if (!found) return undefined
  const atMostMilliseconds = existsSync(found.socket_directory) ? adoptMilliseconds : 0
  const target = targetOf(found.socket_directory)
  const settled = async () => !isRunning(found) || (await answers(target, cluster))
  if (!(await settled()) && atMostMilliseconds > 0) {
    log(`Waiting for the PostgreSQL (pid ${found.pid}) that an earlier server left running.`)
    await waitFor(settled, { at_most: atMostMilliseconds })
  }
  if (!isRunning(found)) return undefined
  if (await answers(target, cluster)) {
    log(`Adopted the PostgreSQL (pid ${found.pid}) that an earlier server left running.`)
    return found
  }
  // Its socket may be missing, for instance because the temporary directory was cleared.
  log(`The PostgreSQL that runs on ${cluster} (pid ${found.pid}) cannot be reached. Restarting it.`)
  await stopPostmaster(found)
  return undefined
}

/** Watches the postmaster, restarts it when it dies, and stops it at the end. */
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
    log(`PostgreSQL (pid ${current.pid}) has ended. Restarting it.`)
    for (let failed = false; !stopping; failed = true) {
      try {
        current = await launch()
        return log(`PostgreSQL is running again (pid ${current.pid}).`)
      } catch (error) {
        // Logged once, because a full disk may last for hours.
        if (!failed) log(error instanceof Error ? error.message : String(error))
        await waitFor(() => stopping, { every: 50, at_most: retryMilliseconds })
      }
    }
  }
  // An adopted postmaster is no child and has no exit event, so both kinds are polled.
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
