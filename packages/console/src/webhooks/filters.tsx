/** What a webhook sends, with names in the place of ids. */
import type { Webhook } from '@bourse/sdk'
import { useNames } from '../live/names/names.ts'
import { filterText } from './webhooks.rules.ts'

/** The filters as a sentence. */
export function Filters({ webhook }: { webhook: Webhook }) {
  const names = useNames(webhook.targets)
  return <span title={filterText(webhook)}>{filterText(webhook, names)}</span>
}
