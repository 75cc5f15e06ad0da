/** Calls of the API by the names of their operations, which bring the types of filters and rows. */
import type { Answer, Item, ListCall, OperationName, Params, Query } from '@bourse/sdk'
import { operations } from '@bourse/sdk/generated/operations.ts'
import { methodAt, type Placement, placements } from '@bourse/sdk/naming.ts'
import { type Operation, pathParameters } from '@bourse/sdk/operation.ts'
import { client } from './client.ts'

/** An operation that lists. */
export type ListName = Extract<OperationName, `list_${string}`>
/** An operation that reads one resource by its id. */
export type ItemName = {
  [N in OperationName]: N extends `get_${string}` ? (Params<N> extends { id: string } ? N : never) : never
}[OperationName]

type Paging = 'limit' | 'starting_after' | 'ending_before'
/** A value of an address is any text: the server refuses what is none of its words. */
type AddressTexts<T> = { readonly [K in keyof T]?: T[K] | string | readonly string[] | undefined }
type FieldsOf<T> = [T] extends [never] ? object : T

/** What a page says of a list: its filters, and the parameters of its path. */
export type ListFilters<N extends ListName> = AddressTexts<Omit<FieldsOf<Query<N>>, Paging>> &
  Required<AddressTexts<FieldsOf<Params<N>>>>

/** Where in a list to begin, and how many rows a page has. */
type PageStart = { readonly limit?: number; readonly starting_after?: string | undefined }

/** Every operation. */
export const byName = new Map<string, Operation>(operations.map((operation) => [operation.name, operation]))
/** The method of the client for each operation. */
export const places = placements(operations.map(({ name }) => name))

/** The method of the client for an operation. */
export function methodOf<M>(name: OperationName): M {
  return methodAt<M>(client, places.get(name) as Placement)
}

/** Calls an operation that lists. */
export function callList<N extends ListName>(name: N, filters: ListFilters<N>, page: PageStart): ListCall<Item<N>> {
  const operation = byName.get(name) as Operation
  const names = pathParameters(operation)
  // Short lists have one page.
  const paging = Object.entries(page).filter(([key]) => operation.query?.includes(key))
  const isOfPath = ([key]: readonly [string, unknown]) => names.includes(key)
  const given = [...Object.entries(filters), ...paging]
  const params = given.filter(isOfPath)
  // Methods take one path parameter as it is, and several as an object.
  const head = params.length > 1 ? [Object.fromEntries(params)] : params.map(([, value]) => value)
  const query = Object.fromEntries(given.filter((entry) => !isOfPath(entry)))
  return methodOf<(...given: unknown[]) => ListCall<Item<N>>>(name)(...head, query)
}

/** Reads one resource by its id. */
export function callItem<N extends ItemName>(name: N, id: string): Promise<Answer<N>> {
  return methodOf<(id: string) => Promise<Answer<N>>>(name)(id)
}
