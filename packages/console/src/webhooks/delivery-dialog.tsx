/** One delivery: what was sent, what was answered to each attempt, and when the next one follows. */
import type { Event, WebhookDelivery } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { EventSentence } from '../events/event-sentence.tsx'
import { client } from '../live/client.ts'
import { useAccount } from '../live/clock.ts'
import { ownColumns } from '../live/lists/columns.ts'
import { LiveAge } from '../live/lists/formats.tsx'
import { useAction } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Table } from '../ui/table.tsx'
import { say } from '../ui/toasts.tsx'
import styles from './webhooks.module.css'
import { bodyText } from './webhooks.rules.ts'

type DeliveryDialogProps = {
  delivery: WebhookDelivery
  /** The event that it is about, where the log still has it close by. */
  event: Event | undefined
  onClose: () => void
}

/** The dialog. */
export function DeliveryDialog({ delivery, event, onClose }: DeliveryDialogProps) {
  const { id, webhook } = delivery
  const again = useAction(() => client.webhooks.redeliver({ id: webhook, delivery: id }), {
    nouns: ['delivery'],
    onDone: () => {
      say('The message is sent again.')
      onClose()
    },
  })
  return (
    <Dialog title="Delivery" isOpen onClose={onClose} isWide>
      <Subject delivery={delivery} event={event} />
      <Next delivery={delivery} />
      <Table
        name="Attempts"
        columns={columns}
        rows={delivery.attempts}
        keyOf={({ at, duration_ms }) => `${at} ${duration_ms}`}
      />
      <p className="quiet small">Of an answer only its status is kept.</p>
      <Message delivery={delivery} event={event} />
      <ErrorText error={again.error} />
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button kind="primary" onClick={() => again.run(undefined)} isBusy={again.isRunning}>
          Send again
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type Attempt = WebhookDelivery['attempts'][number]

const columns = ownColumns<Attempt>([
  { id: 'at', title: 'When', as: 'moment', value: ({ at }) => at },
  { id: 'answer', title: 'Answer', value: ({ error, status }) => error?.replaceAll('_', ' ') ?? status },
  { id: 'latency', title: 'Took', as: 'milliseconds', value: ({ duration_ms }) => duration_ms },
])

function Subject({ delivery: { event: id, created_at }, event }: Omit<DeliveryDialogProps, 'onClose'>) {
  if (id === null) return <p>A test, without an event.</p>
  return (
    <p>
      {event ? (
        <b>
          <EventSentence event={event} />
        </b>
      ) : null}{' '}
      <Link to="/events" search={{ event: id, until: String(created_at) }} title={id}>
        Show the event
      </Link>
    </p>
  )
}

function Next({ delivery: { state, next_attempt_at } }: Pick<DeliveryDialogProps, 'delivery'>) {
  if (next_attempt_at !== null) {
    return (
      <p>
        The next attempt follows <LiveAge at={next_attempt_at} />.
      </p>
    )
  }
  if (state === 'pending') return <p>It waits for an earlier delivery about the same resource.</p>
  return <p>{state === 'failed' ? 'No attempt follows: the last one has failed.' : 'It has arrived.'}</p>
}

function Message({ delivery, event }: Omit<DeliveryDialogProps, 'onClose'>) {
  const { data: account } = useAccount()
  if (!account || (delivery.event !== null && !event)) return null
  const addressee = { account: account.id, webhook: delivery.webhook }
  return (
    <details>
      <summary>The message</summary>
      <pre className={styles.message}>
        {`webhook-id: ${delivery.event ?? delivery.id}\n\n${bodyText(addressee, event, delivery.created_at)}`}
      </pre>
    </details>
  )
}
