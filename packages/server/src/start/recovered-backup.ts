/** What `backup verify` and `restore` share: which backup, with which log, and the cluster that comes of it. */
import { readFileSync, rmSync } from 'node:fs'
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ListedBackup, listBackups, readBackup } from '../core/backup/backup-list.ts'
import {
  type BackupRecord,
  choiceProblem,
  chooseBackup,
  isBackupId,
  restoreProblem,
} from '../core/backup/backup-record.rules.ts'
import type { BackupStore } from '../core/backup/backup-store.ts'
import { type RecoveredCluster, type RecoveryTarget, recoverCluster } from '../core/backup/recovery.ts'
import { findRestorePrograms } from '../core/backup/restore-programs.ts'
import { listArchive, readArchived } from '../core/backup/wal-archive.ts'
import { findMissingSegment, historyName, parseLsn, timelineSteps } from '../core/backup/wal-files.rules.ts'
import { programRoot } from '../core/base/program-root.ts'
import { isStartProblem, startProblem } from '../core/base/start-problem.ts'
import { readMigrations } from '../core/migrations/migration-files.ts'
import { canEnter, type PostgresUser, unprivilegedUser } from '../core/postgres/postgres-place.ts'

/** Which backup, and up to which moment. */
export type RecoveryRequest = {
  readonly store: BackupStore
  /** The id of the backup; without one the newest that fits. */
  readonly id: string | undefined
  readonly target: RecoveryTarget
  /** The timeline to follow; without one the newest of the archive. */
  readonly timeline: number | undefined
  readonly postgres_bin: string | undefined
  readonly print: (line: string) => void
}

/** Schema version of this program. */
export async function knownSchema(): Promise<number> {
  return (await readMigrations(join(programRoot, 'migrations'))).length
}

/** Chooses the backup. Throws backup_damaged where the named one is not complete, or restore_refused. */
export async function requireBackup({ store, id, target, print }: RecoveryRequest): Promise<BackupRecord> {
  const to = typeof target === 'object' ? target.time : undefined
  const chosen = id === undefined ? await chooseAmong(store, target, print) : usable(await readNamed(store, id))
  const problem = restoreProblem(chosen, to, await knownSchema())
  if (problem !== undefined) throw refused(`${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`)
  return chosen
}

async function chooseAmong(
  store: BackupStore,
  target: RecoveryTarget,
  print: (line: string) => void,
): Promise<BackupRecord> {
  const all = await listBackups(store)
  for (const { id, problem } of all) if (problem !== undefined) print(`Backup ${id} is left out: ${problem}.`)
  const records = all.flatMap(({ record }) => record ?? [])
  const to = typeof target === 'object' ? target.time : undefined
  const found = (target === 'consistent' ? undefined : choiceProblem(records)) ?? chooseBackup(records, to)
  if (typeof found === 'string') throw refused(`In ${store.location}: ${found}.`)
  return found
}

async function readNamed(store: BackupStore, id: string): Promise<ListedBackup> {
  if (!isBackupId(id))
    throw refused(`"${id}" is no id of a backup, such as 20261129T030000Z. See \`bourse backup list\`.`)
  const found = await readBackup(store, id)
  if (found.files.length === 0) throw refused(`There is no backup ${id} in ${store.location}.`)
  return found
}

function usable({ id, record, problem }: ListedBackup): BackupRecord {
  if (record) return record
  throw startProblem('backup_damaged', `Backup ${id} cannot be used: ${problem}.`)
}

/** The user that runs PostgreSQL for a cluster: another one where root restores. */
export async function userFor(existing: string | undefined): Promise<PostgresUser | undefined> {
  return process.getuid?.() === 0 ? unprivilegedUser(existing) : undefined
}

/** Makes a scratch directory in which PostgreSQL can work. */
export async function makeScratch(user: PostgresUser | undefined): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'bourse-verify-'))
  await giveTo(user, directory)
  return directory
}

/** Makes the directory in which a cluster is restored, apart from its later place. */
export async function makeDraft(directory: string, user: PostgresUser | undefined): Promise<void> {
  await mkdir(directory, { mode: 0o700 })
  await giveTo(user, directory)
  if (!user || (await canEnter(directory, user))) return
  await removeDirectory(directory)
  throw refused(
    `PostgreSQL runs as user ${user.name}, who cannot reach ${directory}. Give that user search permission ` +
      '(chmod o+x) on the directories above it, or run the restore as the user that runs PostgreSQL.',
  )
}

