import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importRules } from './imports.ts'
import { type Finding, type Rule, repositoryOf } from './source.ts'

const rules: readonly Rule[] = [...importRules]

const binary = /\.(png|jpg|ico|woff2|gz)$/

/** Every text file that git tracks or would track, read once. */
export function readRepository(root: string): Map<string, string> {
  const listing = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  const paths = [...new Set(listing.toString().split('\0'))].sort()
  const present = paths.filter((path) => path !== '' && !binary.test(path) && existsSync(join(root, path)))
  return new Map(present.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

/** What the rules find, by file and line. */
export function tidy(texts: ReadonlyMap<string, string>): Finding[] {
  const repository = repositoryOf(texts)
  const unread = repository.files.flatMap(({ path, broken }) => (broken ? [{ path, line: 1, message: broken }] : []))
  const findings = [...unread, ...rules.flatMap((rule) => rule(repository))]
  return findings.sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line)
}
