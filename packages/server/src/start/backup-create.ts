/** Makes a backup of a running production database: a copy of its files, and a record of what it contains. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import type { Environment } from '@bourse/text/program.ts'
import { pause } from '@bourse/text/time/pause.ts'
import { readDatabaseTarget } from '../config.ts'
import { readBackup } from '../core/backup/backup-list.ts'
import {
  type BackupFile,
  type BackupRecord,
  backupFormat,
  backupIdAt,
  claimName,
  claimRenewMilliseconds,
  claimText,
  recordName,
} from '../core/backup/backup-record.rules.ts'
import type { BackupStore } from '../core/backup/backup-store.ts'
import { type BaseCopy, type CopyConnection, type CopyEnds, openCopyConnection } from '../core/backup/base-copy.ts'
import { createManifestCheck } from '../core/backup/base-manifest.ts'
import { openBackupStore } from '../core/backup/open-store.ts'
import { baseName } from '../core/backup/recovery.ts'
import { wallMilliseconds } from '../core/base/clock.ts'
import { readProgramCommit } from '../core/base/program-root.ts'
import { startProblem } from '../core/base/start-problem.ts'
import { version } from '../core/base/version.ts'
import { type DatabaseTarget, describeTarget } from '../core/db/database-target.ts'
import { type Database, openDatabase } from '../core/db/db.ts'
import { type FoundServer, findServer } from '../core/db/history.store.ts'
import { keyPaths, readKeyFiles } from '../core/keys/key-files.ts'
import { describeKeys } from '../core/keys/key-names.ts'
import { readSchemaState } from '../core/migrations/schema-state.ts'
import { readOnSnapshot } from '../core/work/auditor.ts'
import {
  type DatabaseFacts,
  listStoredImages,
  readContentFigures,
  readDatabaseFacts,
} from '../process/backup-contents.store.ts'
import { recordBackup } from '../process/backups.store.ts'
import { backupRow } from './backup-contents.rules.ts'

type CreateOptions = {
  /** A directory, or s3://bucket/prefix. */
  readonly location: string
  /** The directory of the key files that the installation uses, whose public names are recorded. */
  readonly keys_directory: string | undefined
}

const manifestName = 'backup_manifest.zst'
const imagesName = 'images.jsonl'

/** Makes a backup of BOURSE_DATABASE_URL. What was written of one that fails is removed. */
export async function createBackup(
  variables: Environment,
  { location, keys_directory }: CreateOptions,
  print: (line: string) => void,
): Promise<BackupRecord> {
  await using stack = new AsyncDisposableStack()
  const target = readDatabaseTarget(variables)
  const store = await openBackupStore(location, variables)
  const keys = keys_directory === undefined ? null : describeKeys(await readKeysIn(keys_directory))
  const database = stack.use(openDatabase(target, { connections_max: 1 }))
  const server = await findServer(database.reader)
  const facts = await readFacts(database, target)
  const connection = stack.use(await connectToPrimary(target, server))
  const id = await claimId(store)
  const claim = renewClaim(store, id)
  const source = { database, target, server, facts, connection, store, id }
  const record = await writeBackup(source, keys)
    .finally(() => claim.end())
    .catch(async (error) => {
      await removeRest(store, id, print)
      throw error
    })
  // Beside a record a claim means nothing.
  await store.remove(`${id}/${claimName}`).catch(() => {})
  await recordBackup(database.reader, backupRow(record, store.location)).catch(({ message }: Error) => {
    print(`The backup is complete, and not recorded in the ${describeTarget(target)}: ${message}`)
  })
  return record
}

type BackupSource = {
  readonly database: Database
  readonly target: DatabaseTarget
  readonly server: FoundServer
  readonly facts: DatabaseFacts
  readonly connection: CopyConnection
  readonly store: BackupStore
  readonly id: string
}

/** Two backups of one second would have one id, and one that fails would remove the files of the other. */
async function claimId(store: BackupStore): Promise<string> {
  for (;;) {
    const id = backupIdAt(wallMilliseconds())
    const isFree = (await readBackup(store, id)).files.length === 0
    if (isFree && (await store.writeNew(`${id}/${claimName}`, Buffer.from(claimText(wallMilliseconds()))))) return id
    await pause(1000)
  }
}

/**
 * Renews the claim of a backup while it runs, so that `bourse backup prune` leaves it alone. A renewal that fails is
 * no failure of the backup, whose own writes say what is wrong with the store.
 */
function renewClaim(store: BackupStore, id: string): { end(): Promise<void> } {
  const ended = new AbortController()
  const renewing = (async () => {
    for (;;) {
      await pause(claimRenewMilliseconds, ended.signal)
      if (ended.signal.aborted) return
      await store.write(`${id}/${claimName}`, bytesOf(claimText(wallMilliseconds()))).catch(() => {})
    }
  })()
  return {
    end: async () => {
      ended.abort()
      await renewing
    },
  }
}

