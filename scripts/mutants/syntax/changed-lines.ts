/** Which lines differ from a commit: what the mutants of a change are made of. */
import { spawnSync } from 'node:child_process'

/** Lines of a file, as StrykerJS takes them: `FILE:FIRST-LAST`. */
type Lines = string

/** The commit that a change began at: where it left the main branch, or the one before if it is the main branch. */
export function baseCommit(): string {
  const base = git('merge-base', 'HEAD', 'origin/main').trim()
  return base === '' || base === git('rev-parse', 'HEAD').trim() ? 'HEAD~1' : base
}

/** The lines of files that differ from a commit, with what is not committed. New files count once git knows them. */
export function changedLines(base: string, files: readonly string[]): Lines[] {
  return linesOf(git('diff', '--unified=0', '--no-color', '--no-ext-diff', base, '--', ...files))
}

/** The lines that a difference without context adds or replaces. */
export function linesOf(difference: string): Lines[] {
  const found: Lines[] = []
  let file = ''
  for (const line of difference.split('\n')) {
    file = /^\+\+\+ b\/(.*)$/.exec(line)?.[1] ?? file
    const [, first, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    if (first !== undefined && count !== '0') found.push(`${file}:${first}-${Number(first) + Number(count) - 1}`)
  }
  return found
}

/** What git prints; nothing where it fails, as without a remote. */
function git(...words: readonly string[]): string {
  return spawnSync('git', words, { encoding: 'utf8', maxBuffer: 2 ** 30 }).stdout
}
