/**
 * Where backups and the archive of the log lie: a directory, or a prefix in an S3-compatible bucket. A file appears
 * under its name when it is complete and durable, and not before.
 * Not this file's work: what the files contain (backup-record.rules.ts, wal-archive.ts).
 */
import { startProblem } from '../base/start-problem.ts'

/** A stored file, by its path from the root of the store. */
export type StoredName = { readonly path: string; readonly size_bytes: number }

/** The files of one location. */
export type BackupStore = {
  /** The location for messages. */
  readonly location: string
  /** Writes a file; replaces one of the same name. */
  write(path: string, bytes: AsyncIterable<Buffer>): Promise<void>
  /** Writes a small file if its name is free; false if it is not. */
  writeNew(path: string, bytes: Buffer): Promise<boolean>
  /** The bytes of a file; undefined where there is none. */
  read(path: string): Promise<AsyncIterable<Buffer> | undefined>
  /** The files of a directory, by name, without what others write or remove meanwhile. */
  list(directory: string): Promise<StoredName[]>
  /** The names of the directories at the root. */
  directories(): Promise<string[]>
  /** Removes a file, if it exists. */
  remove(path: string): Promise<void>
}

/** Reads a whole file of limited size; undefined where there is none. */
export async function readWhole(store: BackupStore, path: string, bytesMax: number): Promise<Buffer | undefined> {
  const bytes = await store.read(path)
  if (!bytes) return undefined
  const parts: Buffer[] = []
  let length = 0
  for await (const part of bytes) {
    length += part.length
    if (length > bytesMax) throw storeProblem(store.location, `${path} is larger than it can be`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Writes bytes to a store. What breaks the bytes off is thrown as it is: it is no failure of the store. */
export async function writeFrom(
  bytes: AsyncIterable<Buffer>,
  write: (bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  let broken: { readonly error: unknown } | undefined
  async function* noted(): AsyncGenerator<Buffer> {
    try {
      yield* bytes
    } catch (error) {
      broken = { error }
      throw error
    }
  }
  try {
    await write(noted())
  } catch (error) {
    throw broken ? broken.error : error
  }
}

/** The problem of a location that cannot be read or written. */
export function storeProblem(location: string, message: string, cause?: unknown): Error {
  return startProblem('backup_store_failed', `The backups in ${location} cannot be used: ${message}.`, cause)
}
