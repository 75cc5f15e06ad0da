/** Copies of the program that differ in their migrations, to run several versions of it beside each other. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
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
 * Extracts the program before the newest migration from the history of a repository. Returns undefined where this
 * migration does not say that it serves that program, and for a program that cannot know which programs a schema
 * serves. Throws where the history does not have it.
 */
export function extractPreviousProgram(directory: string, from = repository): string | undefined {
  const newest = migrationsIn(from).at(-1) as string
  const text = readFileSync(join(from, 'migrations', newest), 'utf8')
  const serves = Number(/^-- serves: (\d+)$/m.exec(text)?.[1])
  if (!(serves < Number(newest.slice(0, 4)))) return undefined
  const log = git(from, 'log', '--diff-filter=A', '--format=%H', '--', `migrations/${newest}`)
  const added = log.toString().trim().split('\n').at(-1)
  // A migration that is not committed yet was added after the newest commit.
  const archive = git(from, 'archive', added ? `${added}^` : 'HEAD', ...parts)
  mkdirSync(directory, { recursive: true })
  execFileSync('tar', ['-x', '-C', directory], { input: archive })
  const isServed = migrationsIn(directory).length >= serves
  if (!isServed || !existsSync(join(directory, 'packages/server/src/core/migrations/schema-state.ts'))) return undefined
  linkModules(directory)
  return directory
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
