/** Filters by tags, for every list whose rows carry them in a jsonb column. */
import type { Conditions } from './page.ts'

/** The filters as they are sent. */
export type TagFilters = { readonly tag?: string[]; readonly tag_key?: string[] }

/** Adds `tag=key=value` and `tag_key=key` filters; all of them must hold. */
export function addTagFilters(where: Conditions, column: string, query: TagFilters): void {
  for (const pair of query.tag ?? []) {
    const at = pair.indexOf('=')
    where.add(`${column} @> $`, JSON.stringify({ [pair.slice(0, at)]: pair.slice(at + 1) }))
  }
  // Written as a function: the question mark operator would not survive every driver.
  for (const key of query.tag_key ?? []) where.add(`jsonb_exists(${column}, $)`, key)
}
