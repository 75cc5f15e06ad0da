/** The form of a SKU: its terms and its properties. What the server refuses is said at its field. */
import type { AdministeredSku } from '@bourse/sdk'
import { type FormEvent, type ReactNode, useState } from 'react'
import { client } from '../live/client.ts'
import { useAction } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { asCli, asSdk } from '../ui/requests.rules.ts'
import { say } from '../ui/toasts.tsx'
import { SkuField } from './sku-field.tsx'
import {
  bodyOf,
  fieldsOf,
  flagsOfSku,
  type SkuFieldName,
  skuLabels,
  skuPropertyFields,
  skuTerms,
  wrongOf,
} from './sku-fields.rules.ts'

type SkuFormProps = { sku?: AdministeredSku; onClose: () => void; end?: ReactNode }

/** The dialog, for a new SKU or an existing one. */
export function SkuForm({ sku, onClose, end }: SkuFormProps) {
  const [before, setBefore] = useState(() => fieldsOf(sku))
  const [fields, setFields] = useState(before)
  const body = bodyOf(fields, before)
  const save = useAction(() => (sku ? client.skus.update(sku.id, body) : client.skus.create(body)), {
    nouns: ['sku'],
    onDone: (saved: AdministeredSku) => {
      say(sku ? `Changed ${saved.alias}.` : `Created ${saved.alias}.`)
      if (!sku) return onClose()
      setBefore(fieldsOf(saved))
      setFields(fieldsOf(saved))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.run(undefined)
  }
  const names = Object.keys(skuLabels) as SkuFieldName[]
  const isWrong = names.some((name) => wrongOf(name, fields[name]) !== undefined)
  const field = (name: SkuFieldName) => (
    <SkuField
      key={name}
      name={name}
      value={fields[name]}
      error={save.error}
      onChange={(value) => setFields({ ...fields, [name]: value })}
    />
  )
  return (
    <Dialog title={sku ? sku.alias || sku.id : 'Create a SKU'} isOpen onClose={onClose} isWide>
      <form className="stack" onSubmit={submit}>
        <div className="grid">{skuTerms.map(field)}</div>
        <h3>What one node has</h3>
        <div className="grid">{skuPropertyFields.map(field)}</div>
        <ErrorText error={save.error} />
        <SameAsCommand sku={sku} body={body} />
        <DialogActions>
          {end}
          <Button onClick={onClose}>Close</Button>
          <Button
            kind="primary"
            type="submit"
            isBusy={save.isRunning}
            disabled={isWrong || (sku !== undefined && Object.keys(body).length === 0)}
          >
            {sku ? 'Save' : 'Create'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** The request as lines. */
function SameAsCommand({ sku, body }: { sku: AdministeredSku | undefined; body: ReturnType<typeof bodyOf> }) {
  const call = asSdk(sku ? 'skus.update' : 'skus.create', body)
  return (
    <CodeLines
      ways={{
        CLI: asCli(sku ? `skus update ${sku.alias || sku.id}` : 'skus create', flagsOfSku(body)),
        SDK: sku ? call.replace('(', `('${sku.id}', `) : call,
      }}
    />
  )
}
