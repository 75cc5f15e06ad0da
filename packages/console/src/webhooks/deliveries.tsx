/** The deliveries of a webhook that failed at first or were requested, with request, answer and latency. */
import type { WebhookDelivery, WebhookId } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { webhookDeliveries } from '../generated/rows/webhooks.ts'
import { client } from '../live/client.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { choiceFilter } from '../live/lists/filters.tsx'
import { ListTab } from '../live/lists/list-page.tsx'
import { useAction } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { say } from '../ui/toasts.tsx'
import { Moment } from '../ui/values.tsx'

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
        opened={(delivery, close) => (
          <Dialog title="Delivery" isOpen onClose={close} isWide>
            <Shown delivery={delivery} onClose={close} />
          </Dialog>
        )}
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
  { of: 'origin', title: 'Because of' },
  { of: 'event', none: 'test' },
  'attempts',
  { id: 'answer', title: 'Answer', value: answerOf },
  { of: 'next_attempt_at', as: 'moment' },
  { id: 'latency', title: 'Latency', as: 'milliseconds', value: ({ attempts }) => attempts.at(-1)?.duration_ms },
])

function answerOf({ attempts }: WebhookDelivery): string {
  const last = attempts.at(-1)
  return last === undefined ? '–' : (last.error ?? String(last.status))
}

function Shown({ delivery, onClose }: { delivery: WebhookDelivery; onClose: () => void }) {
  const { id, webhook, event, attempts, next_attempt_at, created_at } = delivery
  const again = useAction(() => client.webhooks.redeliver({ id: webhook, delivery: id }), {
    nouns: ['delivery'],
    onDone: () => {
      say('The message is sent again.')
      onClose()
    },
  })
  return (
    <>
      <h3>Attempts</h3>
      <ul>
        {attempts.map(({ at, status, error, duration_ms }) => (
          <li key={`${at} ${duration_ms}`}>
            <Moment at={at} />: {error ?? status}, {duration_ms} ms
          </li>
        ))}
      </ul>
      {next_attempt_at === null ? null : (
        <p>
          The next attempt is due <Moment at={next_attempt_at} />.
        </p>
      )}
      <h3>Message</h3>
      <p>
        <code>webhook-id: {event ?? id}</code>
      </p>
      {event === null ? (
        <p>A test, without an event.</p>
      ) : (
        <Link to="/events" search={{ event, until: String(created_at) }}>
          Show the event
        </Link>
      )}
      <ErrorText error={again.error} />
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button kind="primary" onClick={() => again.run(undefined)} isBusy={again.isRunning}>
          Send again
        </Button>
      </DialogActions>
    </>
  )
}
