/** The complete backups of a location, and those that are not. */
import {
  type BackupRecord,
  claimName,
  isBackupId,
  isClaimed,
  parseRecord,
  recordBytesMax,
  recordName,
} from './backup-record.rules.ts'
import { type BackupStore, readWhole, type StoredName } from './backup-store.ts'

/** A backup of a location: its record, or why it cannot be used. */
export type ListedBackup = {
  readonly id: string
  readonly record: BackupRecord | undefined
  readonly problem: string | undefined
  readonly files: readonly StoredName[]
}

/** Lists the backups, oldest first. One without backup.json is listed with its problem. */
export async function listBackups(store: BackupStore): Promise<ListedBackup[]> {
  const ids = (await store.directories()).filter(isBackupId).sort()
  return Promise.all(ids.map((id) => readBackup(store, id)))
}

/** Reads one backup, whether or not it exists. */
export async function readBackup(store: BackupStore, id: string): Promise<ListedBackup> {
  const files = await store.list(id)
  const text = await readWhole(store, `${id}/${recordName}`, recordBytesMax)
  if (!text) {
    const problem = 'it has no backup.json: it was interrupted, or still runs'
    return { id, record: undefined, problem, files }
  }
  const found = parseRecord(text.toString('utf8'))
  if (typeof found === 'string') return { id, record: undefined, problem: found, files }
  const problem = fileProblem(id, found, files)
  return { id, record: problem === undefined ? found : undefined, problem, files }
}

function fileProblem(id: string, record: BackupRecord, files: readonly StoredName[]): string | undefined {
  if (record.id !== id) return `its backup.json is the one of ${record.id}`
  for (const { name, size_bytes } of record.files) {
    const found = files.find(({ path }) => path === `${id}/${name}`)
    if (!found) return `its file ${name} is missing`
    if (found.size_bytes !== size_bytes)
      return `its file ${name} has ${found.size_bytes} bytes instead of ${size_bytes}`
  }
  return undefined
}

/** Whether a backup without a record still runs, by its claim. */
export async function isRunning(store: BackupStore, id: string, now: number): Promise<boolean> {
  const claim = await readWhole(store, `${id}/${claimName}`, recordBytesMax)
  return claim !== undefined && isClaimed(claim.toString('utf8'), now)
}
