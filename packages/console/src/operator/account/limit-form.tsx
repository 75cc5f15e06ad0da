/** Sets a limit of one account, or lets it follow the account's trust again. */
import type { Limit } from '@bourse/sdk'
import { type FormEvent, useState } from 'react'
import { client } from '../../live/client.ts'
import { useAction } from '../../live/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { Field } from '../../ui/field.tsx'

/** The dialog. An empty value means that there is no limit. */
export function LimitForm({ account, limit, onClose }: { account: string; limit: Limit; onClose: () => void }) {
  const { name, value, unit, source } = limit
  const [text, setText] = useState(value === null ? '' : String(value))
  const options = { nouns: ['limit'] as const, onDone: onClose }
  const put = useAction(
    () => client.accountLimits.put({ account, name }, { value: text === '' ? null : Number(text) }),
    options,
  )
  const reset = useAction(() => client.accountLimits.delete({ account, name }), options)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    put.run(undefined)
  }
  return (
    <Dialog title={`Limit of ${name.replaceAll('_', ' ')}`} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label={`Value (${unit.replaceAll('_', '-')})`} name="value" error={put.error} hint="Empty: no limit">
          <input inputMode="numeric" pattern="[0-9]*" value={text} onChange={({ target }) => setText(target.value)} />
        </Field>
        <ErrorText error={put.error ?? reset.error} />
        <DialogActions>
          {source === 'override' ? (
            <Button onClick={() => reset.run(undefined)} isBusy={reset.isRunning}>
              As the trust level says
            </Button>
          ) : null}
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={put.isRunning}>
            Set
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
