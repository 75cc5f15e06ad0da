/** The deliveries of a webhook that failed at first or were requested, with request, answer and latency. */
import type { WebhookDelivery, WebhookId } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../live/client.ts'
import { ListView } from '../live/lists/list-view.tsx'
import { useAction, useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Empty } from '../ui/page.tsx'
import { allOr, Select } from '../ui/select.tsx'
import type { Column } from '../ui/table.tsx'
import { say } from '../ui/toasts.tsx'
import { Moment } from '../ui/values.tsx'

/** Deliveries emit no event, so they are read again at their own pace. */
const pace = 2_000

/** The list. */
export function Deliveries({ webhook }: { webhook: WebhookId }) {
  const [{ state }, setAddress] = useAddress({ state: '' })
  const [opened, setOpened] = useState<string>()
  const list = useList('list_webhook_deliveries', { id: webhook, state }, { every: pace })
  const delivery = list.rows.find(({ id }) => id === opened)
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <Select
        label="State"
        value={state}
        onChange={(next) => setAddress({ state: next })}
        options={allOr(['pending', 'succeeded', 'failed'])}
      />
      <ListView
        name="Deliveries"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={({ id }) => setOpened(id)}
        empty={
          <Empty title="No delivery">
            Events that were delivered at the first attempt are not listed. What fails is tried again, and can be sent
            anew.
          </Empty>
        }
      />
      <Dialog title="Delivery" isOpen={delivery !== undefined} onClose={() => setOpened(undefined)} isWide>
        {delivery ? <Shown delivery={delivery} onClose={() => setOpened(undefined)} /> : null}
      </Dialog>
    </section>
  )
}

const columns: readonly Column<WebhookDelivery>[] = [
  {
    id: 'created_at',
    title: 'When',
    value: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Moment at={created_at} />,
  },
  { id: 'state', title: 'State', value: ({ state }) => state, cell: ({ state }) => <Badge word={state} /> },
  { id: 'origin', title: 'Because of', value: ({ origin }) => origin, cell: ({ origin }) => origin },
  { id: 'event', title: 'Event', value: ({ event }) => event, cell: ({ event }) => event ?? 'test' },
  {
    id: 'attempts',
    title: 'Attempts',
    value: ({ attempts }) => attempts.length,
    cell: ({ attempts }) => attempts.length,
    isNumber: true,
  },
  {
    id: 'answer',
    title: 'Answer',
    value: (delivery) => answerOf(delivery),
    cell: (delivery) => answerOf(delivery),
  },
  {
    id: 'latency',
    title: 'Latency',
    value: ({ attempts }) => attempts.at(-1)?.duration_ms,
    cell: ({ attempts }) => (attempts.length > 0 ? `${attempts.at(-1)?.duration_ms} ms` : '–'),
    isNumber: true,
  },
]

function answerOf({ attempts }: WebhookDelivery): string {
  const last = attempts.at(-1)
  return last === undefined ? '–' : (last.error ?? String(last.status))
}

function Shown({ delivery, onClose }: { delivery: WebhookDelivery; onClose: () => void }) {
  const { id, webhook, event, attempts, created_at } = delivery
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
