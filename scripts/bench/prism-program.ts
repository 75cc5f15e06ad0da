import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, 'prism')
const program = join(folder, 'node_modules/@stoplight/prism-cli/dist/index.js')

/** The path of the JavaScript program of Stoplight Prism. The first call installs its 200 packages. */
export function prismProgram(): string {
  if (!existsSync(program)) {
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--prefix', folder], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  return program
}
