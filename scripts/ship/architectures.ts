/** The processors for which packages of systems are made, and Node for each. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root, runProgram } from '../pack/program.ts'

/** As Debian and OCI name them, and as npm names the packages of Node. */
export const architectures = { amd64: 'x64', arm64: 'arm64' } as const

export type Architecture = keyof typeof architectures

/** That of this machine. */
export const ownArchitecture: Architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'

/** The architectures of these names. Throws for unknown ones. */
export function readArchitectures(names: readonly string[]): readonly Architecture[] {
  const known = names.filter((name) => name in architectures) as Architecture[]
  if (known.length === names.length) return known.length > 0 ? known : [ownArchitecture]
  throw new Error(`An architecture is one of ${Object.keys(architectures).join(', ')}, and not ${names.join(', ')}.`)
}

/** Puts the Node of an architecture at a path: the installed one, or that of the registry, as the lock file has it. */
export async function placeNode(architecture: Architecture, target: string): Promise<void> {
  const name = `node-linux-${architectures[architecture]}`
  await mkdir(dirname(target), { recursive: true })
  const installed = join(root, 'node_modules', name, 'bin/node')
  if (existsSync(installed)) await copyFile(installed, target)
  else await fetchNode(name, target)
  await chmod(target, 0o755)
}

async function fetchNode(name: string, target: string): Promise<void> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const { version, integrity } = lock.packages[`node_modules/${name}`]
  const place = await mkdtemp(join(tmpdir(), 'bourse-node-'))
  try {
    const words = ['pack', '--silent', '--pack-destination', place, `${name}@${version}`]
    const archive = join(place, (await runProgram('npm', words, { cwd: place })).trim())
    const digest = `sha512-${createHash('sha512')
      .update(await readFile(archive))
      .digest('base64')}`
    if (digest !== integrity) throw new Error(`${name}@${version} is not what package-lock.json says.`)
    await runProgram('tar', ['-xzf', archive, '-C', place, 'package/bin/node'])
    await copyFile(join(place, 'package/bin/node'), target)
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}
