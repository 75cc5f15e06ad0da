/** Proves that a backup can be restored: restores it apart, runs the audits, and compares what it contains. */
import type { Environment } from '@bourse/text/program.ts'
import { readDatabaseTarget } from '../config.ts'
import type { BackupRecord } from '../core/backup/backup-record.rules.ts'
import { openBackupStore } from '../core/backup/open-store.ts'
import { type DatabaseTarget, describeTarget } from '../core/db/database-target.ts'
import { openDatabase } from '../core/db/db.ts'
import { keyVariables, readKeyFiles } from '../core/keys/key-files.ts'
import { describeKeys, missingKeys } from '../core/keys/key-names.ts'
import { readOnSnapshot } from '../core/work/auditor.ts'
import { readContentFigures } from '../process/backup-contents.store.ts'
import { recordVerification } from '../process/backups.store.ts'
import { backupRow, compareContents } from './backup-contents.rules.ts'
import { checkContents, type DoctorCheck } from './doctor.ts'
import {
  makeScratch,
  type RecoveryRequest,
  recoverIn,
  removeDirectory,
  removeOnExit,
  requireBackup,
  userFor,
} from './recovered-backup.ts'

type BackupVerifyOptions = {
  readonly location: string
  readonly id: string | undefined
  readonly postgres_bin: string | undefined
}

/** A verified backup and its checks. Where none is a violation, the backup is good. */
type BackupVerification = { readonly record: BackupRecord; readonly checks: readonly DoctorCheck[] }

/** Verifies a backup. Records the success where BOURSE_DATABASE_URL names the database of the backup. */
export async function verifyBackup(
  variables: Environment,
  { location, id, postgres_bin }: BackupVerifyOptions,
  print: (line: string) => void,
): Promise<BackupVerification> {
  const store = await openBackupStore(location, variables)
  const request: RecoveryRequest = { store, id, postgres_bin, target: 'consistent', timeline: undefined, print }
  const record = await requireBackup(request)
  const user = await userFor(undefined)
  const directory = await makeScratch(user)
  using _removal = removeOnExit(directory)
  try {
    await using recovered = await recoverIn(directory, { record, user }, request)
    const keys = await checkKeyNames(variables, record)
    const checks = [...(await checkRecovered(recovered.target, record)), ...keys]
    const isGood = checks.every(({ status }) => status !== 'violation')
    if (isGood) await recordSuccess(variables, { record, location: store.location }, print)
    return { record, checks }
  } finally {
    await removeDirectory(directory)
  }
}

async function checkRecovered(target: DatabaseTarget, record: BackupRecord): Promise<DoctorCheck[]> {
  await using database = openDatabase(target, { connections_max: 1 })
  const { contents } = record
  const found = await readOnSnapshot(database, (db) => readContentFigures(db, contents))
  const different = compareContents(contents, found)
  const same =
    contents.event_positions === null || found.event_positions === null
      ? 'the sums of the ledger are those of the backup; positions of events cannot be compared over the end of a day'
      : 'the sums of the ledger and the positions of events are those of the backup'
  const compared: DoctorCheck[] =
    different.length === 0
      ? [check('contents', 'ok', same)]
      : different.map((message) => check('contents', 'violation', message))
  return [...compared, ...(await checkContents(database))]
}

/** Compares the names of keys, where the settings name key files and the backup has names. */
async function checkKeyNames(variables: Environment, { keys }: BackupRecord): Promise<DoctorCheck[]> {
  const paths = {
    signing: variables[keyVariables.signing],
    master: variables[keyVariables.master],
    cursor: variables[keyVariables.cursor],
  }
  if (!keys) return [check('keys', 'skipped', 'the backup names no keys: create it with --keys DIRECTORY')]
  const { signing, master, cursor } = paths
  if (!signing || !master || !cursor) {
    return [check('keys', 'skipped', 'set the variables of the key files to see whether they belong to the backup')]
  }
  const missing = missingKeys(keys, describeKeys(await readKeyFiles({ signing, master, cursor }, { production: true })))
  if (missing.length === 0) return [check('keys', 'ok', 'the key files have all keys of the backup')]
  const message = `the key files lack ${missing.join(', ')}: what these keys signed and encrypted is lost with them`
  return [check('keys', 'violation', message)]
}

async function recordSuccess(
  variables: Environment,
  { record, location }: { readonly record: BackupRecord; readonly location: string },
  print: (line: string) => void,
): Promise<void> {
  if (!variables.BOURSE_DATABASE_URL) {
    return print('BOURSE_DATABASE_URL is not set, so metrics and the doctor do not learn of this verification.')
  }
  const target = readDatabaseTarget(variables)
  try {
    await using database = openDatabase(target, { connections_max: 1 })
    await recordVerification(database.reader, backupRow(record, location))
  } catch (error) {
    print(`The verification is not recorded in the ${describeTarget(target)}: ${(error as Error).message}`)
  }
}

function check(name: string, status: DoctorCheck['status'], message: string): DoctorCheck {
  return { object: 'check', name, status, message, remedy: null, rows: [] }
}
