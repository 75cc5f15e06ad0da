/** The version of this build. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The version of the interface that this build implements. */
export const interfaceVersion = '0.1.0'

/** The version of the program. */
export const version: string = readVersion()

function readVersion(): string {
  const file = readFileSync(join(import.meta.dirname, '../../../../../package.json'), 'utf8')
  return (JSON.parse(file) as { version: string }).version
}
