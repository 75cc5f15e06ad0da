/**
 * The archive of the write-ahead log: one compressed file for each that PostgreSQL hands over, below the identifier of
 * its cluster, so that two clusters never mix.
 */
import { open, readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { startProblem } from '../base/start-problem.ts'
import { type BackupStore, readWhole, type StoredName, storeProblem } from './backup-store.ts'
import { archiveProblem, isArchivedName } from './wal-files.rules.ts'

/** PostgreSQL has segments of 1 GiB at most. */
const fileBytesMax = 2 ** 30
const ending = '.zst'

/**
 * Archives a file of the log, as `archive_command` asks for. Succeeds where the archive has the same already. Throws
 * archive_refused where it has another one of this name, or the file is not one of its cluster.
 */
export async function archiveWal(store: BackupStore, path: string, name: string): Promise<void> {
  if (!isArchivedName(name)) throw refused(`"${name}" is no name of a file of the log`)
  const systemIdentifier = await systemIdentifierBeside(path)
  const bytes = await readLimited(path)
  const problem = archiveProblem(name, bytes, systemIdentifier)
  if (problem !== undefined) throw refused(`${path} is not archived: ${problem}`)
  const stored = archivePath(systemIdentifier, name)
  if ((await readWhole(store, stored, fileBytesMax)) === undefined) {
    if (await store.writeNew(stored, zstdCompressSync(bytes))) return
  }
  const former = await readArchived(store, systemIdentifier, name)
  if (former?.equals(bytes)) return
  throw refused(
    `the archive in ${store.location} has another file ${name} of this system. A second cluster archives to it, such ` +
      'as a restored copy or a replaced primary. Stop that one, or give it another location',
  )
}

/** A file of the archive; undefined where it has none of this name. Throws where the file is damaged. */
export async function readArchived(
  store: BackupStore,
  systemIdentifier: string,
  name: string,
): Promise<Buffer | undefined> {
  if (!isArchivedName(name)) return undefined
  const path = archivePath(systemIdentifier, name)
  const stored = await readWhole(store, path, fileBytesMax)
  if (!stored) return undefined
  const bytes = decompress(stored)
  const problem = bytes ? archiveProblem(name, bytes, systemIdentifier) : 'it is damaged'
  if (problem !== undefined || !bytes) throw storeProblem(store.location, `${path}: ${problem}`)
  return bytes
}

/** Writes a file of the archive where `restore_command` asks for it; false where the archive has none of this name. */
export async function fetchWal(store: BackupStore, name: string, path: string): Promise<boolean> {
  const bytes = await readArchived(store, await systemIdentifierBeside(path), name)
  if (!bytes) return false
  await using handle = await open(path, 'w', 0o600)
  await handle.writeFile(bytes)
  await handle.sync()
  return true
}

/** The files of the archive of a cluster, by PostgreSQL's names. */
export async function listArchive(store: BackupStore, systemIdentifier: string): Promise<Map<string, StoredName>> {
  const files = [...(await listArchiveFiles(store, systemIdentifier))]
  const named = files.map(([name, file]) => [name.slice(0, -ending.length), file] as const)
  return new Map(named.filter(([name]) => isArchivedName(name)))
}

/** All files in the archive of a cluster by their own names, with what an interrupted program has left. */
export async function listArchiveFiles(store: BackupStore, systemIdentifier: string): Promise<Map<string, StoredName>> {
  const directory = `wal/${systemIdentifier}`
  const files = await store.list(directory)
  return new Map(files.map((file) => [file.path.slice(directory.length + 1), file]))
}

function archivePath(systemIdentifier: string, name: string): string {
  return `wal/${systemIdentifier}/${name}${ending}`
}

function decompress(bytes: Buffer): Buffer | undefined {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: fileBytesMax })
  } catch {
    return undefined
  }
}

/** The control file of a cluster begins with its identifier, in every version. */
async function systemIdentifierBeside(path: string): Promise<string> {
  const control = join(dirname(dirname(resolve(path))), 'global/pg_control')
  try {
    await using handle = await open(control)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(8), 0, 8, 0)
    if (bytesRead === 8) return `${buffer.readBigUInt64LE(0)}`
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw refused(`${control} cannot be read`, error)
  }
  throw refused(`${path} is not in the directory pg_wal of a cluster. PostgreSQL runs this command there`)
}

async function readLimited(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path)
    if (size <= fileBytesMax) return await readFile(path)
  } catch (error) {
    throw refused(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`, error)
  }
  throw refused(`${path} has more than 1 GiB`)
}

function refused(message: string, cause?: unknown): Error {
  return startProblem('archive_refused', `${message.charAt(0).toUpperCase()}${message.slice(1)}.`, cause)
}
