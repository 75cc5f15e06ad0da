/** Backups in a directory. Its files are readable by their owner only. */
import { createReadStream } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createCryptoRandom } from '../base/random.ts'
import { type BackupStore, type StoredName, storeProblem, writeFrom } from './backup-store.ts'

/** Opens a directory. It is created with the first file. */
export function openDirectory(root: string): BackupStore {
  const reached = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === undefined || !('syscall' in (error as object))) throw error
      throw storeProblem(root, code === 'ENOSPC' ? 'the disk is full' : message, error)
    }
  }
  const orNothing = <T>(work: Promise<T>, nothing: T): Promise<T> =>
    work.catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return nothing
      throw error
    })
  return {
    location: root,
    write: (path, bytes) => {
      const publish = (draft: string) => rename(draft, join(root, path))
      return writeFrom(bytes, (some) => reached(() => writeDraft(join(root, path), some, publish)))
    },
    writeNew: async (path, bytes) => {
      const publish = (draft: string) => link(draft, join(root, path))
      try {
        await reached(() => writeDraft(join(root, path), once(bytes), publish))
        return true
      } catch (error) {
        if ((error as { cause?: NodeJS.ErrnoException }).cause?.code === 'EEXIST') return false
        throw error
      }
    },
    read: (path) =>
      reached(async () => {
        const found = await orNothing(stat(join(root, path)), undefined)
        return found?.isFile()
          ? (createReadStream(join(root, path), { highWaterMark: 2 ** 18 }) as AsyncIterable<Buffer>)
          : undefined
      }),
    list: (directory) =>
      reached(async () => {
        const at = join(root, directory)
        const entries = await orNothing(readdir(at, { withFileTypes: true }), [])
        const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
        const found = await Promise.all(
          names.sort().map(async (name): Promise<StoredName[]> => {
            const file = await orNothing(stat(join(at, name)), undefined)
            return file ? [{ path: `${directory}/${name}`, size_bytes: file.size }] : []
          }),
        )
        return found.flat()
      }),
    directories: () =>
      reached(async () => {
        const entries = await orNothing(readdir(root, { withFileTypes: true }), [])
        return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
      }),
    remove: (path) =>
      reached(async () => {
        await rm(join(root, path), { force: true })
        // The directory of a backup goes with its last file.
        await rmdir(dirname(join(root, path))).catch(() => {})
      }),
  }
}

const draftEnding = '.partial'

async function writeDraft(
  path: string,
  bytes: AsyncIterable<Buffer>,
  publish: (draft: string) => Promise<void>,
): Promise<void> {
  const directory = dirname(path)
  const made = await mkdir(directory, { recursive: true, mode: 0o700 })
  if (made !== undefined) await syncDirectory(dirname(made))
  const draft = `${path}.${createCryptoRandom().bytes(6).toString('hex')}${draftEnding}`
  try {
    await using handle = await open(draft, 'wx', 0o600)
    for await (const part of bytes) await handle.appendFile(part)
    await handle.sync()
    await publish(draft)
  } finally {
    await rm(draft, { force: true })
  }
  await syncDirectory(directory)
}

async function syncDirectory(directory: string): Promise<void> {
  await using handle = await open(directory)
  await handle.sync()
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
