/** Filters of webhooks as texts and fields. Pure. */
import type { CreateWebhookBody, Webhook } from '@bourse/sdk'

/** What a webhook sends, in words. */
export function filterText({ actions, target_types, targets }: Pick<Webhook, 'actions' | 'target_types' | 'targets'>) {
  const parts = [
    actions.length > 0 ? actions.join(', ') : 'every event',
    ...(target_types.length > 0 ? [`about ${target_types.join(', ')}`] : []),
    ...(targets.length > 0 ? [`of ${targets.join(', ')}`] : []),
  ]
  return parts.join(' ')
}

/** The fields of the form. Lists are typed with commas or blanks between their entries. */
export type WebhookFields = {
  readonly url: string
  readonly description: string
  readonly actions: string
  readonly target_types: string
  readonly targets: string
  readonly ordering: string
}

/** The body that the fields make. What is empty is left out. */
export function bodyOf({ url, description, ordering, ...lists }: WebhookFields): CreateWebhookBody {
  const { actions, target_types, targets } = lists
  return {
    url: url.trim(),
    ...(description.trim() ? { description: description.trim() } : {}),
    ...listed('actions', actions),
    ...listed('target_types', target_types),
    ...listed('targets', targets),
    ...(ordering === 'per_target' ? { ordering } : {}),
  }
}

function listed(name: string, text: string): Record<string, string[]> {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '')
  return entries.length === 0 ? {} : { [name]: entries }
}
