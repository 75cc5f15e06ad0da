/** The filters of a webhook: which they may be, and which events they match. */
import { eventActions, reservedEventActions } from '../events/actions.ts'

/** The filters of a webhook. An empty list matches everything. */
export type WebhookFilters = {
  readonly actions: readonly string[]
  readonly target_types: readonly string[]
  readonly targets: readonly string[]
}

/** The parts of an event that filters compare. */
export type FilteredEvent = { readonly action: string; readonly target_type: string; readonly target_id: string }

const knownActions = { ...eventActions, ...reservedEventActions }
const knownNames = Object.keys(knownActions)
const knownTypes = new Set<string>(Object.values(knownActions).map(({ target_type }) => target_type))

/** Why filters are refused. */
export type FilterProblem = {
  readonly code: 'duplicate_entry' | 'invalid_value'
  readonly field: string
  readonly message: string
}

/** Refuses filters with duplicates, and with actions or kinds that no event has. */
export function refuseFilters(filters: Partial<WebhookFilters>): FilterProblem | undefined {
  for (const [name, values] of Object.entries(filters)) {
    const duplicate = values.findIndex((value, index) => values.indexOf(value) < index)
    if (duplicate >= 0) {
      const field = `${name}.${duplicate}`
      return { code: 'duplicate_entry', field, message: 'This entry is a duplicate of an earlier one.' }
    }
  }
  const action = filters.actions?.findIndex((pattern) => !knownNames.some((name) => matchesAction(pattern, name))) ?? -1
  if (action >= 0) {
    const message = 'No action has this name. See the list of actions in the reference of the events.'
    return { code: 'invalid_value', field: `actions.${action}`, message }
  }
  const type = filters.target_types?.findIndex((name) => !knownTypes.has(name)) ?? -1
  if (type < 0) return undefined
  const message = `No event is about this kind of resource. Known kinds: ${[...knownTypes].sort().join(', ')}.`
  return { code: 'invalid_value', field: `target_types.${type}`, message }
}

/** Whether all filters match an event. */
export function matchesFilters({ actions, target_types, targets }: WebhookFilters, event: FilteredEvent): boolean {
  return (
    (actions.length === 0 || actions.some((pattern) => matchesAction(pattern, event.action))) &&
    (target_types.length === 0 || target_types.includes(event.target_type)) &&
    (targets.length === 0 || targets.includes(event.target_id))
  )
}

/** Whether an action equals a pattern, or begins with all of it before its `*`. */
function matchesAction(pattern: string, action: string): boolean {
  return pattern.endsWith('.*') ? action.startsWith(pattern.slice(0, -1)) : action === pattern
}
