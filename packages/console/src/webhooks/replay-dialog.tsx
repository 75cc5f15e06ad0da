/** Sends everything since a moment again. */
import type { WebhookId } from '@bourse/sdk'
import { replayWebhook } from '../generated/forms/webhooks.ts'
import { useNow } from '../live/clock.ts'
import { OperationDialog } from '../live/forms/form-dialog.tsx'

/** Seconds that are sent again. */
const spans = {
  '900': 'The last 15 minutes',
  '3600': 'The last hour',
  '21600': 'The last 6 hours',
  '86400': 'The last day',
  '604800': 'All that is kept, 7 days',
} as const

/** The dialog. */
export function ReplayDialog({ webhook, onClose }: { webhook: WebhookId; onClose: () => void }) {
  // A whole minute, so that the lines to copy do not change each second.
  const now = useNow()
  const minute = now - (now % 60)
  return (
    <OperationDialog
      form={replayWebhook}
      params={{ id: webhook }}
      title="Send events again"
      action="Send again"
      about={<p>Events keep their ids, so a receiver that has handled one can tell. New events go on beside them.</p>}
      extras={{ span: '3600' }}
      fields={[{ name: 'span', member: 'since', label: 'From', words: spans, empty: null }]}
      finish={(_, { span }) => ({ since: Math.max(0, minute - Number(span)) })}
      nouns={['webhook', 'delivery']}
      said={() => 'The events are sent again.'}
      onClose={onClose}
    />
  )
}
