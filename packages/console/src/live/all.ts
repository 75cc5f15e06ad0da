/** Whole lists, up to a bound: for choices in forms and for pictures that need everything at once. */
import type { ListCall } from '@bourse/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReadOptions, useRead } from './queries.ts'

/** The most rows that are read; a page that shows fewer than there are says so. */
export const allMax = 2_000

/** All rows of a list. `about` tells lists of one noun apart, by their filters for example. */
export function useAll<T>(
  noun: string,
  about: unknown,
  list: () => ListCall<T>,
  options: ReadOptions = {},
): UseQueryResult<T[], Error> {
  return useRead([noun, 'all', about], () => list().all({ max: allMax }), options)
}
