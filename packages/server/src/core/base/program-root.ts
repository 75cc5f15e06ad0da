/** The directory of the program: the root of the repository, or of the installed package. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findProgram } from '@bourse/text/program.ts'

const found = findProgram(import.meta.dirname, { parentOf: dirname, readManifest })

/** The directory that has migrations, documents and packages of the program, as far as they are installed. */
export const programRoot: string = found.directory

/** The version of the program. */
export const programVersion: string = found.version

/** The commit that an installed package was built from; undefined in a checkout. */
export const programCommit: string | undefined = found.commit

function readManifest(directory: string): string | undefined {
  try {
    return readFileSync(join(directory, 'package.json'), 'utf8')
  } catch {
    return undefined
  }
}
