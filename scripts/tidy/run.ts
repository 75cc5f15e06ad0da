import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { callRules } from './calls.ts'
import { citationRules } from './citations.ts'
import { commentNameRules } from './comment-names.ts'
import { contractRules } from './contract.ts'
import { exportRules } from './exports.ts'
import { glossaryRules, glossarySummary } from './glossary.ts'
import { importRules } from './imports.ts'
import { memoryRules } from './memory.ts'
import { isMigration, migrationsKeepServing, migrationsOnlyAdded, type Published, sha256Of } from './migrations.ts'
import { nameRules } from './names.ts'
import { packingRules } from './packing.ts'
import { paperRules } from './papers.ts'
import { roomRules, roomSignals, roomSummary } from './rooms.ts'
import { serviceRules } from './services.ts'
import { sizeRules, sizeSignals } from './sizes.ts'
import { type Finding, type Rule, repositoryOf } from './source.ts'
import { sqlRules } from './sql.ts'
import { timeRules } from './times.ts'
import { typedBlockRules } from './typed-blocks.ts'
import { waitRules } from './waits.ts'
import { wordRules } from './words.ts'

const rules: readonly Rule[] = [
  ...importRules,
  ...exportRules,
  ...roomRules,
  ...callRules,
  ...waitRules,
  ...timeRules,
  ...sqlRules,
  ...sizeRules,
  ...packingRules,
  ...wordRules,
  ...nameRules,
  ...glossaryRules,
  ...paperRules,
  ...citationRules,
  ...typedBlockRules,
  ...commentNameRules,
  ...contractRules,
  ...memoryRules,
  ...serviceRules,
  migrationsKeepServing,
]

const signals: readonly Rule[] = [...sizeSignals, ...roomSignals]

const binary = /\.(png|jpg|ico|woff2|gz)$/

/** Every text file that git tracks or would track, read once. */
export function readRepository(root: string): Map<string, string> {
  const paths = [...new Set(lines(git(root, 'ls-files', '--cached', '--others', '--exclude-standard')))].sort()
  const present = paths.filter((path) => !binary.test(path) && existsSync(join(root, path)))
  return new Map(present.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

/** The migrations of the shared main branch: others may have applied them. None if there is no such branch. */
export function readPublished(root: string): Published[] {
  const branch = git(root, 'rev-parse', '--verify', '--quiet', 'origin/main').trim()
  if (branch === '') return []
  const paths = lines(git(root, 'ls-tree', '-r', '--name-only', branch, 'migrations/')).filter(isMigration)
  return paths.map((path) => ({ path, sha256: sha256Of(git(root, 'show', `${branch}:${path}`)) }))
}

/** The findings of all rules, by file and line, what is large enough to look at, and a summary of rooms and words. */
export function tidy(
  texts: ReadonlyMap<string, string>,
  published: readonly Published[],
): { findings: Finding[]; signals: Finding[]; summary: string } {
  const repository = repositoryOf(texts)
  const unread = repository.files.flatMap(({ path, broken }) => (broken ? [{ path, line: 1, message: broken }] : []))
  const findings = [...rules, migrationsOnlyAdded(published)].flatMap((rule) => rule(repository))
  return {
    findings: [...unread, ...findings].sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line),
    signals: signals.flatMap((signal) => signal(repository)),
    summary: `${roomSummary(repository)}, ${glossarySummary(repository)}`,
  }
}

function git(root: string, ...args: string[]): string {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    // `--quiet --verify` exits with 1 if there is no such branch.
    if ((error as { status?: number }).status === 1) return ''
    throw error
  }
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}
