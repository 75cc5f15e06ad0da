/**
 * Makes a cluster of a backup: unpacks it, and lets PostgreSQL replay the log up to a moment and begin a new timeline.
 * The cluster is reachable by a private socket only, with settings of its own. Nothing of that is left in it.
 * Not this file's work: which backup and which moment (start/restore.ts), what the database contains.
 */
import { createHash } from 'node:crypto'
import { chown, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { Unpack } from 'tar'
import { isStartProblem, startProblem } from '../base/start-problem.ts'
import type { DatabaseTarget } from '../db/database-target.ts'
import type { PostgresBinaries } from '../postgres/postgres-binaries.ts'
import { makeSocketDirectory, type PostgresUser } from '../postgres/postgres-place.ts'
import { launchPostmaster, type PostgresSettings, stopPostmaster } from '../postgres/postmaster.ts'
import type { BackupFile, BackupRecord } from './backup-record.rules.ts'
import type { BackupStore } from './backup-store.ts'
import { describeRecovery, type RecoveryLog } from './recovery-log.rules.ts'
import { serveWal } from './wal-service.ts'

/** The moment up to which the log is replayed: a time (ISO 8601), all of it, or the end of the base copy. */
export type RecoveryTarget = { readonly time: string } | 'latest' | 'consistent'

type RecoveryOptions = {
  readonly store: BackupStore
  readonly record: BackupRecord
  readonly target: RecoveryTarget
  /** The timeline to follow: a number, or "latest". */
  readonly timeline: string
  /** An empty directory. The cluster becomes its directory `cluster`. */
  readonly directory: string
  readonly binaries: PostgresBinaries
  readonly user: PostgresUser | undefined
  readonly log: (message: string) => void
}

/** A recovered cluster that runs. Disposal stops it. */
export type RecoveredCluster = AsyncDisposable & {
  readonly target: DatabaseTarget
  readonly cluster: string
  readonly reached: RecoveryLog
}

/** A day: the log of a week takes hours. */
const readyMilliseconds = 86_400_000

/** The archive of the data directory in a backup. */
export const baseName = 'base.tar.zst'

/** Unpacks a backup and recovers it. Throws backup_damaged, restore_failed and problems of the store. */
export async function recoverCluster(options: RecoveryOptions): Promise<RecoveredCluster> {
  const { directory, user, record } = options
  const cluster = join(await realpath(directory), 'cluster')
  for (const path of [cluster, join(directory, 'wal')]) await makeFor(user, () => mkdir(path, { mode: 0o700 }), path)
  await unpackBase(options, cluster)
  const signal = join(cluster, 'recovery.signal')
  await makeFor(user, () => writeFile(signal, ''), signal)
  const socket_directory = await makeSocketDirectory(undefined, user)
  const target = {
    host: socket_directory,
    port: 5432,
    user: record.database.owner,
    database: record.database.name,
    ssl: false as const,
  }
  try {
    return await start(options, { cluster, socket_directory, target })
  } catch (error) {
    await rm(socket_directory, { recursive: true, force: true })
    throw error
  }
}

async function start(
  options: RecoveryOptions,
  place: { readonly cluster: string; readonly socket_directory: string; readonly target: DatabaseTarget },
): Promise<RecoveredCluster> {
  const { store, record, directory, user, binaries, log } = options
  const { cluster, socket_directory, target } = place
  const wal = join(directory, 'wal')
  const log_file = join(directory, 'postgres.log')
  const service = await serveWal({ store, system_identifier: record.database.system_identifier, directory: wal, user })
  const settings = { ...(await writeSettings(options)), ...recoverySettings(options, service.restore_command) }
  const settled = { data_directory: directory, user, cluster, copies: directory, log_file, socket_directory }
  const launch = { binaries, place: settled, settings, log, ready_milliseconds: readyMilliseconds }
  const launched = await launchPostmaster(launch, target).catch(async (error) => {
    // An archive that cannot be read is the reason of what PostgreSQL says.
    await service.stop()
    throw explainEnd(error, await readFile(log_file, 'utf8'), options)
  })
  const stop = async () => {
    await stopPostmaster(launched)
    await rm(socket_directory, { recursive: true, force: true })
  }
  try {
    await service.stop()
    const reached = describeRecovery(await readFile(log_file, 'utf8'))
    return { target, cluster, reached, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Files of settings of this recovery. Those of the cluster may name files and addresses of another machine. */
async function writeSettings({ directory, user }: RecoveryOptions): Promise<PostgresSettings> {
  const texts = { config_file: '', hba_file: 'local all all trust\n', ident_file: '' }
  const paths = Object.keys(texts).map((name) => [name, join(directory, name)] as const)
  for (const [name, path] of paths) {
    await makeFor(user, () => writeFile(path, texts[name as keyof typeof texts]), path)
  }
  return Object.fromEntries(paths)
}

/** Settings on the command line win over postgresql.auto.conf, which PostgreSQL reads in any case. */
function recoverySettings({ target, timeline }: RecoveryOptions, restore_command: string): PostgresSettings {
  return {
    restore_command,
    ...targetSettings(target),
    recovery_target_timeline: timeline,
    recovery_target_action: 'promote',
    // No reader before the end, so the numbers of connections of the primary do not matter.
    hot_standby: 'off',
    max_prepared_transactions: '100',
    // The new timeline is marked for the archive, and whoever starts the cluster next hands it over.
    archive_mode: 'on',
    archive_command: '',
    archive_library: '',
    archive_cleanup_command: '',
    recovery_end_command: '',
    synchronous_standby_names: '',
    primary_conninfo: '',
    primary_slot_name: '',
    shared_preload_libraries: '',
    session_preload_libraries: '',
    local_preload_libraries: '',
    logging_collector: 'off',
    log_destination: 'stderr',
    ssl: 'off',
    port: '5432',
    external_pid_file: '',
    unix_socket_group: '',
    lc_messages: 'C',
  }
}

/** A cluster may have settings of an earlier recovery, which would end this one early. PostgreSQL takes one target. */
const noTarget: PostgresSettings = {
  recovery_target: '',
  recovery_target_lsn: '',
  recovery_target_name: '',
  recovery_target_time: '',
  recovery_target_xid: '',
  recovery_target_inclusive: 'on',
  recovery_min_apply_delay: '0',
}

function targetSettings(target: RecoveryTarget): PostgresSettings {
  if (target === 'latest') return noTarget
  const [name, value] =
    target === 'consistent' ? ['recovery_target', 'immediate'] : ['recovery_target_time', postgresTime(target.time)]
  // Last: PostgreSQL refuses an empty target after one that is set.
  const { [name]: _, ...others } = noTarget
  return { ...others, [name]: value }
}

/** A time in the only form that PostgreSQL reads before it knows time zones. */
function postgresTime(time: string): string {
  const [, fraction = ''] = /(\.\d+)/.exec(time) ?? []
  const seconds = new Date(Date.parse(time.replace(fraction, ''))).toISOString().slice(0, 19).replace('T', ' ')
  return `${seconds}${fraction}+00`
}

async function unpackBase({ store, record, user }: RecoveryOptions, cluster: string): Promise<void> {
  const file = record.files.find(({ name }) => name === baseName)
  const path = `${record.id}/${baseName}`
  const bytes = await store.read(path)
  if (!file || !bytes) throw damaged(record.id, `its file ${baseName} is missing`)
  const owner = user ? { uid: user.uid, gid: user.gid } : {}
  const unpack = new Unpack({ cwd: cluster, strict: true, preserveOwner: false, noMtime: true, ...owner })
  const counted = { sha256: createHash('sha256'), size: 0 }
  try {
    await pipeline(counting(bytes, counted), createZstdDecompress(), unpack as Unpack & NodeJS.WritableStream)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC') throw startProblem('disk_full', `The disk of ${cluster} is full.`, error)
    if (isStartProblem(error)) throw error
    // A file that was cut short or changed has another digest too. A disk that fails has not.
    if (isAsWritten(file, counted)) throw error
    throw damaged(record.id, `${baseName} cannot be unpacked (${message})`)
  }
  if (!isAsWritten(file, counted)) throw damaged(record.id, `${baseName} is not the file that was written`)
}

type CountedBytes = { readonly sha256: ReturnType<typeof createHash>; size: number }

async function* counting(bytes: AsyncIterable<Buffer>, counted: CountedBytes): AsyncGenerator<Buffer> {
  for await (const part of bytes) {
    counted.sha256.update(part)
    counted.size += part.length
    yield part
  }
}

function isAsWritten(file: BackupFile, { sha256, size }: CountedBytes): boolean {
  return size === file.size_bytes && sha256.copy().digest('hex') === file.sha256
}

function damaged(id: string, problem: string): Error {
  return startProblem('backup_damaged', `Backup ${id} is damaged: ${problem}. Use another one.`)
}

function explainEnd(error: unknown, log: string, { target, record }: RecoveryOptions): Error {
  const { last_commit_at } = describeRecovery(log)
  if (/recovery ended before configured recovery target was reached/.test(log) && typeof target === 'object') {
    const until = last_commit_at ?? record.ended_at
    return startProblem(
      'restore_failed',
      `The log of the archive ends with the commit of ${until}, before ${target.time}. Restore to that time or an ` +
        'earlier one, or to "latest"; or archive the rest of the log first, if the old data directory still has it.',
      error,
    )
  }
  if (isStartProblem(error, 'backup_store_failed')) return error
  // The log is removed with everything else.
  const why = (error as Error).message.replace(/ Its log is .*$/, '')
  return startProblem('restore_failed', `The recovery failed. ${why}`, error)
}

async function makeFor(user: PostgresUser | undefined, make: () => Promise<unknown>, path: string): Promise<void> {
  await make()
  if (user) await chown(path, user.uid, user.gid)
}
