/** The version of the installed program. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findProgram } from '@bourse/text/program.ts'

export const { version } = findProgram(import.meta.dirname, { parentOf: dirname, readManifest })

function readManifest(directory: string): string | undefined {
  try {
    return readFileSync(join(directory, 'package.json'), 'utf8')
  } catch {
    return undefined
  }
}
