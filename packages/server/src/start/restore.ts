/**
 * Restores a backup to a moment, as a cluster that begins a history of its own
 * (docs/decisions/163-physical-backups.md).
 */
import { readdir, rename, rmdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Environment } from '@bourse/text/program.ts'
import type { BackupRecord } from '../core/backup/backup-record.rules.ts'
import { openBackupStore } from '../core/backup/open-store.ts'
import type { RecoveredCluster } from '../core/backup/recovery.ts'
import { printLsn } from '../core/backup/wal-files.rules.ts'
import { isStartProblem } from '../core/base/start-problem.ts'
import { type Database, openDatabase } from '../core/db/db.ts'
import { findServer } from '../core/db/history.store.ts'
import { readSchemaState, schemaProblem } from '../core/migrations/schema-state.ts'
import { beginCursorHistory } from '../events/log/cursor-keys.service.ts'
import { beginHostHistory } from '../fleet/hosts/machines.service.ts'
import { endRestoredSessions } from '../iam/people/restored-sessions.service.ts'
import { countDoors } from '../process/backup-contents.store.ts'
import {
  knownSchema,
  makeDraft,
  type RecoveryRequest,
  recoverIn,
  refused,
  removeDirectory,
  removeOnExit,
  requireBackup,
  userFor,
} from './recovered-backup.ts'

type RestoreOptions = {
  readonly location: string
  readonly id: string | undefined
  /** ISO 8601, or "latest". */
  readonly to: string
  readonly data_directory: string
  readonly timeline: number | undefined
  readonly postgres_bin: string | undefined
  readonly revoke_tokens: boolean
}

/** What a restore led to. */
type RestoreReport = {
  readonly object: 'restore'
  readonly backup: string
  readonly data_directory: string
  /** The time of the last commit that was replayed after the backup; null where none was. */
  readonly last_commit_at: string | null
  readonly first_lost_commit_at: string | null
  readonly end_lsn: string
  readonly timeline: number
  /** The number of the history that began; null where the first server that starts begins it. */
  readonly history: number | null
  readonly sessions: number
  readonly sessions_ended: number
  readonly tokens: number
  readonly webhooks: number
}

/** Restores a backup into an empty directory. Until it is done, everything lies beside it, under another name. */
export async function restoreBackup(
  variables: Environment,
  options: RestoreOptions,
  print: (line: string) => void,
): Promise<RestoreReport> {
  const { location, id, to, timeline, postgres_bin } = options
  const data_directory = resolve(options.data_directory)
  const existing = await requireEmpty(data_directory)
  const store = await openBackupStore(location, variables)
  const target = to === 'latest' ? to : { time: to }
  const request: RecoveryRequest = { store, id, postgres_bin, target, timeline, print }
  const record = await requireBackup(request)
  const user = await userFor(existing)
  const draft = `${data_directory}.restoring`
  await claimDraft(draft, user)
  using _removal = removeOnExit(draft)
  try {
    print(`Restoring backup ${record.id} in ${draft}.`)
    const report = await restoreIn(draft, { record, user, options, data_directory }, request)
    if (existing !== undefined) await rmdir(data_directory)
    await rename(join(draft, 'cluster'), data_directory)
    return report
  } finally {
    await removeDirectory(draft)
  }
}

type RestorePlan = {
  readonly record: BackupRecord
  readonly user: Awaited<ReturnType<typeof userFor>>
  readonly options: RestoreOptions
  readonly data_directory: string
}

async function restoreIn(draft: string, plan: RestorePlan, request: RecoveryRequest): Promise<RestoreReport> {
  await using recovered = await recoverIn(draft, plan, request)
  await using database = openDatabase(recovered.target, {
    connections_max: 1,
    record_history: async (db) => {
      await beginCursorHistory(db, undefined)
      await beginHostHistory(db)
    },
  })
  return await completeRestore(database, { ...plan, recovered })
}

async function completeRestore(
  database: Database,
  { record, options, data_directory, recovered }: RestorePlan & { readonly recovered: RecoveredCluster },
): Promise<RestoreReport> {
  const history = await beginHistory(recovered, database)
  const sessions_ended = options.revoke_tokens ? await endRestoredSessions(database) : 0
  await using reading = openDatabase(recovered.target, { connections_max: 1 })
  const { timeline, flushed } = await findServer(reading.reader)
  const { last_commit_at, first_lost } = recovered.reached
  return {
    object: 'restore',
    backup: record.id,
    data_directory,
    last_commit_at: last_commit_at ?? null,
    first_lost_commit_at: first_lost?.at ?? null,
    end_lsn: printLsn(BigInt(flushed)),
    timeline,
    history,
    ...(await countDoors(reading.reader)),
    sessions_ended,
  }
}

/** A program of an older schema leaves the history to the first server, which migrates before. */
async function beginHistory({ target }: RecoveredCluster, database: Database): Promise<number | null> {
  await using plain = openDatabase(target, { connections_max: 1 })
  const state = await readSchemaState(plain.reader)
  if (schemaProblem(await knownSchema(), state) !== undefined) return null
  // The first read of a connection learns the history, and records the new one.
  await readSchemaState(database.reader)
  return database.history.number()
}

/** Throws restore_refused unless the directory is empty or does not exist. Returns it if it exists. */
async function requireEmpty(directory: string): Promise<string | undefined> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw refused(`${directory} cannot be used: ${error.code}.`)
  })
  if (!names) return undefined
  if (names.length === 0) return directory
  throw refused(`${directory} is not empty. A restore never touches a directory with files: name a new one.`)
}

async function claimDraft(draft: string, user: RestorePlan['user']): Promise<void> {
  try {
    await makeDraft(draft, user)
  } catch (error) {
    if (isStartProblem(error)) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') {
      throw refused(
        `${draft} exists: another restore runs, or one was interrupted. If none runs, remove that directory: what is ` +
          'in it is not complete.',
      )
    }
    const parent = dirname(draft)
    const isThere = await stat(parent).then(
      () => true,
      () => false,
    )
    throw refused(isThere ? `${parent} cannot be written: ${code}.` : `${parent} does not exist.`)
  }
}