async function giveTo(user: PostgresUser | undefined, directory: string): Promise<void> {
  if (user) await chown(directory, user.uid, user.gid)
}

/** Recovers a backup in a directory. The cluster runs until it is disposed of. */
export async function recoverIn(
  directory: string,
  { record, user }: { readonly record: BackupRecord; readonly user: PostgresUser | undefined },
  request: RecoveryRequest,
): Promise<RecoveredCluster> {
  const { store, target, print } = request
  const { postgres_major: major } = record.database
  const programs = { major, directory: request.postgres_bin, user, copies: join(directory, 'programs'), log: print }
  const binaries = await findRestorePrograms(programs)
  const { timeline, missing } = target === 'consistent' ? atItsEnd(record) : await readWay(record, request)
  if (missing !== undefined && target === 'latest') throw gap(missing, store, record)
  return recoverCluster({ store, record, target, timeline, directory, binaries, user, log: print }).catch((error) => {
    throw missing !== undefined && isStartProblem(error, 'restore_failed') ? gap(missing, store, record) : error
  })
}

type Way = { readonly timeline: string; readonly missing: string | undefined }

function atItsEnd({ timeline }: BackupRecord): Way {
  return { timeline: String(timeline), missing: undefined }
}

/** The timeline to follow, and the first segment on its way that the archive lacks. */
async function readWay(record: BackupRecord, { store, timeline: wanted }: RecoveryRequest): Promise<Way> {
  const { system_identifier, segment_bytes } = record.database
  const names = new Set((await listArchive(store, system_identifier)).keys())
  const timeline = wanted ?? newestTimeline(record.timeline, names)
  const history = timeline === 1 ? undefined : await readArchived(store, system_identifier, historyName(timeline))
  if (timeline !== record.timeline && !history) {
    throw refused(`The archive in ${store.location} has no history of timeline ${timeline}.`)
  }
  const steps = timelineSteps(timeline, history?.toString('utf8') ?? '')
  const from = parseLsn(record.end_lsn)
  const own = steps.findIndex((step) => step.timeline === record.timeline)
  const { until_lsn } = steps[own] ?? {}
  if (own < 0 || (until_lsn !== undefined && until_lsn < from)) {
    throw refused(
      `Timeline ${timeline} left timeline ${record.timeline} before the end of backup ${record.id}, so it does not ` +
        'lead on from it. Choose an earlier or a later backup, or another --timeline.',
    )
  }
  return { timeline: String(timeline), missing: findMissingSegment(names, steps.slice(own), { from, segment_bytes }) }
}

/** The newest timeline as PostgreSQL looks for it: the last one that follows without a gap. */
function newestTimeline(first: number, names: ReadonlySet<string>): number {
  let newest = first
  while (names.has(historyName(newest + 1))) newest += 1
  return newest
}

function gap(name: string, store: BackupStore, { database, ended_at }: BackupRecord): Error {
  return startProblem(
    'restore_failed',
    `The archive in ${store.location} lacks the segment ${name} of system ${database.system_identifier}, and has ` +
      `later ones. Everything from it on is lost. Restore to a time before it, from ${ended_at} on.`,
  )
}

/** The problem of a restore that cannot begin. */
export function refused(message: string): Error {
  return startProblem('restore_refused', message)
}

/**
 * Ends PostgreSQL and removes a scratch or draft directory also where a signal ends the program, until disposal.
 * PostgreSQL runs in a session of its own, so a Ctrl-C alone would leave it running on a copy of the database.
 */
export function removeOnExit(directory: string): Disposable {
  const remove = () => {
    try {
      const pid = Number(readFileSync(join(directory, 'cluster/postmaster.pid'), 'utf8').split('\n', 1)[0])
      // A file that is being written has no number yet, and 0 would mean this program.
      if (pid > 1) process.kill(pid, 'SIGQUIT')
    } catch {
      // It does not run.
    }
    // PostgreSQL may still write while it ends.
    rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
  const end = (signal: NodeJS.Signals) => {
    remove()
    // Not listened for any more: it ends the program as it would have.
    process.kill(process.pid, signal)
  }
  process.once('exit', remove)
  process.once('SIGTERM', end)
  return {
    [Symbol.dispose]: () => {
      process.off('exit', remove)
      process.off('SIGTERM', end)
    },
  }
}

/** Removes a scratch or draft directory, with all that is in it. */
export async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true })
}
