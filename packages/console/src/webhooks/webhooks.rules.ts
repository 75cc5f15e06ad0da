/** Filters of webhooks as texts. Pure. */
import type { Webhook } from '@bourse/sdk'

/** What a webhook sends, in words. */
export function filterText({ actions, target_types, targets }: Pick<Webhook, 'actions' | 'target_types' | 'targets'>) {
  const parts = [
    actions.length > 0 ? actions.join(', ') : 'every event',
    ...(target_types.length > 0 ? [`about ${target_types.join(', ')}`] : []),
    ...(targets.length > 0 ? [`of ${targets.join(', ')}`] : []),
  ]
  return parts.join(' ')
}
