/** The filters above lists of instances, all of which the server applies. */
import { WorkspaceFilter } from '../access/filters.tsx'
import { useThings } from '../live/forms/things.tsx'
import { choiceFilter, resourceFilter, textFilter } from '../live/lists/filters.tsx'
import { usePools } from './choices.ts'
import { nameFilter, stateChoices, stateFilter, tagFilter } from './instance-filters.rules.ts'

/** The controls. */
export const instanceFilters = {
  name: textFilter('Search by name', { placeholder: 'Name, or web-*' }),
  state: choiceFilter('State', stateChoices),
  pool: resourceFilter('Pool', () => usePools(['market', 'read_only']).options),
  sku: resourceFilter('SKU', () => useThings('sku')),
  workspace: WorkspaceFilter,
  tag: textFilter('Tag', { placeholder: 'Tag: key or key=value' }),
}

/** What is sent for them. */
export function instanceQuery({ name = '', tag = '', state = '', ...rest }: Readonly<Record<string, string>>) {
  return { ...rest, ...nameFilter(name), ...tagFilter(tag), ...stateFilter(state) }
}

/** What the filters begin with. */
export const instanceDefaults = { state: 'live' }
