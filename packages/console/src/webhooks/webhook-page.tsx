/** One webhook: its state, what failed, and how to send it again. */
import type { UpdateWebhookBody, Webhook, WebhookWithSecret } from '@bourse/sdk'
import { useState } from 'react'
import { webhooks } from '../generated/rows/webhooks.ts'
import { client } from '../live/client.ts'
import { ConfirmOperation } from '../live/forms/confirm.tsx'
import { columnsOf } from '../live/lists/columns.ts'
import { Details } from '../live/lists/details.tsx'
import { ItemPage } from '../live/lists/item-page.tsx'
import type { Noun } from '../live/nouns.rules.ts'
import { useAction } from '../live/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { say } from '../ui/toasts.tsx'
import { Deliveries } from './deliveries.tsx'
import { Filters } from './filters.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { SecretText } from './secret-text.tsx'
import { filterText } from './webhooks.rules.ts'

/** The page. */
export function WebhookPage() {
  return (
    <ItemPage
      operation="get_webhook"
      parent={{ to: '/webhooks', title: 'Webhooks' }}
      titleOf={({ url }) => url}
      beside={({ state }) => <Badge word={state} />}
      help={`The server sends the events of the filters to this URL. Only what failed at first, or was requested, is
        listed below, with each attempt.`}
      guide="/docs/guides/events"
      actions={(webhook) => <Actions webhook={webhook} />}
    >
      {(webhook) => (
        <>
          <Details columns={facts} row={webhook} />
          <Deliveries webhook={webhook.id} />
        </>
      )}
    </ItemPage>
  )
}

const facts = columnsOf(webhooks, [
  { of: 'disabled_reason', title: 'Disabled by', isOptional: true },
  { id: 'filters', title: 'Sends', value: (row) => filterText(row), cell: (row) => <Filters webhook={row} /> },
  {
    of: 'ordering',
    title: 'Order',
    value: (row) => (row.ordering === 'per_target' ? 'in order for each resource' : 'any order'),
  },
  { of: 'last_success_at', as: 'moment' },
  { of: 'last_failure_at', as: 'moment' },
  'id',
  { of: 'description', isOptional: true },
  { id: 'replay', title: 'Replay', value: ({ replay }) => replay && 'running', isOptional: true },
])

type OpenedDialog = 'replay' | 'rotate' | 'delete' | undefined

function Actions({ webhook: { id, enabled, url } }: { webhook: Webhook }) {
  const [opened, setOpened] = useState<OpenedDialog>()
  const [rotated, setRotated] = useState<WebhookWithSecret>()
  const close = () => setOpened(undefined)
  const nouns: readonly Noun[] = ['webhook', 'delivery']
  const test = useAction(() => client.webhooks.test(id), { nouns, onDone: () => say('A test message is on its way.') })
  const change = useAction((body: UpdateWebhookBody) => client.webhooks.update(id, body), { nouns })
  return (
    <>
      <Button onClick={() => test.run(undefined)} isBusy={test.isRunning}>
        Send a test
      </Button>
      <Button onClick={() => change.run({ enabled: !enabled })} isBusy={change.isRunning}>
        {enabled ? 'Disable' : 'Enable'}
      </Button>
      <Button onClick={() => setOpened('replay')} disabled={!enabled}>
        Send again from a moment
      </Button>
      <Button onClick={() => setOpened('rotate')}>Rotate the secret</Button>
      <Button kind="danger" onClick={() => setOpened('delete')}>
        Delete
      </Button>
      <ErrorText error={test.error ?? change.error} />
      {opened === 'replay' ? <ReplayDialog webhook={id} onClose={close} /> : null}
      {opened === 'rotate' ? (
        <ConfirmOperation
          operation="rotate_webhook_secret"
          params={{ id }}
          title="Rotate the secret?"
          action="Rotate"
          isDangerous={false}
          nouns={nouns}
          onDone={(made) => {
            setRotated(made)
            close()
          }}
          onClose={close}
        >
          <p>The new secret signs at once, and the old one beside it for a day.</p>
        </ConfirmOperation>
      ) : null}
      <Dialog title="The new secret" isOpen={rotated !== undefined} onClose={() => setRotated(undefined)}>
        <SecretText secret={rotated?.secret ?? ''} />
        <DialogActions>
          <Button onClick={() => setRotated(undefined)}>Done</Button>
        </DialogActions>
      </Dialog>
      {opened === 'delete' ? (
        <ConfirmOperation
          operation="delete_webhook"
          params={{ id }}
          title="Delete the webhook?"
          action="Delete"
          nouns={nouns}
          leadsTo="/webhooks"
          onClose={close}
        >
          <p>Nothing more is sent to {url}. What is pending ends.</p>
        </ConfirmOperation>
      ) : null}
    </>
  )
}
