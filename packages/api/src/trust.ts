/**
 * What each operation asks of its caller besides the permission. The server reads this table before it runs an
 * operation, so nothing that is missing here can be called.
 */
import { endpoints, type OperationName } from './contract.ts'
import type { Endpoint } from './kit/endpoint.ts'
import type { OperationTrust } from './kit/trust.ts'

/** How long ago the sign-in of a person may be that counts as recent. */
export const recentSignInSeconds = 900

/** What each operation asks, in the order of the reference. */
export const trust = Object.fromEntries(endpoints.map(trustInContract)) as Readonly<
  Record<OperationName, OperationTrust>
>

function trustInContract({ name, trust: own }: Endpoint): [string, OperationTrust] {
  if (own === undefined) throw new Error(`${name} does not say what it asks of its caller: give it trust.`)
  return [name, own]
}

/** What an operation asks; undefined for those of agents, which no API token may call. */
export function trustOf(name: string): OperationTrust | undefined {
  return Object.hasOwn(trust, name) ? trust[name as OperationName] : undefined
}
