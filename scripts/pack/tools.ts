/** The programs in tools/: pinned by a lock file of their own, so that `npm ci` of the repository stays small. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, runProgram } from './program.ts'

/** The folder of the programs. */
export const tools = join(root, 'tools')

const lock = join(tools, 'package-lock.json')
const installed = join(tools, 'node_modules/.installed-lock.json')

/** Installs the programs, unless they are there as the lock file says. Needs the npm registry. */
export async function installTools(): Promise<void> {
  const wanted = readFileSync(lock, 'utf8')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return
  console.log('Installing the programs of tools/ from the npm registry.')
  try {
    await runProgram('npm', ['ci', '--ignore-scripts', '--silent'], { cwd: tools })
  } catch (error) {
    const message = 'The level `packages` needs the npm registry, and tools/ could not be installed from it.'
    throw new Error(message, { cause: error })
  }
  writeFileSync(installed, wanted)
}
