/** Filters of webhooks as texts, and the bodies of what they send. Pure. */
import type { Event, Webhook } from '@bourse/sdk'
import { type Addressee, eventBody, testBody } from '@bourse/text/webhook-messages.ts'

/** What a webhook sends, in words. `nameOf` tells what the ids of resources are called. */
export function filterText(
  { actions, target_types, targets }: Pick<Webhook, 'actions' | 'target_types' | 'targets'>,
  nameOf: (id: string) => string = (id) => id,
): string {
  const parts = [
    actions.length > 0 ? actions.join(', ') : 'every event',
    ...(target_types.length > 0 ? [`about ${target_types.join(', ')}`] : []),
    ...(targets.length > 0 ? [`of ${targets.map(nameOf).join(', ')}`] : []),
  ]
  return parts.join(' ')
}

/** What was sent about an event, or as a test, laid out to be read. */
export function bodyText(addressee: Addressee, event: Event | undefined, at: number): string {
  const sent = event ? eventBody(addressee, { ...event, json: JSON.stringify(event) }) : testBody(addressee, at)
  return JSON.stringify(JSON.parse(sent), null, 2)
}
