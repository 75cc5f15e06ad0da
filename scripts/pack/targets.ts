/** What `npm run pack` can write, and the programs that it needs for it. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Architecture } from '../ship/architectures.ts'
import { packChart } from '../ship/chart.ts'
import { packDeb } from '../ship/deb.ts'
import { packImage } from '../ship/image.ts'
import { packAgentBundle } from './agent.ts'
import { packApi, packCli, packOperators, packSdk } from './packages.ts'
import { writeBill } from './sbom.ts'

/** Something that is published. */
type Target = {
  /** Programs besides those of npm, with the Debian package of each. */
  readonly programs: Readonly<Record<string, string>>
  /**
   * Writes it into a directory, for some architectures if it depends on them. The key, if there is one, signs the agent
   * in it. Returns the paths of its files.
   */
  readonly write: (
    directory: string,
    architectures: readonly Architecture[],
    key: string | undefined,
  ) => Promise<readonly string[]>
}

/** All targets. */
export const targets = {
  npm: {
    programs: {},
    write: async (directory, _, key) => {
      const written: string[] = []
      for (const pack of [packApi, packSdk, packCli]) written.push(await pack(directory))
      written.push(await packOperators(directory, key), await writeBill(directory))
      return written
    },
  },
  agent: {
    programs: {},
    write: (directory) => packAgentBundle(directory),
  },
  deb: {
    programs: { 'dpkg-deb': 'dpkg' },
    write: async (directory, architectures, key) => {
      const written: string[] = []
      for (const architecture of architectures) written.push(await packDeb(directory, architecture, key))
      return written
    },
  },
  image: {
    programs: { mmdebstrap: 'mmdebstrap', tar: 'tar' },
    write: async (directory, architectures, key) => [await packImage(directory, architectures, key)],
  },
  // After the image, whose digest it has.
  helm: { programs: { tar: 'tar' }, write: async (directory) => [await packChart(directory)] },
} as const satisfies Readonly<Record<string, Target>>

export type TargetName = keyof typeof targets

/**
 * The targets of these names, in the order in which they are written. Throws for unknown ones, and for those whose
 * programs are missing.
 */
export function readTargets(names: readonly string[], path = process.env.PATH ?? ''): readonly TargetName[] {
  const known = names.filter(isTarget)
  const unknown = names.filter((name) => !isTarget(name))
  if (unknown.length > 0) {
    throw new Error(`There is no target ${unknown.join(', ')}. The targets are ${Object.keys(targets).join(', ')}.`)
  }
  for (const name of known) {
    for (const [program, debian] of Object.entries<string>(targets[name].programs)) {
      if (isInstalled(program, path)) continue
      throw new Error(`The target ${name} needs the program ${program}: install the Debian package ${debian}.`)
    }
  }
  return (Object.keys(targets) as TargetName[]).filter((name) => known.includes(name))
}

function isTarget(name: string): name is TargetName {
  return Object.hasOwn(targets, name)
}

function isInstalled(program: string, path: string): boolean {
  return path.split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, program)))
}
