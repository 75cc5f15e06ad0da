/** One webhook: its state, what failed, and how to send it again. */
import type { UpdateWebhookBody, Webhook, WebhookWithSecret } from '@bourse/sdk'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../live/client.ts'
import { ConfirmOperation } from '../live/forms/confirm.tsx'
import type { Noun } from '../live/nouns.rules.ts'
import { useAction, useItem } from '../live/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Facts, Loading, Page } from '../ui/page.tsx'
import { say } from '../ui/toasts.tsx'
import { Copyable, Moment } from '../ui/values.tsx'
import { Deliveries } from './deliveries.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { SecretText } from './secret-text.tsx'
import { filterText } from './webhooks.rules.ts'

/** The page. */
export function WebhookPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { data: webhook, error } = useItem('get_webhook', id)
  return (
    <Page
      title={webhook?.url ?? 'Webhook'}
      help={
        <>
          The server sends the events of the filters to this URL. Only what failed at first, or was requested, is listed
          below, with each attempt.
        </>
      }
      guide="/docs/guides/events"
    >
      <ErrorText error={error} />
      {webhook ? <Shown webhook={webhook} /> : error ? null : <Loading />}
    </Page>
  )
}

function Shown({ webhook }: { webhook: Webhook }) {
  const { id, state, disabled_reason, ordering, description, replay } = webhook
  return (
    <>
      <Actions webhook={webhook} />
      <Facts
        facts={[
          ['State', <Badge key="state" word={state} />],
          ...(disabled_reason ? [['Disabled by', disabled_reason] as const] : []),
          ['Sends', filterText(webhook)],
          ['Order', ordering === 'per_target' ? 'in order for each resource' : 'any order'],
          ['Last success', <Moment key="success" at={webhook.last_success_at} />],
          ['Last failure', <Moment key="failure" at={webhook.last_failure_at} />],
          ['Id', <Copyable key="id" text={id} />],
          ...(description ? [['Description', description] as const] : []),
          ...(replay ? [['Replay', 'running'] as const] : []),
        ]}
      />
      <Deliveries webhook={id} />
    </>
  )
}

type Opened = 'replay' | 'rotate' | 'delete' | undefined

function Actions({ webhook: { id, enabled, url } }: { webhook: Webhook }) {
  const [opened, setOpened] = useState<Opened>()
  const [rotated, setRotated] = useState<WebhookWithSecret>()
  const navigate = useNavigate()
  const close = () => setOpened(undefined)
  const nouns: readonly Noun[] = ['webhook', 'delivery']
  const test = useAction(() => client.webhooks.test(id), { nouns, onDone: () => say('A test message is on its way.') })
  const change = useAction((body: UpdateWebhookBody) => client.webhooks.update(id, body), { nouns })
  return (
    <>
      <div className="row">
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
      </div>
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
          onDone={() => void navigate({ to: '/webhooks' })}
          onClose={close}
        >
          <p>Nothing more is sent to {url}. What is pending ends.</p>
        </ConfirmOperation>
      ) : null}
    </>
  )
}
