import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, 'prism')
const program = join(folder, 'node_modules/@stoplight/prism-cli/dist/index.js')

/** The path of Stoplight Prism's program, for Node to run. Its 200 packages are installed when a bench first asks. */
export function prismProgram(): string {
  if (!existsSync(program)) {
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--prefix', folder], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  return program
}
