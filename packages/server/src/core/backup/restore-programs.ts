/** The programs of PostgreSQL that fit a backup: those that are named, those of the system, or the bundled ones. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startProblem } from '../base/start-problem.ts'
import {
  locatePostgres,
  makeRunnable,
  type PostgresBinaries,
  postgresEnvironment,
} from '../postgres/postgres-binaries.ts'
import type { PostgresUser } from '../postgres/postgres-place.ts'

type WantedPrograms = {
  /** The major version of the backup. */
  readonly major: number
  /** The directory that the operator names. */
  readonly directory: string | undefined
  readonly user: PostgresUser | undefined
  /** Where a copy of the bundled programs may be made. */
  readonly copies: string
  readonly log: (message: string) => void
}

/** Finds the programs. Throws wrong_postgres_version or postgres_missing with what to install. */
export async function findRestorePrograms(wanted: WantedPrograms): Promise<PostgresBinaries> {
  const { major, directory } = wanted
  const places = directory ? [directory] : [`/usr/lib/postgresql/${major}/bin`, `/usr/pgsql-${major}/bin`]
  const place = places.find((one) => existsSync(join(one, 'postgres')))
  const remedy = `Install PostgreSQL ${major} on this machine, or name its programs: --postgres-bin DIRECTORY.`
  if (place !== undefined) {
    const found = await majorOf(join(place, 'postgres'))
    if (found === major) return { initdb: join(place, 'initdb'), postgres: join(place, 'postgres') }
    const what = `The backup is of PostgreSQL ${major}, and ${place} has PostgreSQL ${found ?? 'of no known version'}`
    throw startProblem('wrong_postgres_version', `${what}. ${remedy}`)
  }
  if (directory) throw startProblem('postgres_missing', `There is no program "postgres" in ${directory}. ${remedy}`)
  const bundled = await locatePostgres().catch(() => undefined)
  if (bundled?.major === String(major)) return makeRunnable(bundled, wanted)
  const others = bundled ? `, and the bundled one is PostgreSQL ${bundled.major}` : ''
  throw startProblem(
    'postgres_missing',
    `The backup is of PostgreSQL ${major}. There is none in ${places.join(' or ')}${others}. ${remedy}`,
  )
}

async function majorOf(program: string): Promise<number | undefined> {
  const run = promisify(execFile)(program, ['--version'], { cwd: '/', env: postgresEnvironment })
  const { stdout } = await run.catch(() => ({ stdout: '' }))
  const [, major] = /\(PostgreSQL\) (\d+)/.exec(stdout) ?? []
  return major === undefined ? undefined : Number(major)
}
