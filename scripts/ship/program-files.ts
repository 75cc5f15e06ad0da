/** The program as packages of systems have it: in /usr/lib/bourse with a Node of its own, and `bourse` on the path. */
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildOperators } from '../pack/operators.ts'

/** Where the Node of the program is. */
export const nodePath = '/usr/lib/bourse/bin/node'
/** What the health check of an image runs. */
export const healthPath = '/usr/lib/bourse/dist/health.js'

/** Writes the program, without its Node, below the root of a system. A key signs the agent in it. */
export async function placeProgram(system: string, key?: string): Promise<void> {
  const program = join(system, 'usr/lib/bourse')
  await buildOperators(program, key)
  const entry = join(program, 'packages/cli/bin/bourse.mjs')
  const text = await readFile(entry, 'utf8')
  // Its own Node, by name: neither a shell nor a search of the path comes before it.
  await writeFile(entry, text.replace(/^#!.*$/m, `#!${nodePath}`))
  await chmod(entry, 0o755)
  await mkdir(join(system, 'usr/bin'), { recursive: true })
  await symlink('../lib/bourse/packages/cli/bin/bourse.mjs', join(system, 'usr/bin/bourse'))
}
