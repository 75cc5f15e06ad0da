/** Filters by tags, for lists whose rows have tags in a jsonb column. */
import type { Conditions } from './page.ts'

/** The filters as the request has them. */
export type TagFilters = { readonly tag?: string[]; readonly tag_key?: string[] }

/** Adds the filters `tag=key=value` and `tag_key=key`. A row must match all of them. */
export function addTagFilters(where: Conditions, column: string, query: TagFilters): void {
  for (const pair of query.tag ?? []) {
    const at = pair.indexOf('=')
    where.check(`${column} @> $`, JSON.stringify({ [pair.slice(0, at)]: pair.slice(at + 1) }))
  }
  // The function behind the operator `?`, which some drivers take for a parameter.
  for (const key of query.tag_key ?? []) where.check(`jsonb_exists(${column}, $)`, key)
}
