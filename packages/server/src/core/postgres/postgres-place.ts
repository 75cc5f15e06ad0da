/**
 * Decides which user runs the bundled PostgreSQL, and the paths of its cluster and its socket. PostgreSQL refuses to
 * run as root. A server that root starts therefore runs it as an unprivileged user, who may have no access to the data
 * directory.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { startProblem } from '../base/start-problem.ts'

export type PostgresUser = { readonly name: string; readonly uid: number; readonly gid: number }

export type PostgresPlace = {
  readonly data_directory: string
  /** Undefined means the user that runs the server. */
  readonly user: PostgresUser | undefined
  /** PostgreSQL's own data directory (PGDATA). */
  readonly cluster: string
  /** The directory for a copy of the programs. */
  readonly copies: string
  readonly log_file: string
}

/** A place with a socket directory. */
export type SettledPlace = PostgresPlace & { readonly socket_directory: string }

/** The directory for a cluster and programs that the unprivileged user could not reach in the data directory. */
export const systemDirectory = '/var/lib/bourse'
const recordFile = 'postgres.json'
// sun_path has 108 bytes on Linux and 104 on macOS, with a terminating zero. PostgreSQL refuses longer paths.
const socketPathMax = process.platform === 'darwin' ? 103 : 107
export const socketName = '.s.PGSQL.5432'

/** `data_directory` is a real path; `system_directory` is used by root only. */
type PlaceOptions = { data_directory: string; system_directory: string; log: (message: string) => void }

type PlaceRecord = { readonly cluster?: string; readonly socket_directory?: string }

/** Decides the path of a data directory's cluster and the user that runs it. */
export async function choosePlace(options: PlaceOptions): Promise<PostgresPlace> {
  const { data_directory, system_directory } = options
  const asRoot = process.getuid?.() === 0
  const record = await readRecord(data_directory)
  const { cluster, user } = asRoot ? await placeForRoot(options, record) : placeInside(data_directory, record)
  return {
    data_directory,
    user,
    cluster,
    copies: asRoot ? join(system_directory, 'bin') : join(data_directory, 'postgres-bin'),
    log_file: join(data_directory, 'postgres.log'),
  }
}

/** Chooses the socket directory (the given one, the recorded one or a new one) and records it in the data directory. */
export async function settleSocket(place: PostgresPlace, running?: string): Promise<SettledPlace> {
  const { data_directory, cluster, user } = place
  const socket_directory = running ?? (await makeSocketDirectory(await recordedSocketDirectory(data_directory), user))
  await writeFile(join(data_directory, recordFile), `${JSON.stringify({ cluster, socket_directory })}\n`, {
    mode: 0o600,
  })
  return { ...place, socket_directory }
}

/** Removes the socket directory of a stopped PostgreSQL. */
export async function removeSocket(place: SettledPlace): Promise<void> {
  await rm(place.socket_directory, { recursive: true, force: true })
}

/** Reads the socket directory that a server recorded in its data directory. */
export async function recordedSocketDirectory(data_directory: string): Promise<string | undefined> {
  return (await readRecord(data_directory)).socket_directory
}

async function readRecord(data_directory: string): Promise<PlaceRecord> {
  try {
    const value = JSON.parse(await readFile(join(data_directory, recordFile), 'utf8')) as Record<string, unknown> | null
    const { cluster, socket_directory } = value ?? {}
    return {
      ...(typeof cluster === 'string' ? { cluster } : {}),
      ...(typeof socket_directory === 'string' ? { socket_directory } : {}),
    }
  } catch {
    return {}
  }
}

function placeInside(data_directory: string, record: PlaceRecord): { cluster: string; user: undefined } {
  const cluster = join(data_directory, 'postgres')
  const elsewhere = record.cluster !== undefined && basename(record.cluster) !== 'postgres'
  if (!elsewhere || existsSync(cluster)) return { cluster, user: undefined }
  // A new and empty database would look like a loss of all data.
  throw startProblem(
    'no_permission',
    `The database of ${data_directory} is in ${record.cluster}, because root started it first. ` +
      'Start it as root again, or set BOURSE_DATA_DIR to a new directory.',
  )
}

