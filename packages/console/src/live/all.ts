/** Whole lists, up to a bound: for choices in forms and for pictures that need everything at once. */
import type { Item } from '@bourse/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import { givenOf, nounOf } from './nouns.rules.ts'
import { callList, type ListFilters, type ListName } from './operations.ts'
import { type ReadOptions, useRead } from './queries.ts'

/** The most rows that are read; a page that shows fewer than there are says so. */
export const allMax = 2_000

type AllOptions = ReadOptions & {
  /** Rows of a page, where they are large. */
  readonly pageLength?: number
}

/** All rows of a list. */
export function useAll<N extends ListName>(
  operation: N,
  filters: ListFilters<N>,
  { pageLength = 200, ...options }: AllOptions = {},
): UseQueryResult<Item<N>[], Error> {
  const given = givenOf(filters)
  const read = () => callList(operation, given, { limit: pageLength }).all({ max: allMax })
  return useRead([nounOf(operation), 'all', operation, given], read, options)
}
