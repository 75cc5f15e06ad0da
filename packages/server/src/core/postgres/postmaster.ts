/**
 * Finds, starts, probes and stops one postmaster process. The postmaster runs in its own session, so a Ctrl-C in the
 * terminal reaches only the server, which drains its requests and then stops the postmaster.
 * Not this file's work: paths (postgres-place.ts), restarts (bundled-postgres.ts).
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, renameSync, statSync } from 'node:fs'
import { open, readFile, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pause, waitFor } from '@bourse/text/time/pause.ts'
import pg from 'pg'
import { monotonicMilliseconds } from '../base/clock.ts'
import { startProblem } from '../base/start-problem.ts'
import type { DatabaseTarget } from '../db/database-target.ts'
import { type PostgresBinaries, postgresEnvironment } from './postgres-binaries.ts'
import { type PostgresPlace, type SettledPlace, socketName } from './postgres-place.ts'
import { isSameProcess, processIdentity, worksIn } from './process-identity.ts'

export type Postmaster = { readonly pid: number /** From processIdentity. */; readonly identity: string }

export type PostgresSettings = Readonly<Record<string, string>>

type LaunchOptions = {
  binaries: PostgresBinaries
  place: SettledPlace
  settings: PostgresSettings
  log: (message: string) => void
  meanwhile?: (() => void) | undefined
  /** How long it may take to accept connections. */
  ready_milliseconds?: number
}

const logKeptBytes = 1_000_000
// Recovery replays some hundred MB of log in seconds. On a slow disk a shorter limit would only restart it.
const readyMilliseconds = 1_800_000
const timeoutMilliseconds = 5_000
const answerMilliseconds = 10_000
const oldChildrenMilliseconds = 30_000
const oldChildrenPauseMilliseconds = 30
const stopMilliseconds = 60_000

const defaults: PostgresSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  data_sync_retry: 'off',
  // A quarter of PostgreSQL's default, because disk space on a laptop matters more than a tenth of write speed.
  max_wal_size: '256MB',
  min_wal_size: '64MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The server logs unexpected errors of statements itself. In this log, clients could make the file grow, and texts of
  // statements may contain secrets.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
  cluster_name: 'bourse',
}