async function placeForRoot(
  { data_directory, system_directory, log }: PlaceOptions,
  record: PlaceRecord,
): Promise<{ cluster: string; user: PostgresUser }> {
  const inside = join(data_directory, 'postgres')
  const outside = join(system_directory, createHash('sha256').update(data_directory).digest('hex').slice(0, 16))
  // A data directory that was moved keeps its cluster: the record has its path, while the hash of the new path differs.
  const existing = [inside, record.cluster, outside].find((path) => path && existsSync(join(path, 'PG_VERSION')))
  const user = await unprivilegedUser(existing)
  if (existing !== inside && existing !== undefined) return { cluster: existing, user }
  if (await grantTraversal(data_directory, user)) {
    if (!existing) log(`PostgreSQL does not run as root: it runs as user ${user.name}.`)
    return { cluster: inside, user }
  }
  if (existing) {
    throw startProblem(
      'no_permission',
      `PostgreSQL runs as user ${user.name}, who cannot reach its files in ${inside}. ` +
        `Give that user search permission (chmod o+x) on the directories above it.`,
    )
  }
  log(
    `PostgreSQL does not run as root: it runs as user ${user.name}, who cannot reach ${data_directory}. ` +
      `Its files are in ${outside}.`,
  )
  return { cluster: outside, user }
}

/** Finds the owner of an existing cluster, else the user `postgres`, else the user `nobody`. */
export async function unprivilegedUser(cluster: string | undefined): Promise<PostgresUser> {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    // macOS writes nobody's number as -2.
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }))
  if (cluster) {
    const { uid, gid } = await stat(cluster)
    if (uid !== 0) return users.find((user) => user.uid === uid) ?? { name: String(uid), uid, gid }
  }
  const user = users.find(({ name }) => name === 'postgres') ?? users.find(({ name }) => name === 'nobody')
  if (user && user.uid !== 0) return user
  throw startProblem(
    'no_permission',
    'PostgreSQL does not run as root, and this machine has neither a user "postgres" nor a user "nobody". ' +
      'Start Bourse as an ordinary user, or set BOURSE_DATABASE_URL.',
  )
}

/** Gives the user's group search permission on the data directory (0710); returns whether the user can enter it. */
async function grantTraversal(data_directory: string, user: PostgresUser): Promise<boolean> {
  if (!(await canEnter(dirname(data_directory), user))) return false
  if (await canEnter(data_directory, user)) return true
  try {
    await chown(data_directory, 0, user.gid)
    await chmod(data_directory, 0o710)
  } catch {
    return false
  }
  return await canEnter(data_directory, user)
}

/** Whether a user can enter a directory. */
export async function canEnter(directory: string, user: PostgresUser): Promise<boolean> {
  try {
    // Tested as that user, because the mode bits do not show access lists and mounts.
    const as = { uid: user.uid, gid: user.gid, cwd: '/', env: { PATH: '/usr/bin:/bin' } }
    await promisify(execFile)('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], as)
    return true
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'EPERM' && code !== 'EINVAL') return false
    throw startProblem(
      'no_permission',
      `PostgreSQL does not run as root, and this root user may not start programs as user ${user.name} (${code}). ` +
        'Start Bourse as an ordinary user, or set BOURSE_DATABASE_URL.',
      error,
    )
  }
}

/** Creates a directory for a socket that only that user reaches, or takes the recorded one if it still is. */
export async function makeSocketDirectory(
  recorded: string | undefined,
  user: PostgresUser | undefined,
): Promise<string> {
  const uid = user?.uid ?? process.getuid?.()
  if (recorded !== undefined && (await isPrivate(recorded, uid))) return recorded
  for (const parent of [tmpdir(), '/tmp']) {
    const length = Buffer.byteLength(join(parent, 'bourse-XXXXXX', socketName))
    if (length > socketPathMax) continue
    if (user && !(await canEnter(parent, user))) continue
    const directory = await mkdtemp(join(parent, 'bourse-')).catch(() => undefined)
    if (directory === undefined) continue
    if (user) await chown(directory, user.uid, user.gid)
    return directory
  }
  throw startProblem(
    'no_permission',
    `PostgreSQL needs a directory for its socket, and neither ${tmpdir()} nor /tmp is suitable: it must be writable ` +
      `and short (the socket's path may have ${socketPathMax} bytes). Set TMPDIR to another directory.`,
  )
}

/** Whether only that user has access to a recorded directory. In /tmp another user may have created it again. */
async function isPrivate(directory: string, uid: number | undefined): Promise<boolean> {
  if (Buffer.byteLength(join(directory, socketName)) > socketPathMax) return false
  const found = await lstat(directory).catch(() => undefined)
  return found?.isDirectory() === true && found.uid === uid && (found.mode & 0o077) === 0
}

/** Creates an empty directory for a new cluster, owned by the user that will run it. */
export async function makeClusterDirectory(directory: string, user: PostgresUser | undefined): Promise<void> {
  await rm(directory, { recursive: true, force: true })
  await mkdir(dirname(directory), { recursive: true, mode: 0o755 })
  await mkdir(directory, { mode: 0o700 })
  if (user) await chown(directory, user.uid, user.gid)
}
