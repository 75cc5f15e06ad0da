/** Sends everything since a moment again. */

import type { WebhookId } from '@bourse/sdk'
import { daySeconds, hourSeconds, weekSeconds } from '@bourse/text/time/units.ts'
import { type FormEvent, useState } from 'react'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { useAction } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { asCli, asCurl } from '../ui/requests.rules.ts'
import { say } from '../ui/toasts.tsx'

const spans: Readonly<Record<string, number>> = {
  'The last 15 minutes': 900,
  'The last hour': hourSeconds,
  'The last 6 hours': 21_600,
  'The last day': daySeconds,
  'All that is kept, 7 days': weekSeconds,
}

type ReplayProps = { webhook: WebhookId; isOpen: boolean; onClose: () => void }

/** The dialog. */
export function ReplayDialog({ webhook, isOpen, onClose }: ReplayProps) {
  const now = useNow()
  const [span, setSpan] = useState('The last hour')
  const since = Math.max(0, now - (spans[span] ?? hourSeconds))
  const replay = useAction(() => client.webhooks.replay(webhook, { since }), {
    nouns: ['webhook', 'delivery'],
    onDone: () => {
      say('The events are sent again.')
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    replay.run(undefined)
  }
  const body = { since }
  return (
    <Dialog title="Send events again" isOpen={isOpen} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>Events keep their ids, so a receiver that has handled one can tell. New events go on beside them.</p>
        <Field label="From" name="since" error={replay.error}>
          <select value={span} onChange={({ target }) => setSpan(target.value)}>
            {Object.keys(spans).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
        <ErrorText error={replay.error} />
        <CodeLines
          ways={{
            CLI: asCli(`webhooks replay ${webhook}`, { since }),
            curl: asCurl({ method: 'POST', path: `/preview/v2/webhooks/${webhook}/replay`, body }, location.origin),
          }}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={replay.isRunning}>
            Send again
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
