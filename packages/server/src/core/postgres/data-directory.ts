/**
 * Locks the data directory for one server at a time: a file in it names the process that holds it. The lock of a killed
 * process is taken over; a live process is named in the error. Not detected: a holder in another process namespace (two
 * containers on one volume), because its process number means nothing here.
 */
import { chmod, link, lstat, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCryptoRandom } from '../base/random.ts'
import { startProblem } from '../base/start-problem.ts'
import { processIdentity } from './process-identity.ts'

type DataDirectory = AsyncDisposable & { /** Absolute, without symbolic links. */ readonly path: string }

type DirectoryHolder = { readonly pid: number; readonly started: string; readonly nonce: string }

export const lockFile = 'bourse.pid'

/**
 * Creates the data directory if it is missing (mode 0700), restricts the mode of an existing one that Bourse created,
 * and takes its lock. Throws data_directory_held with the holder's pid, data_directory_unsafe, no_permission or
 * disk_full.
 */
export async function lockDataDirectory(dataDirectory: string): Promise<DataDirectory> {
  const path = await makePrivateDirectory(dataDirectory)
  const mine: DirectoryHolder = {
    pid: process.pid,
    started: processIdentity(process.pid) ?? 'unknown',
    nonce: newNonce(),
  }
  try {
    await acquire(join(path, lockFile), mine, path)
  } catch (error) {
    throw explainFileError(error, path)
  }
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      const file = join(path, lockFile)
      if (nonceOf(await readHolder(file)) === mine.nonce) await rm(file, { force: true })
    },
  }
}

/** Finds the process that holds a data directory. */
export async function dataDirectoryHolder(dataDirectory: string): Promise<{ readonly pid: number } | undefined> {
  const holder = await readHolder(join(dataDirectory, lockFile))
  return typeof holder === 'object' && isAlive(holder) ? { pid: holder.pid } : undefined
}

async function makePrivateDirectory(directory: string): Promise<string> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const path = await realpath(directory)
    const stat = await lstat(path)
    const mode = stat.mode & 0o7777
    // postgres-place.ts sets group search (0710) where it runs PostgreSQL under another user.
    if ((mode & 0o7067) === 0) return path
    const entries = await readdir(path)
    const uid = process.getuid?.()
    if (uid !== 0 && stat.uid !== uid) throw noPermission(path)
    // A sticky bit means a directory for all users, such as /tmp.
    const shared = (mode & 0o1000) !== 0
    if (!shared && (entries.length === 0 || entries.includes(lockFile) || entries.includes('postgres'))) {
      await chmod(path, mode & 0o710)
      return path
    }
    // Restricting a directory with other files (a home directory, /tmp) would break its other uses.
    throw startProblem(
      'data_directory_unsafe',
      `The data directory ${path} is accessible to other users and contains files that are not Bourse's. ` +
        'Set BOURSE_DATA_DIR to a new or empty directory of your own, or run `chmod 700` on this one.',
    )
  } catch (error) {
    throw explainFileError(error, directory)
  }
}

async function acquire(file: string, mine: DirectoryHolder, dataDirectory: string): Promise<void> {
  // Written to a draft and linked into place, so that no process reads an incomplete lock file.
  const draft = `${file}.${mine.nonce}.new`
  await writeFile(draft, JSON.stringify(mine), { mode: 0o600, flag: 'wx' })
  try {
    for (;;) {
      if (await linkIfFree(draft, file)) return
      const holder = await readHolder(file)
      if (holder === 'missing') continue
      if (holder !== 'unreadable' && isAlive(holder)) throw heldError(holder, dataDirectory)
      // Several processes may find the same stale lock. Only the one that takes the guard lock may replace it.
      const guard = `${file}.${nonceOf(holder)}`
      await acquire(guard, { ...mine, nonce: newNonce() }, dataDirectory)
      try {
        if (nonceOf(await readHolder(file)) === nonceOf(holder)) return await rename(draft, file)
      } finally {
        await rm(guard, { force: true })
      }
    }
  } finally {
    await rm(draft, { force: true })
  }
}

async function linkIfFree(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function readHolder(file: string): Promise<DirectoryHolder | 'missing' | 'unreadable'> {
  try {
    const value = JSON.parse(await readFile(file, 'utf8')) as Partial<DirectoryHolder> | null
    const whole =
      Number.isInteger(value?.pid) && typeof value?.started === 'string' && /^[0-9a-f]{16}$/.test(value.nonce ?? '')
    return whole ? (value as DirectoryHolder) : 'unreadable'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'unreadable'
  }
}

function newNonce(): string {
  return createCryptoRandom().bytes(8).toString('hex')
}

function nonceOf(holder: DirectoryHolder | 'missing' | 'unreadable'): string {
  return typeof holder === 'string' ? holder : holder.nonce
}

function isAlive(holder: DirectoryHolder): boolean {
  return holder.pid > 0 && processIdentity(holder.pid) === holder.started
}

function heldError(holder: { pid: number }, dataDirectory: string): Error {
  return startProblem(
    'data_directory_held',
    `Another Bourse server (pid ${holder.pid}) is running on the data directory ${dataDirectory}. ` +
      'Stop it first, or set BOURSE_DATA_DIR to another directory.',
  )
}

/** Converts an error of the file system in the data directory to a start problem; returns other errors unchanged. */
export function explainFileError(error: unknown, directory: string): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return startProblem(
      'disk_full',
      `The disk of the data directory ${directory} is full. Free some space and start Bourse again.`,
      error,
    )
  }
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS' ? noPermission(directory, error) : error
}

function noPermission(directory: string, cause?: unknown): Error {
  return startProblem(
    'no_permission',
    `This user may not write to the data directory ${directory}. Change its owner to the user that runs Bourse, ` +
      'or set BOURSE_DATA_DIR to another directory.',
    cause,
  )
}