/** Finds the postmaster that runs on a cluster, whichever program started it. */
export async function findPostmaster(
  cluster: string,
): Promise<(Postmaster & { socket_directory: string }) | undefined> {
  const lines = await pidFileLines(cluster)
  const pid = Number(lines?.[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  const identity = processIdentity(pid)
  // The number may meanwhile belong to another program.
  if (identity === undefined || !worksIn(pid, await realpath(cluster))) return undefined
  // A postmaster that has just started has not written this line yet.
  const socket = async () => (await pidFileLines(cluster))?.[4] || undefined
  const socket_directory = await waitFor(socket, { at_most: 2_000 })
  return socket_directory === undefined ? undefined : { pid, identity, socket_directory }
}

/** Whether the postmaster still runs. */
export function isRunning({ pid, identity }: Postmaster): boolean {
  return isSameProcess(pid, identity)
}

/** Starts a postmaster and waits until it accepts connections. Also waits until the children of a killed one end. */
export async function launchPostmaster(options: LaunchOptions, target: DatabaseTarget): Promise<Postmaster> {
  const { place } = options
  const end = monotonicMilliseconds() + oldChildrenMilliseconds
  if (!(await findPostmaster(place.cluster))) await removeLeftovers(place)
  for (;;) {
    const { log, offset } = openLog(place.log_file)
    const child = spawnPostmaster(options, log)
    options.meanwhile?.()
    const started = await Promise.race([untilReady(child, options, target), untilGone(child)])
    if (typeof started === 'object') return started
    const output = await logSince(place.log_file, offset)
    // Another postmaster may have been starting when its server was killed, before it wrote its pid file.
    const running = await findPostmaster(place.cluster)
    const open = () => answers(target, place.cluster)
    if (running && (await waitFor(open, { at_most: answerMilliseconds }))) return running
    const childrenLeft = /pre-existing shared memory block/.test(output)
    if (!childrenLeft || monotonicMilliseconds() > end) throw explainFailure(output || started, place)
    await pause(oldChildrenPauseMilliseconds)
  }
}

/**
 * Removes lock files that name a zombie or the number of another program, because PostgreSQL takes either for a running
 * postmaster. PostgreSQL still finds old children by their shared memory.
 */
async function removeLeftovers({ cluster, socket_directory }: SettledPlace): Promise<void> {
  const files = [join(cluster, 'postmaster.pid'), join(socket_directory, `${socketName}.lock`)]
  await Promise.all(files.map((file) => rm(file, { force: true })))
}

/** Stops the postmaster with PostgreSQL's "fast" shutdown, which loses nothing, and waits for its end. */
export async function stopPostmaster(postmaster: Postmaster): Promise<void> {
  if (!requestStop(postmaster)) return
  if (await waitFor(() => !isRunning(postmaster), { every: 2, at_most: stopMilliseconds })) return
  // An immediate shutdown skips the checkpoint, so the next start replays the log. Nothing is lost.
  signal(postmaster, 'SIGQUIT')
  await waitFor(() => !isRunning(postmaster), { at_most: stopMilliseconds })
}

/** Requests the fast shutdown without waiting; false where the postmaster no longer runs. For the process's exit. */
export function requestStop(postmaster: Postmaster): boolean {
  return isRunning(postmaster) && signal(postmaster, 'SIGINT')
}

/**
 * Whether a connection to the cluster succeeds. Creates the target's database if it is missing. Returns false while
 * PostgreSQL starts up, recovers or shuts down, and where another cluster listens on the socket.
 */
export async function answers(target: DatabaseTarget, cluster: string): Promise<boolean> {
  return (await askDirectory(target)) === cluster
}

async function askDirectory(target: DatabaseTarget): Promise<string | undefined> {
  const client = new pg.Client({ ...target, database: 'postgres', connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const name = target.database
    const found = await client.query('select 1 from pg_database where datname = $1', [name])
    if (found.rows.length === 0) await client.query(`create database ${client.escapeIdentifier(name)}`)
    const shown = await client.query<{ directory: string }>("select current_setting('data_directory') directory")
    return shown.rows[0]?.directory
  } catch (error) {
    if (isNotYet(error)) return undefined
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}

/** Whether there is no socket, no listener, or a PostgreSQL that starts up, recovers or shuts down (57P03). */
function isNotYet(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return (
    ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P03'].includes(code ?? '') ||
    /terminated/.test(message ?? '')
  )
}

function spawnPostmaster({ binaries, place, settings }: LaunchOptions, log: number): ChildProcess {
  const all = { ...defaults, ...settings, unix_socket_directories: place.socket_directory }
  const args = ['-D', place.cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const as = place.user ? { uid: place.user.uid, gid: place.user.gid } : {}
  const child = spawn(binaries.postgres, args, {
    cwd: '/',
    detached: true,
    env: postgresEnvironment,
    stdio: ['ignore', log, log],
    ...as,
  })
  child.unref()
  closeSync(log)
  return child
}

async function untilReady(child: ChildProcess, options: LaunchOptions, target: DatabaseTarget): Promise<Postmaster> {
  const { place, ready_milliseconds = readyMilliseconds } = options
  const { cluster, log_file } = place
  const pid = child.pid
  const identity = pid === undefined ? undefined : processIdentity(pid)
  if (pid === undefined || identity === undefined) return await untilGoneInstead()
  const ready = async () => {
    const lines = await pidFileLines(cluster)
    const status = lines?.[0] === String(pid) ? lines[7]?.trim() : undefined
    return hasEnded(child) || status === 'ready' || status === 'standby'
  }
  if (!(await waitFor(ready, { every: 3, at_most: timeoutMilliseconds }))) {
    options.log(`PostgreSQL (pid ${pid}) is slow to start. See ${log_file} for the reason.`)
    await waitFor(ready, { every: 100, at_most: ready_milliseconds })
  }
  if (hasEnded(child)) return await untilGoneInstead()
  const open = () => answers(target, cluster)
  if (await waitFor(open, { at_most: answerMilliseconds })) return { pid, identity }
  child.kill('SIGINT')
  throw startProblem('postgres_failed', `PostgreSQL (pid ${pid}) started in ${cluster} but does not respond.`)
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Never settles, so that untilGone decides the race. */
function untilGoneInstead(): Promise<never> {
  return new Promise(() => {})
}

/** Waits for the end of the process; returns its reason as text. */
function untilGone(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signalName) => resolve(`it ended with ${signalName ?? `exit code ${code}`}`))
  })
}

function signal({ pid }: Postmaster, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

async function pidFileLines(cluster: string): Promise<string[] | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined)
  return text?.split('\n')
}

/** Opens the log for appending. Renames a long log first, so that two files limit the use of the disk. */
function openLog(file: string): { log: number; offset: number } {
  let offset = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (offset > logKeptBytes) {
    renameSync(file, `${file}.old`)
    offset = 0
  }
  return { log: openSync(file, 'a', 0o600), offset }
}

async function logSince(file: string, offset: number): Promise<string> {
  await using handle = await open(file)
  const { size } = await handle.stat()
  const length = Math.min(size - offset, 4_000)
  const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length)
  return buffer.toString('utf8').trim()
}

function explainFailure(output: string, { cluster, log_file }: PostgresPlace): Error {
  const fatal = output.split('\n').findLast((line) => /FATAL|PANIC/.test(line)) ?? output.split('\n').at(-1) ?? ''
  const why = fatal.replace(/^.*?(FATAL|PANIC): +/, '')
  if (/No space left on device|Disk quota exceeded/.test(output)) {
    return startProblem(
      'disk_full',
      `PostgreSQL cannot start: the disk of ${cluster} is full. Free some space and start Bourse again.`,
    )
  }
  if (/Permission denied/.test(output)) {
    return startProblem('no_permission', `PostgreSQL cannot start in ${cluster}: ${why}. Its log is ${log_file}.`)
  }
  return startProblem('postgres_failed', `PostgreSQL cannot start in ${cluster}: ${why}. Its log is ${log_file}.`)
}
