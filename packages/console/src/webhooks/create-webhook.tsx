/** The form of a new webhook, and its secret, which is shown once. */
import type { WebhookWithSecret } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { createWebhook } from '../generated/forms/webhooks.ts'
import { OperationDialog } from '../live/forms/form-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { SecretText } from './secret-text.tsx'

type Filters = { readonly action: string; readonly target: string; readonly target_type: string }
type CreateWebhookProps = { filters: Filters; onClose: () => void }

/** The dialog. */
export function CreateWebhook({ filters, onClose }: CreateWebhookProps) {
  const [made, setMade] = useState<WebhookWithSecret>()
  const { action, target, target_type } = filters
  // The filter that led here counts, not the one of a draft from before.
  const from = [action, target, target_type].join(' ').trim()
  if (!made) {
    return (
      <OperationDialog
        form={createWebhook}
        title="Create a webhook"
        action="Create"
        draft={`webhook ${from}`.trim()}
        initial={{ actions: action, target_types: target_type, targets: target, ordering: 'none' }}
        fields={[
          { name: 'url', placeholder: 'https://example.com/hook' },
          { name: 'actions', placeholder: '' },
          { name: 'target_types', placeholder: '' },
          { name: 'targets', label: 'Ids of resources' },
          {
            name: 'ordering',
            label: 'Order',
            hint: 'In order: the next event of a resource only after the one before succeeded',
            words: { none: 'Any order', per_target: 'In order for each resource' },
            empty: null,
          },
          'description',
        ]}
        finish={({ ordering, ...body }) => (ordering === 'none' ? body : { ...body, ordering })}
        nouns={['webhook']}
        onDone={setMade}
        onClose={onClose}
      />
    )
  }
  const close = () => {
    setMade(undefined)
    onClose()
  }
  return (
    <Dialog title="The secret of the webhook" isOpen onClose={close}>
      <SecretText secret={made.secret} />
      <DialogActions>
        <Link to="/webhooks/$id" params={{ id: made.id }}>
          Open the webhook
        </Link>
        <Button kind="primary" onClick={close}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}
