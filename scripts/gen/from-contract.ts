import { endpoints } from '../../packages/api/src/contract.ts'
import { errorCodes } from '../../packages/api/src/kit/errors.ts'
import { buildOpenapi } from '../../packages/api/src/openapi.ts'
import { printErrors } from './errors-page.ts'

/** Files that are printed from the contract alone, by path. */
export function printFromContract(): Map<string, string> {
  return new Map([
    ['openapi.json', `${JSON.stringify(buildOpenapi(), null, 2)}\n`],
    ['docs/errors.md', printErrors(errorCodes, endpoints)],
  ])
}
