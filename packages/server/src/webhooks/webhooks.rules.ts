/** What a webhook is and may be: its row, its URL and its state. */
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

/** The state of a webhook as it is shown. */
export function stateOf({ enabled, is_failing }: { enabled: boolean; is_failing: boolean }) {
  if (!enabled) return 'disabled' as const
  return is_failing ? ('failing' as const) : ('active' as const)
}
