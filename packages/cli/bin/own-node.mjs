// Plain JavaScript for old Nodes. Under one, the program runs on the Node 24 that npm installs beside it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

/** Whether this Node can run the sources. */
export const isFit = Number(process.versions.node.split('.')[0]) >= 24

/** Beside the program, or where npm puts what several packages of a project need. */
const places = ['../../../node_modules/.bin/node', '../../../../.bin/node']

/** Runs a program with the installed Node 24 and ends as it ends. Without one, says what to do. */
export async function runWithOwnNode(program) {
  const own = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path))
  if (own === undefined) {
    // It prints the reason and ends the process.
    return import('../../../scripts/node-version.mjs')
  }
  const child = spawn(own, [program, ...process.argv.slice(2)], { stdio: 'inherit' })
  // Ctrl-C reaches the child by itself. It decides when to end.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))
}
