/** The form of a new webhook, and its secret, which is shown once. */
import type { WebhookWithSecret } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { client } from '../live/client.ts'
import { useDraft } from '../live/drafts/use-draft.ts'
import { useAction } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { asCli, asCurl, asSdk } from '../ui/requests.rules.ts'
import { SecretText } from './secret-text.tsx'
import { bodyOf, type WebhookFields } from './webhooks.rules.ts'

type Filters = { readonly action: string; readonly target: string; readonly target_type: string }
type CreateProps = { isOpen: boolean; filters: Filters; onClose: () => void }

/** The dialog. */
export function CreateWebhook({ isOpen, filters, onClose }: CreateProps) {
  const [made, setMade] = useState<WebhookWithSecret>()
  const close = () => {
    setMade(undefined)
    onClose()
  }
  return (
    <Dialog title={made ? 'The secret of the webhook' : 'Create a webhook'} isOpen={isOpen} onClose={close}>
      {made ? <Made webhook={made} onClose={close} /> : <Form filters={filters} onDone={setMade} onClose={close} />}
    </Dialog>
  )
}

function Made({ webhook, onClose }: { webhook: WebhookWithSecret; onClose: () => void }) {
  return (
    <>
      <SecretText secret={webhook.secret} />
      <DialogActions>
        <Link to="/webhooks/$id" params={{ id: webhook.id }}>
          Open the webhook
        </Link>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </>
  )
}

type FormProps = { filters: Filters; onDone: (made: WebhookWithSecret) => void; onClose: () => void }

function Form({ filters, onDone, onClose }: FormProps) {
  const [fields, setFields, clear] = useDraft<WebhookFields & { from: string }>('webhook', { ...emptyFields, from: '' })
  const given = { actions: filters.action, target_types: filters.target_type, targets: filters.target }
  const from = Object.values(given).join(' ').trim()
  // The filter that led here counts, not the one of a draft from before; from then on, what is typed.
  const shown = from === '' || from === fields.from ? fields : { ...fields, ...given, from }
  const create = useAction(client.webhooks.create, {
    nouns: ['webhook'],
    onDone: (webhook) => {
      clear()
      onDone(webhook)
    },
  })
  const set = (name: keyof WebhookFields) => ({
    value: shown[name],
    onChange: ({ target }: { target: { value: string } }) => setFields({ ...shown, [name]: target.value }),
  })
  const body = bodyOf(shown)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.run(body)
  }
  const error = create.error
  return (
    <form className="stack" onSubmit={submit}>
      <Field
        label="URL"
        name="url"
        error={error}
        hint="https, of a public address; a sandbox also takes http and private ones"
      >
        <input type="url" required maxLength={2048} placeholder="https://example.com/hook" {...set('url')} />
      </Field>
      <Field label="Actions" name="actions" error={error} hint="For example: order.filled, instance.*; empty for all">
        <input {...set('actions')} />
      </Field>
      <Field label="Kinds of resources" name="target_types" error={error} hint="For example: instance; empty for all">
        <input {...set('target_types')} />
      </Field>
      <Field label="Ids of resources" name="targets" error={error}>
        <input {...set('targets')} />
      </Field>
      <Field
        label="Order"
        name="ordering"
        error={error}
        hint="In order: the next event of a resource only after the one before succeeded"
      >
        <select {...set('ordering')}>
          <option value="none">Any order</option>
          <option value="per_target">In order for each resource</option>
        </select>
      </Field>
      <Field label="Description" name="description" error={error}>
        <input maxLength={1024} {...set('description')} />
      </Field>
      <ErrorText error={error} />
      <CodeLines ways={waysOf(body)} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={create.isRunning}>
          Create
        </Button>
      </DialogActions>
    </form>
  )
}

const emptyFields: WebhookFields = {
  url: '',
  description: '',
  actions: '',
  target_types: '',
  targets: '',
  ordering: 'none',
}

function waysOf(body: ReturnType<typeof bodyOf>) {
  const { url, description, ordering, ...lists } = body
  const repeated = Object.entries(lists)
    .flatMap(([name, entries]) => [entries].flat().map((entry) => ` --${name.replaceAll('_', '-')} '${entry}'`))
    .join('')
  return {
    CLI: asCli('webhooks create', { url, description, ordering }) + repeated,
    curl: asCurl({ method: 'POST', path: '/preview/v2/webhooks', body }, location.origin),
    SDK: asSdk('webhooks.create', body),
  }
}
