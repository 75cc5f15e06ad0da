/** The deliveries of a webhook that failed at first or were requested, with their event, answer and latency. */
import type { WebhookDelivery, WebhookId } from '@bourse/sdk'
import { EventSentence } from '../events/event-sentence.tsx'
import { webhookDeliveries } from '../generated/rows/webhooks.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { choiceFilter } from '../live/lists/filters.tsx'
import { ListTab } from '../live/lists/list-page.tsx'
import { useEventOf } from './delivered-events.ts'
import { DeliveryDialog } from './delivery-dialog.tsx'

/** Deliveries emit no event, so they are read again at their own pace. */
const pace = 2_000

/** The list. */
export function Deliveries({ webhook }: { webhook: WebhookId }) {
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <p className="quiet">Only those that did not succeed at the first attempt, or were requested.</p>
      <ListTab
        name="Deliveries"
        operation="list_webhook_deliveries"
        fixed={{ id: webhook }}
        every={pace}
        columns={columns}
        filters={{ state: choiceFilter('State', ['pending', 'succeeded', 'failed']) }}
        opened={(delivery, close) => <Opened delivery={delivery} onClose={close} />}
        empty={{
          title: 'No delivery',
          text: `Events that were delivered at the first attempt are not listed. What fails is tried again, and can
            be sent anew.`,
        }}
      />
    </section>
  )
}

const columns = columnsOf(webhookDeliveries, [
  { of: 'created_at', title: 'When', as: 'moment' },
  'state',
  { of: 'event', none: 'a test', cell: (delivery) => <EventOf delivery={delivery} /> },
  { of: 'origin', title: 'Because of' },
  'attempts',
  { id: 'answer', title: 'Answer', value: answerOf },
  { of: 'next_attempt_at', as: 'moment' },
  { id: 'latency', title: 'Latency', as: 'milliseconds', value: ({ attempts }) => attempts.at(-1)?.duration_ms },
])

function answerOf({ attempts }: WebhookDelivery): string {
  const last = attempts.at(-1)
  return last === undefined ? '–' : (last.error?.replaceAll('_', ' ') ?? String(last.status))
}

function EventOf({ delivery }: { delivery: WebhookDelivery }) {
  const event = useEventOf(delivery)
  return event ? <EventSentence event={event} /> : <span className="mono">{delivery.event}</span>
}

function Opened({ delivery, onClose }: { delivery: WebhookDelivery; onClose: () => void }) {
  return <DeliveryDialog delivery={delivery} event={useEventOf(delivery)} onClose={onClose} />
}
