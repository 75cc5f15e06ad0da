import { printErrors } from '../../packages/api/src/errors-page.ts'
import { buildOpenapi } from '../../packages/api/src/openapi.ts'

/** The texts of the files that are generated from the contract alone, by path. */
export function printFromContract(): Map<string, string> {
  return new Map([
    ['openapi.json', `${JSON.stringify(buildOpenapi(), null, 2)}\n`],
    ['docs/errors.md', printErrors()],
  ])
}
