import { printErrors } from '../../packages/api/src/errors-page.ts'
import { recordedCalls } from '../../packages/api/src/generated/examples.ts'
import type { RecordedCalls } from '../../packages/api/src/openapi/examples.ts'
import { buildOpenapi } from '../../packages/api/src/openapi.ts'
import { printOperations } from '../../packages/api/src/operations-page.ts'
import { clientCalls, printClientCalls } from './client-calls.ts'
import { printConfiguration } from './configuration-page.ts'
import { printConsoleForms } from './console-forms.ts'
import { printConsoleRows } from './console-rows.ts'
import { printEvents } from './events-page.ts'
import { printLimits } from './limits-page.ts'
import { printSandboxGuide } from './sandbox-tables.ts'
import { printSdkOperations } from './sdk-operations.ts'
import { printSdkErrors, printSdkStates } from './sdk-reference.ts'
import { printSdkSamples } from './sdk-samples.ts'
import { printSdkTypes } from './sdk-types.ts'

/** The texts of the files that are generated from the contract and its examples, by path. */
export function printFromContract(recorded: RecordedCalls = recordedCalls): Map<string, string> {
  const calls = clientCalls()
  const openapi = buildOpenapi(recorded, calls)
  return new Map([
    ['openapi.json', `${JSON.stringify(openapi, null, 2)}\n`],
    ['packages/api/src/generated/client-calls.ts', printClientCalls(calls)],
    ['packages/sdk/test/generated/code-samples.ts', printSdkSamples(openapi)],
    ['docs/errors.md', printErrors()],
    ['docs/operations.md', printOperations()],
    ['docs/reference/configuration.md', printConfiguration()],
    ['docs/reference/events.md', printEvents()],
    ['docs/reference/limits.md', printLimits()],
    ['packages/sdk/src/generated/errors.ts', printSdkErrors()],
    ['packages/sdk/src/generated/operations.ts', printSdkOperations()],
    ['packages/sdk/src/generated/states.ts', printSdkStates()],
    ['packages/sdk/src/generated/types.ts', printSdkTypes()],
    ...printSandboxGuide(),
    ...printConsoleForms(),
    ...printConsoleRows(),
  ])
}
