/** Halts and resumes trading, with a message that everybody sees. */
import type { MarketHalt, SkuId } from '@bourse/sdk'
import { type FormEvent, useState } from 'react'
import { useSkuChoices } from '../live/choices.ts'
import { client } from '../live/client.ts'
import { useAction } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { say } from '../ui/toasts.tsx'

type MarketChange = { readonly isHalt: boolean; readonly message: string; readonly sku: string }

/** The form. */
export function Market() {
  const [fields, setFields] = useState({ message: '', sku: '' })
  const [asked, setAsked] = useState<boolean>()
  const skus = useSkuChoices()
  const change = useAction(
    ({ isHalt, message, sku }: MarketChange) => {
      const body = { ...(message ? { message } : {}), ...(sku ? { sku: sku as SkuId } : {}) }
      return isHalt ? client.market.halt(body) : client.market.resume(body)
    },
    {
      nouns: ['orderbook', 'order'],
      onDone: (halt: MarketHalt) => {
        say(wordsOf(halt))
        setAsked(undefined)
      },
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
  }
  return (
    <form className="stack" onSubmit={submit}>
      <p>
        While the market is halted, no orders are taken and none are matched. Orders that rest stay, instances run on.
      </p>
      <Field label="SKU" name="sku" error={change.error} hint="All of them, or one">
        <select value={fields.sku} onChange={({ target }) => setFields({ ...fields, sku: target.value })}>
          <option value="">The whole market</option>
          {(skus.data ?? []).map(({ id, alias }) => (
            <option key={id} value={id}>
              {alias ?? id}
            </option>
          ))}
        </select>
      </Field>
      <Field label="Message" name="message" error={change.error} hint="What refused orders say">
        <input
          maxLength={255}
          value={fields.message}
          onChange={({ target }) => setFields({ ...fields, message: target.value })}
        />
      </Field>
      <ErrorText error={change.error ?? skus.error} />
      <div className="row">
        <Button kind="danger" type="submit">
          Halt
        </Button>
        <Button onClick={() => setAsked(false)}>Resume</Button>
      </div>
      <ConfirmDialog
        title={asked ? 'Halt trading?' : 'Resume trading?'}
        action={asked ? 'Halt' : 'Resume'}
        isDangerous={asked === true}
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        onConfirm={() => change.run({ isHalt: asked === true, ...fields })}
        isBusy={change.isRunning}
        error={change.error}
      >
        <p>{fields.sku ? 'For this SKU only.' : 'For the whole market.'}</p>
      </ConfirmDialog>
    </form>
  )
}

function wordsOf({ halted, skus }: MarketHalt): string {
  if (halted === 'none') return 'The market is open.'
  return halted === 'all' ? 'The whole market is halted.' : `${skus.length} SKUs are halted.`
}
