/** What a webhook is and may be: its row, its URL and its filters, and which events the filters match. */
import { eventActions, reservedEventActions } from '@bourse/api/events/actions.ts'
import type { Webhook } from '@bourse/api/webhooks/webhooks.ts'
import type { RefusalData } from '../core/base/refusal.ts'
import type { Tables } from '../core/generated/tables.ts'

/** A webhook. Deleted ones keep their row until they are purged. */
export type WebhookRow = Tables['webhooks'] & Pick<Webhook, 'ordering' | 'disabled_reason'>

/** The name of the version that rises with each change that the servers that deliver have to know. */
export const webhooksVersion = 'webhooks'

/** The columns of {@link WebhookRow}, of the table as `w`. */
export const webhookColumns = `w.id, w.account_id, w.url, w.description, w.actions, w.target_types, w.targets,
     w.ordering, w.enabled, w.disabled_reason, w.position, w.position_at, w.replay_position, w.replay_position_at,
     w.replay_until, w.replay_until_at, w.failures, w.failures_since, w.is_failing, w.last_success_at,
     w.last_failure_at, w.paused_until, w.next_attempt_at, w.secret, w.previous_secret, w.previous_secret_until,
     w.worker_id, w.epoch, w.revision, w.created_at, w.updated_at, w.deleted_at`

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

/**
 * Refuses a URL that is not one, has a user, a password or a fragment, or may not be reached: production takes https
 * and public addresses only.
 */
export function refuseUrl(
  text: string,
  { is_public_only, isPublicHost }: { is_public_only: boolean; isPublicHost: (hostname: string) => boolean },
): RefusalData | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isWeb = url && (url.protocol === 'https:' || url.protocol === 'http:')
  if (!isWeb) return { code: 'invalid_format', field: 'url', message: 'This must be an https URL.' }
  if (url.username !== '' || url.password !== '' || url.hash !== '' || text.includes('#')) {
    return { code: 'invalid_format', field: 'url', message: 'The URL must have no user, password or fragment.' }
  }
  if (!is_public_only) return undefined
  if (url.protocol !== 'https:') {
    return { code: 'address_not_allowed', field: 'url', message: 'The URL must begin with https://.' }
  }
  if (isPublicHost(url.hostname)) return undefined
  return { code: 'address_not_allowed', field: 'url', message: 'The address of the URL is not public.' }
}

/** Refuses filters with duplicates, and with actions or kinds that no event has. */
export function refuseFilters(filters: Partial<WebhookFilters>): RefusalData | undefined {
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

/** The state of a webhook as it is shown. */
export function stateOf({ enabled, is_failing }: { enabled: boolean; is_failing: boolean }) {
  if (!enabled) return 'disabled' as const
  return is_failing ? ('failing' as const) : ('active' as const)
}
