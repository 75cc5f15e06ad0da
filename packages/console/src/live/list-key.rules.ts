/** Under which key the cache keeps a list. Pure. */

/** The filters of a list, as they are sent. */
export type Filters = Readonly<Record<string, unknown>>

/** The filters that have a value. */
export function givenOf(filters: Filters): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined && value !== ''))
}

/**
 * The key of a list. `of` tells lists of one noun apart that come from different operations: methods of the SDK have
 * no names of their own.
 */
export function listKey(noun: string, given: Filters, of: string): readonly [string, 'list', Filters, string] {
  return [noun, 'list', given, of]
}
