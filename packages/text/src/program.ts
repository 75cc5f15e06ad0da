/** What the programs of one installation agree on. The file system is the caller's: this file has none. */

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The data directory: `BOURSE_DATA_DIR`, or `data` in the working directory. May be relative. */
export function dataDirectoryOf({ BOURSE_DATA_DIR }: Environment): string {
  return BOURSE_DATA_DIR || 'data'
}

/** The file in the data directory to which a sandbox writes its address and tokens for clients. */
export const sandboxFileName = 'sandbox.env'

/** The program as it is installed. `commit`: that from which a package was built; undefined in a checkout. */
export type InstalledProgram = {
  readonly directory: string
  readonly version: string
  readonly commit: string | undefined
}

type Manifest = { readonly name?: string; readonly version?: string; readonly commit?: string }

/**
 * The nearest directory above whose package is the whole program, and not one of its parts. `parentOf` is that of the
 * platform; `readManifest` returns the text of a directory's package.json, if it has one.
 */
export function findProgram(
  from: string,
  {
    parentOf,
    readManifest,
  }: { parentOf: (path: string) => string; readManifest: (path: string) => string | undefined },
): InstalledProgram {
  for (let directory = from; ; directory = parentOf(directory)) {
    const { name, version = '', commit } = JSON.parse(readManifest(directory) ?? '{}') as Manifest
    if (name === 'bourse' || name === '@bourse/cli') return { directory, version, commit }
    if (parentOf(directory) === directory) throw new Error(`No package above ${from} is the program.`)
  }
}
