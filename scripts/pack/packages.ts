/** Packs the packages that are published. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApi } from './api.ts'
import { buildCli } from './cli.ts'
import { buildOperators } from './operators.ts'
import { runProgram, settleModes } from './program.ts'
import { buildSdk } from './sdk.ts'

/** Packs `@bourse/api` into a directory. Returns the path of the tarball. */
export function packApi(directory: string): Promise<string> {
  return pack(buildApi, directory)
}

/** Packs `@bourse/sdk` into a directory. Returns the path of the tarball. */
export function packSdk(directory: string): Promise<string> {
  return pack(buildSdk, directory)
}

/** Packs `@bourse/cli` into a directory. Returns the path of the tarball. */
export function packCli(directory: string): Promise<string> {
  return pack(buildCli, directory)
}

/** Packs `bourse` into a directory; a key signs the agent in it. Returns the path of the tarball. */
export function packOperators(directory: string, key?: string): Promise<string> {
  return pack((place) => buildOperators(place, key), directory)
}

async function pack(build: (place: string) => Promise<void>, directory: string): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'bourse-pack-'))
  try {
    const built = join(place, 'package')
    await build(built)
    await settleModes(built)
    const printed = await runProgram('npm', ['pack', '--silent', '--pack-destination', directory], { cwd: built })
    return join(directory, printed.trim())
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}
