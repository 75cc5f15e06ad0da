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

/** Why Prism is not at hand. Where it is required, the bench installs it. */
export function missingPrism(): string | undefined {
  if (existsSync(program) || process.env.BOURSE_REQUIRE_PRISM === '1') return undefined
  return 'Prism is not installed; `npm run bench -- http prism_ratio` installs it'
}
