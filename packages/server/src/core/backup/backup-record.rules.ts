/** What a backup says of itself: its file backup.json. It is written last, so its presence means completeness. */

import type { KeyNames } from '../keys/key-names.ts'

/** What the database contained at a snapshot, which every restore of the backup has to contain too. */
export type BackupContents = {
  /** The other members leave out what this transaction and later ones wrote. */
  readonly before_transaction: string
  /** The sums of each book. Amounts are decimal text of micro-dollars. */
  readonly ledger: readonly { readonly book: string; readonly rows: number; readonly amount_micros: string }[]
  /** The sum of the positions of all event logs. Decimal text; null where it could not be told. */
  readonly event_positions: string | null
  /** The day on which they were read. */
  readonly day: string
  readonly images: number
}

/** A file of a backup. */
export type BackupFile = { readonly name: string; readonly size_bytes: number; readonly sha256: string }

/** The file backup.json. Times are ISO 8601 in UTC. */
export type BackupRecord = {
  readonly object: 'backup'
  readonly format: number
  readonly id: string
  readonly program: { readonly version: string; readonly commit: string | null }
  readonly database: {
    readonly system_identifier: string
    readonly postgres_version: string
    readonly postgres_major: number
    readonly name: string
    readonly owner: string
    readonly segment_bytes: number
    readonly installation_id: string
    readonly history: number
    readonly schema: number
    /** The oldest program, by its schema, that works with the schema. */
    readonly serves: number
  }
  readonly timeline: number
  readonly start_lsn: string
  readonly end_lsn: string
  readonly started_at: string
  readonly ended_at: string
  readonly files: readonly BackupFile[]
  readonly contents: BackupContents
  /** Null where no key files were named. */
  readonly keys: KeyNames | null
}

/** The format that this program writes. It reads no newer one. */
export const backupFormat = 1
/** The name of the record in the directory of a backup. */
export const recordName = 'backup.json'
/** The name of the file by which a backup that runs has its directory. */
export const claimName = 'claim'
/** How often a backup that runs renews its claim. */
export const claimRenewMilliseconds = 60_000
/** A claim that was not renewed for so long is one of a backup that was interrupted. */
const claimEndMilliseconds = 15 * 60_000
/** More than any record has. */
export const recordBytesMax = 2 ** 20
const idPattern = /^\d{8}T\d{6}Z$/

/** The id of a backup that begins at a time. */
export function backupIdAt(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

/** Whether text has the form of an id. */
export function isBackupId(text: string): boolean {
  return idPattern.test(text)
}

/** The text of a claim that is renewed at a time. */
export function claimText(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString()}\n`
}

/** Whether a claim says that its backup still runs. Text without a time is a claim of nobody. */
export function isClaimed(text: string, now: number): boolean {
  const renewed = Date.parse(text.trim())
  return Number.isFinite(renewed) && now - renewed < claimEndMilliseconds
}

/** The bytes of all files of a backup, without its record. */
export function backupBytes({ files }: Pick<BackupRecord, 'files'>): number {
  return files.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
}

/** Reads a record; a sentence where it is none. */
export function parseRecord(text: string): BackupRecord | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'its backup.json is cut short or damaged'
  }
  const record = (value ?? {}) as Partial<BackupRecord>
  if (record.object !== 'backup' || typeof record.format !== 'number') return 'its backup.json is not one of a backup'
  if (record.format > backupFormat) {
    return `it has format ${record.format}, and this program reads format ${backupFormat}: use a newer program`
  }
  const { files, database, contents, id, end_lsn, ended_at, timeline } = record
  const isWhole =
    Array.isArray(files) &&
    typeof database?.system_identifier === 'string' &&
    typeof database.postgres_major === 'number' &&
    typeof contents?.before_transaction === 'string' &&
    typeof timeline === 'number' &&
    [id, end_lsn, ended_at].every((one) => typeof one === 'string') &&
    isBackupId(id as string)
  return isWhole ? (record as BackupRecord) : 'its backup.json lacks members'
}

/** The newest backup that ended at a time or before; a sentence where there is none. Times are ISO 8601. */
export function chooseBackup(records: readonly BackupRecord[], to: string | undefined): BackupRecord | string {
  const sorted = records.toSorted((a, b) => (a.ended_at < b.ended_at ? -1 : 1))
  const newest = sorted.at(-1)
  if (!newest) return 'there is no complete backup'
  if (to === undefined) return newest
  const found = sorted.findLast(({ ended_at }) => Date.parse(ended_at) <= Date.parse(to))
  const oldest = sorted[0]?.ended_at
  return found ?? `the oldest backup ended at ${oldest}, which is after ${to}: no earlier time can be restored`
}

/** Why a restore has to name its backup: a location may have those of several databases. Undefined if it need not. */
export function choiceProblem(records: readonly BackupRecord[]): string | undefined {
  const systems = new Set(records.map(({ database }) => database.system_identifier))
  if (systems.size < 2) return undefined
  return `the backups are of ${systems.size} databases (systems ${[...systems].join(', ')}): name the backup by its id`
}

/** Why a backup cannot be restored to a time, or used by a program with this schema; undefined if it can. */
export function restoreProblem(record: BackupRecord, to: string | undefined, knownSchema: number): string | undefined {
  const { id, ended_at, database } = record
  if (database.serves > knownSchema) {
    return (
      `backup ${id} has schema ${database.schema}, which serves programs of schema ${database.serves} and newer, and ` +
      `this program has schema ${knownSchema}: use the program that made it, or a newer one`
    )
  }
  if (to !== undefined && Date.parse(to) < Date.parse(ended_at)) {
    return `backup ${id} ended at ${ended_at}, which is after ${to}: choose an earlier backup`
  }
  return undefined
}

/** The ids to remove so that the newest `keep` backups are left. */
export function backupsToRemove(ids: readonly string[], keep: number): string[] {
  return ids.toSorted().slice(0, Math.max(0, ids.length - keep))
}
