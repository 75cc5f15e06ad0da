/** The directory of the program: the root of the repository, or of the installed package. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Manifest = { readonly name: string; readonly version: string; readonly commit?: string }

const found = find(import.meta.dirname)

/** The directory that has migrations, documents and packages of the program, as far as they are installed. */
export const programRoot: string = found.directory

/** The version of the program. */
export const programVersion: string = found.version

/** The commit that an installed package was built from; undefined in a checkout. */
export const programCommit: string | undefined = found.commit

/** The nearest directory above whose package is the whole program, and not one of its parts. */
function find(from: string): Manifest & { directory: string } {
  for (let directory = from; ; directory = dirname(directory)) {
    const manifest = readManifest(directory)
    if (manifest.name === 'bourse' || manifest.name === '@bourse/cli') return { ...manifest, directory }
    if (dirname(directory) === directory) throw new Error(`No package above ${from} is the program.`)
  }
}

function readManifest(directory: string): Manifest {
  try {
    return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest
  } catch {
    return { name: '', version: '' }
  }
}
