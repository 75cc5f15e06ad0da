/** The filters above lists of instances, all of which the server applies. */
import { WorkspaceFilter } from '../access/filters.tsx'
import { choiceFilter, readFilter, textFilter } from '../live/lists/filters.tsx'
import { allOf, usePools, useSkus } from './choices.ts'
import { nameFilter, tagFilter } from './launch.rules.ts'

const states = ['awaiting_allocation', 'running', 'failed', 'terminated']

/** The controls. */
export const instanceFilters = {
  name: textFilter('Search by name', { placeholder: 'Name, or web-*' }),
  state: choiceFilter('State', states),
  pool: readFilter('Pool', () => allOf(usePools(['market', 'read_only']).options)),
  sku: readFilter('SKU', () => allOf(useSkus().options)),
  workspace: WorkspaceFilter,
  tag: textFilter('Tag', { placeholder: 'Tag: key or key=value' }),
}

/** What is sent for them. */
export function instanceQuery({ name = '', tag = '', ...rest }: Readonly<Record<string, string>>) {
  return { ...rest, ...nameFilter(name), ...tagFilter(tag) }
}
