/** The directory of the program: the root of the repository, or of the installed package. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findProgram } from '@bourse/text/program.ts'
import { once } from './once.ts'

const found = findProgram(import.meta.dirname, { parentOf: dirname, readManifest })

/** The directory that has migrations, documents and packages of the program, as far as they are installed. */
export const programRoot: string = found.directory

/** The version of the program. */
export const programVersion: string = found.version

/**
 * The commit of the package or the checkout, or `unknown`. An installed package may lie inside a repository of others.
 * The first call runs git in a checkout, which takes longer than most of a start.
 */
export const readProgramCommit = once(() => {
  if (found.commit !== undefined) return found.commit
  if (!existsSync(join(programRoot, '.git'))) return 'unknown'
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
      cwd: programRoot,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .toString()
      .trim()
  } catch {
    return 'unknown'
  }
})

function readManifest(directory: string): string | undefined {
  try {
    return readFileSync(join(directory, 'package.json'), 'utf8')
  } catch {
    return undefined
  }
}
