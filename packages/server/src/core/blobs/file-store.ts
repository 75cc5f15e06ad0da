/**
 * Bytes in files: one directory for each image and one file for each part, written once and never changed. An image is
 * read from its parts in sequence, so completing an upload copies nothing. The database decides about permissions and
 * owners; a file without a row is garbage.
 */
import { type FileHandle, mkdir, open, readdir, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Log } from '../base/log.ts'
import { storeUnavailable } from './blob-problem.ts'
import type { DigestSource } from './digest.ts'
import type { StoreOwner } from './store-owner.ts'

/** An image store of files. */
export type FileStore = {
  readonly kind: 'files'
  /** Writes a new file; returns its number of bytes. Removes the file where the write fails. */
  write(place: FilePlace, bytes: AsyncIterable<Buffer>, look: (chunk: Buffer) => void): Promise<number>
  /** Reads files in sequence: `length` bytes from `start` on. */
  read(files: readonly StoredFile[], range: { start: number; length: number }): AsyncIterable<Buffer>
  /** Where the bytes of files are, in sequence. */
  digestSource(files: readonly FilePlace[]): DigestSource
  /** Removes a file, if it exists. */
  remove(place: FilePlace): Promise<void>
  /** Lists the directories. Their names should be ids of images, which is not checked. */
  listImages(): Promise<string[]>
  listFiles(imageId: string): Promise<string[]>
  /** Removes the directory of an image, if it is empty. */
  tidyUp(imageId: string): Promise<void>
}

/** The address of a file. */
type FilePlace = { readonly image_id: string; readonly file: string }
/** An existing file and its size. */
type StoredFile = FilePlace & { readonly size_bytes: number }

const chunkBytes = 256 * 1024
const zeros = Buffer.alloc(4096)
const fullCodes = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** Opens the store. The directory is created with the first file. */
export function createFileStore(directory: string, { installation_id, log }: StoreOwner): FileStore {
  const root = join(directory, installation_id)
  const at = ({ image_id, file }: FilePlace) => join(root, image_id, file)
  return {
    kind: 'files',
    write: (place, bytes, look) => writeFile(join(root, place.image_id), at(place), { bytes, look, log }),
    read: (files, range) => readFiles(files, range, at),
    digestSource: (files) => ({ kind: 'files', paths: files.map(at) }),
    remove: (place) => rm(at(place), { force: true }),
    listImages: () => namesIn(root),
    listFiles: (imageId) => namesIn(join(root, imageId)),
    tidyUp: async (imageId) => {
      await rmdir(join(root, imageId)).catch((error) => ignore(error, ['ENOENT', 'ENOTEMPTY', 'EEXIST']))
    },
  }
}

type ByteSource = { readonly bytes: AsyncIterable<Buffer>; readonly look: (chunk: Buffer) => void; readonly log: Log }

async function writeFile(directory: string, path: string, source: ByteSource): Promise<number> {
  try {
    const handle = await openNew(directory, path)
    try {
      const sizeBytes = await copy(handle, source)
      await handle.sync()
      return sizeBytes
    } catch (error) {
      await rm(path, { force: true })
      throw error
    } finally {
      await handle.close()
      // Makes the directory entry as durable as the bytes.
      await syncDirectory(directory)
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!fullCodes.includes(code)) throw error
    source.log.error({ directory, code }, 'The disk of the image store is full. Uploads fail until there is space.')
    throw storeUnavailable('The image store is full. The operator has to free some space.')
  }
}

/** Opens a new file. Retries, because a concurrent `tidyUp` may remove the directory while it is still empty. */
async function openNew(directory: string, path: string): Promise<FileHandle> {
  for (let tries = 3; ; tries--) {
    const made = await mkdir(directory, { recursive: true, mode: 0o700 })
    if (made !== undefined) await syncDirectory(dirname(made))
    try {
      return await open(path, 'wx', 0o600)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === 0) throw error
    }
  }
}

/** Copies the bytes and skips chunks of zeros: a sparse file reads as zeros there and uses no space for them. */
async function copy(handle: FileHandle, { bytes, look }: ByteSource): Promise<number> {
  let sizeBytes = 0
  for await (const chunk of bytes) {
    look(chunk)
    if (!isZero(chunk)) await writeWhole(handle, chunk, sizeBytes)
    sizeBytes += chunk.length
  }
  await handle.truncate(sizeBytes)
  return sizeBytes
}

function isZero(chunk: Buffer): boolean {
  for (let at = 0; at < chunk.length; at += zeros.length) {
    const some = chunk.subarray(at, at + zeros.length)
    if (!some.equals(zeros.subarray(0, some.length))) return false
  }
  return true
}

async function writeWhole(handle: FileHandle, chunk: Buffer, at: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    done += (await handle.write(chunk, done, chunk.length - done, at + done)).bytesWritten
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory).catch((error) => ignore(error, ['ENOENT']))
  await handle?.sync()
  await handle?.close()
}

async function* readFiles(
  files: readonly StoredFile[],
  { start, length }: { start: number; length: number },
  at: (place: FilePlace) => string,
): AsyncGenerator<Buffer> {
  let [skip, left] = [start, length]
  for (const file of files) {
    const from = Math.min(skip, file.size_bytes)
    skip -= from
    const wanted = Math.min(left, file.size_bytes - from)
    if (wanted > 0) yield* readFile(at(file), from, wanted)
    left -= wanted
  }
}

async function* readFile(path: string, from: number, length: number): AsyncGenerator<Buffer> {
  await using handle = await open(path)
  for (let done = 0; done < length; ) {
    const size = Math.min(chunkBytes, length - done)
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(size), 0, size, from + done)
    if (bytesRead === 0) throw new Error(`${path} is shorter than the size in its row.`)
    yield buffer.subarray(0, bytesRead)
    done += bytesRead
  }
}

async function namesIn(directory: string): Promise<string[]> {
  return (await readdir(directory).catch((error) => ignore(error, ['ENOENT', 'ENOTDIR']))) ?? []
}

function ignore(error: NodeJS.ErrnoException, codes: readonly string[]): undefined {
  if (!codes.includes(error.code ?? '')) throw error
}
