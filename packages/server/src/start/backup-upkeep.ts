/** Lists and removes backups, and moves files of the log into and out of the archive. */
import type { Environment } from '@bourse/text/program.ts'
import { isRunning, listBackups } from '../core/backup/backup-list.ts'
import { backupsToRemove, recordName } from '../core/backup/backup-record.rules.ts'
import type { BackupStore } from '../core/backup/backup-store.ts'
import { openBackupStore } from '../core/backup/open-store.ts'
import { archiveWal, fetchWal, listArchiveFiles } from '../core/backup/wal-archive.ts'
import { filesBefore, parseLsn } from '../core/backup/wal-files.rules.ts'
import { wallMilliseconds } from '../core/base/clock.ts'
import { startProblem } from '../core/base/start-problem.ts'

/** A backup, as `bourse backup list` shows it. */
type BackupSummary = {
  readonly object: 'backup'
  readonly id: string
  readonly state: 'complete' | 'unusable'
  readonly ended_at: string | null
  readonly size_bytes: number
  readonly postgres_version: string | null
  readonly schema: number | null
  readonly system_identifier: string | null
  readonly timeline: number | null
  readonly problem: string | null
}

/** The backups of a location, oldest first. */
export async function summarizeBackups(variables: Environment, location: string): Promise<BackupSummary[]> {
  const all = await listBackups(await openBackupStore(location, variables))
  return all.map(({ id, record, problem, files }) => ({
    object: 'backup',
    id,
    state: record ? 'complete' : 'unusable',
    ended_at: record?.ended_at ?? null,
    size_bytes: files.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
    postgres_version: record?.database.postgres_version ?? null,
    schema: record?.database.schema ?? null,
    system_identifier: record?.database.system_identifier ?? null,
    timeline: record?.timeline ?? null,
    problem: problem ?? null,
  }))
}

/**
 * Removes all but the newest backups of each system, incomplete ones that are older than the newest complete one and no
 * longer run, and the archived log that none of the rest needs. Refuses to keep none.
 */
export async function pruneBackups(
  variables: Environment,
  { location, keep }: { readonly location: string; readonly keep: number },
): Promise<{ readonly backups: string[]; readonly log_files: number; readonly kept: number }> {
  const store = await openBackupStore(location, variables)
  const all = await listBackups(store)
  const complete = all.flatMap(({ record }) => record ?? [])
  if (complete.length === 0) throw startProblem('backup_refused', `There is no complete backup in ${location}.`)
  const bySystem = Map.groupBy(complete, ({ database }) => database.system_identifier)
  const surplus = [...bySystem.values()].flatMap((records) => {
    return backupsToRemove(
      records.map(({ id }) => id),
      keep,
    )
  })
  const newest = complete.at(-1)?.id ?? ''
  const broken: string[] = []
  for (const { id, record } of all) {
    if (!record && id < newest && !(await isRunning(store, id, wallMilliseconds()))) broken.push(id)
  }
  const removed = [...surplus, ...broken].sort()
  for (const { id, files } of all) if (removed.includes(id)) await removeBackup(store, id, files)
  const kept = complete.filter(({ id }) => !removed.includes(id))
  let log_files = 0
  for (const [system, records] of Map.groupBy(kept, ({ database }) => database.system_identifier)) {
    const oldest = records.reduce((one, other) => (parseLsn(other.start_lsn) < parseLsn(one.start_lsn) ? other : one))
    const archive = await listArchiveFiles(store, system)
    const old = new Set(filesBefore([...archive.keys()], parseLsn(oldest.start_lsn), oldest.database.segment_bytes))
    for (const [name, { path }] of archive) if (old.has(name)) await store.remove(path)
    log_files += old.size
  }
  return { backups: removed, log_files, kept: kept.length }
}

/** The record first: without it what is left is no backup. */
async function removeBackup(
  store: BackupStore,
  id: string,
  files: readonly { readonly path: string }[],
): Promise<void> {
  await store.remove(`${id}/${recordName}`)
  for (const { path } of files) await store.remove(path)
}

/** Archives a file of the log, for `archive_command`. */
export async function archiveLogFile(
  variables: Environment,
  { location, path, name }: { readonly location: string; readonly path: string; readonly name: string },
): Promise<void> {
  await archiveWal(await openBackupStore(location, variables), path, name)
}

/** Fetches a file of the log, for `restore_command`; false where the archive has none of this name. */
export async function fetchLogFile(
  variables: Environment,
  { location, path, name }: { readonly location: string; readonly path: string; readonly name: string },
): Promise<boolean> {
  return fetchWal(await openBackupStore(location, variables), name, path)
}
