/** Prints the table of operations of the SDK from the contract, so that the SDK needs neither schemas nor TypeBox. */
import { endpoints } from '../../packages/api/src/contract.ts'
import type { Endpoint } from '../../packages/api/src/kit/endpoint.ts'
import type { Operation } from '../../packages/sdk/src/operation.ts'

/** The text of packages/sdk/src/generated/operations.ts. */
export function printSdkOperations(): string {
  const lines = (endpoints as readonly Endpoint[]).map((endpoint) => `  ${JSON.stringify(operationOf(endpoint))},`)
  return `/** Generated from the contract by \`npm run gen\`. Do not edit. */
import type { Operation } from '../operation.ts'

/** Every operation, in the order of the reference. */
export const operations: readonly Operation[] = [
${lines.join('\n')}
]
`
}

function operationOf({ name, method, path, body, query, idempotent, access, media_type }: Endpoint): Operation {
  const parameters = Object.keys(query.properties)
  return {
    name,
    method,
    path,
    ...(body ? { takes_body: true } : {}),
    ...(parameters.length > 0 ? { query: parameters } : {}),
    ...(idempotent ? { is_idempotent: true } : {}),
    ...(access === 'public' ? { is_public: true } : {}),
    ...(media_type === 'application/json' ? {} : { media_type }),
  }
}
