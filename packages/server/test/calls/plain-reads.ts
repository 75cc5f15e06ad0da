/**
 * The reads whose calls follow from the contract: of the server, of the account, of all resources of a kind, or of one
 * by its id. They need no case, no item of the coverage list and no example of their own.
 */
import { endpoints, type OperationName } from '@bourse/api/contract.ts'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'

type NamedOperation = Endpoint & { readonly name: OperationName }

export type PlainRead = {
  readonly read: NamedOperation
  /** What creates the resource that is read, and the parameter of the path that has its id. */
  readonly of?: { readonly create: NamedOperation; readonly parameter: string }
}

const operations = endpoints as unknown as readonly NamedOperation[]

/** All reads whose calls follow from the contract, by their names. */
export const plainReads: ReadonlyMap<OperationName, PlainRead> = new Map(
  operations.flatMap((read) => {
    const plain = plainRead(read)
    return plain ? [[read.name, plain]] : []
  }),
)

function plainRead(read: NamedOperation): PlainRead | undefined {
  const { method, path, params } = read
  if (method !== 'GET' || needsQuery(read) || Object.keys(membersOf(read)).length === 0) return undefined
  const [parameter, ...others] = Object.keys(params.properties)
  if (parameter === undefined) return { read }
  const [collection] = path.split(`/:${parameter}`)
  const create = operations.find((one) => one.method === 'POST' && one.path === collection)
  if (others.length > 0 || create === undefined || !('id' in membersOf(create))) return undefined
  return { read, of: { create, parameter } }
}

function membersOf({ response }: Endpoint): object {
  return (response as { properties?: object } | undefined)?.properties ?? {}
}

/** Whether a call needs a parameter of the query. */
export function needsQuery({ query }: Endpoint): boolean {
  return Object.values(query.properties).some((schema) => !('~optional' in schema))
}

/** Whether only the operator of the platform may send it. */
export function isOfPlatform({ access }: Pick<Endpoint, 'access'>): boolean {
  return access.startsWith('platform:')
}
