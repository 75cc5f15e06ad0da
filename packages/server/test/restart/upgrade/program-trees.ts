/** Copies of the program that differ in their migrations, to run several versions of it beside each other. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** The program of this repository. */
export const repository = join(import.meta.dirname, '../../../../..')
const parts = ['packages', 'migrations', 'scripts/node-version.mjs', 'package.json']
const ownPackages = readdirSync(join(repository, 'packages'))

/** Copies the program of this repository to a new directory, and adds migrations, by file name. */
export function copyProgram(directory: string, migrations: Readonly<Record<string, string>>): string {
  const isPart = (path: string) => !['test', 'node_modules'].includes(basename(path)) && !path.endsWith('.test.ts')
  for (const part of parts) cpSync(join(repository, part), join(directory, part), { recursive: true, filter: isPart })
  linkModules(directory)
  for (const [name, sql] of Object.entries(migrations)) addMigration(directory, name, sql)
  return directory
}

/**
 * Extracts the program before the newest migration from the history of a repository: before an older one where the
 * history changed that one later, since no database can have both. Returns undefined where a migration since then does
 * not say that it serves that program, and for a program that cannot know which programs a schema serves. Throws where
 * the history does not have it.
 */
export function extractPreviousProgram(directory: string, from = repository): string | undefined {
  const own = migrationsIn(from)
  let newer = own.at(-1)
  while (newer !== undefined) {
    rmSync(directory, { recursive: true, force: true })
    extractBefore(newer, { directory, from })
    newer = migrationsIn(directory).find((name) => readMigration(directory, name) !== readMigration(from, name))
  }
  const known = migrationsIn(directory).length
  const isServed = own.slice(known).every((name) => servedBy(from, name) <= known)
  if (!isServed || !existsSync(join(directory, 'packages/server/src/core/migrations/schema-state.ts'))) return undefined
  linkModules(directory)
  return directory
}

/** Extracts the program before the commit that added a migration; where it is not committed yet, the newest one. */
function extractBefore(migration: string, { directory, from }: { directory: string; from: string }): void {
  const log = git(from, 'log', '--diff-filter=A', '--format=%H', '--', `migrations/${migration}`)
  const added = log.toString().trim().split('\n').at(-1)
  const archive = git(from, 'archive', added ? `${added}^` : 'HEAD', ...parts)
  mkdirSync(directory, { recursive: true })
  execFileSync('tar', ['-x', '-C', directory], { input: archive })
}

/** The oldest program that works with a migration, by its schema version. */
function servedBy(directory: string, name: string): number {
  const serves = /^-- serves: (\d+)$/m.exec(readMigration(directory, name) ?? '')?.[1]
  return Number(serves ?? name.slice(0, 4))
}

function readMigration(directory: string, name: string): string | undefined {
  const path = join(directory, 'migrations', name)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

export function addMigration(program: string, name: string, sql: string): void {
  writeFileSync(join(program, 'migrations', name), sql)
}

/** The names of the migrations of a program, in order. */
export function migrationsIn(directory: string): string[] {
  return readdirSync(join(directory, 'migrations'))
    .filter((name) => /^\d/.test(name))
    .sort()
}

/** The dependencies are those of the repository. The program's own packages are those of the copy. */
function linkModules(directory: string): void {
  const modules = join(repository, 'node_modules')
  mkdirSync(join(directory, 'node_modules', '@bourse'), { recursive: true })
  for (const name of readdirSync(modules).filter((one) => one !== '@bourse')) {
    symlinkSync(join(modules, name), join(directory, 'node_modules', name))
  }
  for (const name of ownPackages) {
    symlinkSync(join(directory, 'packages', name), join(directory, 'node_modules', '@bourse', name))
  }
}

function git(cwd: string, ...words: string[]): Buffer {
  return execFileSync('git', words, { cwd, maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'pipe'] })
}