async function writeBackup(source: BackupSource, keys: BackupRecord['keys']): Promise<BackupRecord> {
  const { database, target, server, facts, connection, store, id } = source
  const { version: schema, serves } = await readSchemaState(database.reader)
  // Before the copy: it contains everything that was committed before its end.
  const figures = await readOnSnapshot(database, (db) => readContentFigures(db))
  const copied = await writeCopy(store, id, await connection.copy(id))
  const images = await writeImages(store, id, database)
  const ended = await readFacts(database, target)
  const record: BackupRecord = {
    object: 'backup',
    format: backupFormat,
    id,
    program: { version, commit: readProgramCommit() },
    database: {
      system_identifier: server.system_identifier,
      postgres_version: facts.postgres_version,
      postgres_major: facts.postgres_major,
      name: target.database,
      owner: target.user,
      segment_bytes: facts.segment_bytes,
      installation_id: facts.installation_id,
      history: server.number,
      schema,
      serves,
    },
    ...copied.ends,
    started_at: new Date(facts.now).toISOString(),
    ended_at: new Date(ended.now).toISOString(),
    files: [...copied.files, images.file],
    contents: { ...figures, images: images.count },
    keys,
  }
  await store.write(`${id}/${recordName}`, bytesOf(`${JSON.stringify(record, null, 2)}\n`))
  const { problem } = await readBackup(store, id)
  if (problem !== undefined) {
    const why =
      'Something removed or replaced files while it was made, such as a `bourse backup prune`. Make another one'
    throw startProblem('backup_damaged', `Backup ${id} cannot be used: ${problem}. ${why}.`)
  }
  return record
}

async function readFacts(database: Database, target: DatabaseTarget): Promise<DatabaseFacts> {
  const facts = await readDatabaseFacts(database.reader)
  if (facts) return facts
  throw startProblem('backup_refused', `The ${describeTarget(target)} belongs to no installation: nothing has used it.`)
}

/** Several servers may have the address of the database. The copy is of the one that the reads were of. */
async function connectToPrimary(target: DatabaseTarget, server: FoundServer): Promise<CopyConnection> {
  const { others = [], ...first } = target
  let refused: unknown
  for (const address of [{ host: first.host, port: first.port }, ...others]) {
    try {
      const connection = await openCopyConnection({ ...first, ...address })
      const found = await connection.identify()
      const isSame = found.system_identifier === server.system_identifier && found.timeline === server.timeline
      if (isSame && !found.is_standby) return connection
      await connection[Symbol.asyncDispose]()
    } catch (error) {
      refused ??= error
    }
  }
  throw refused ?? startProblem('backup_refused', `No address of the ${describeTarget(target)} is its primary.`)
}

async function writeCopy(
  store: BackupStore,
  id: string,
  copy: BaseCopy,
): Promise<{ readonly files: BackupFile[]; readonly ends: CopyEnds }> {
  const check = createManifestCheck()
  async function* archive(): AsyncGenerator<Buffer> {
    for await (const { kind, bytes } of copy.parts) {
      check[kind](bytes)
      if (kind === 'archive') yield bytes
    }
  }
  const base = await writeCompressed(store, `${id}/${baseName}`, archive())
  const manifest = await check.end()
  const listed = await writeCompressed(store, `${id}/${manifestName}`, bytesOf(manifest))
  return {
    files: [
      { name: baseName, ...base },
      { name: manifestName, ...listed },
    ],
    ends: await copy.ends,
  }
}

type WrittenBytes = Omit<BackupFile, 'name'>

async function writeCompressed(store: BackupStore, path: string, bytes: AsyncIterable<Buffer>): Promise<WrittenBytes> {
  let written: WrittenBytes | undefined
  await pipeline(Readable.from(bytes, { objectMode: false }), createZstdCompress(), async (compressed) => {
    written = await writeCounted(store, path, compressed)
  })
  if (!written) throw new Error(`${path} was not written.`)
  return written
}

async function writeCounted(store: BackupStore, path: string, bytes: AsyncIterable<Buffer>): Promise<WrittenBytes> {
  const sha256 = createHash('sha256')
  let size_bytes = 0
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const part of bytes) {
      sha256.update(part)
      size_bytes += part.length
      yield part
    }
  }
  await store.write(path, counted())
  return { size_bytes, sha256: sha256.digest('hex') }
}

/** The images whose bytes the database expects in the image store, one line of JSON each. */
async function writeImages(
  store: BackupStore,
  id: string,
  database: Database,
): Promise<{ readonly file: BackupFile; readonly count: number }> {
  let count = 0
  async function* lines(): AsyncGenerator<Buffer> {
    for await (const page of listStoredImages(database.reader)) {
      count += page.length
      yield Buffer.from(page.map((image) => `${JSON.stringify(image)}\n`).join(''))
    }
  }
  const written = await writeCounted(store, `${id}/${imagesName}`, lines())
  return { file: { name: imagesName, ...written }, count }
}

async function* bytesOf(content: string | Buffer): AsyncGenerator<Buffer> {
  yield Buffer.from(content)
}

async function removeRest(store: BackupStore, id: string, print: (line: string) => void): Promise<void> {
  try {
    for (const { path } of (await readBackup(store, id)).files) await store.remove(path)
  } catch {
    print(`What was written of backup ${id} could not be removed. \`bourse backup prune\` removes it.`)
  }
}

async function readKeysIn(directory: string): Promise<Awaited<ReturnType<typeof readKeyFiles>>> {
  return readKeyFiles(keyPaths(directory), { production: true })
}
