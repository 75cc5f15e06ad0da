/** The version of the installed program. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findProgram } from '@bourse/text/program.ts'

const { version, commit, directory } = findProgram(import.meta.dirname, { parentOf: dirname, readManifest })

export { commit, version }

/** A folder of the whole program; undefined where only the command line is installed. A checkout has it above. */
export function findPart(name: string): string | undefined {
  return [directory, join(directory, '../..')].map((place) => join(place, name)).find((path) => existsSync(path))
}

/** The last migration of the program; undefined where it is installed without a server. */
export function readSchema(): number | undefined {
  const migrations = findPart('migrations')
  return migrations === undefined
    ? undefined
    : readdirSync(migrations).filter((name) => /^\d{4}_.*\.sql$/.test(name)).length
}

function readManifest(directory: string): string | undefined {
  try {
    return readFileSync(join(directory, 'package.json'), 'utf8')
  } catch {
    return undefined
  }
}
