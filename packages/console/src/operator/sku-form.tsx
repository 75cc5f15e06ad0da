/** The form of a SKU: its terms and its properties. What the server refuses is said at its field. */
import type { AdministeredSku } from '@bourse/sdk'
import { type FormEvent, type ReactElement, type ReactNode, useState } from 'react'
import { client } from '../live/client.ts'
import { useAction, useRead } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { asCli, asSdk } from '../ui/requests.rules.ts'
import { say } from '../ui/toasts.tsx'
import {
  bodyOf,
  catalogFields,
  fieldsOf,
  flagsOfSku,
  type SkuFieldName,
  skuLabels,
  wrongOf,
} from './sku-fields.rules.ts'

const terms: readonly SkuFieldName[] = [
  'alias',
  'listed',
  'fee_bps',
  'flat_fee_dollars_per_node_hour',
  'price_step_dollars_per_node_hour',
  'simulated',
  'operator_hosts_only',
]
const hints: Partial<Record<SkuFieldName, string>> = {
  alias: 'Unique among SKUs that are not retired',
  listed: 'Without it, only accounts that own some of it, or have an override, see it',
  simulated: 'Hosts need not have its hardware: for development. Every buyer sees it.',
  operator_hosts_only: 'No partner supplies it. Every buyer sees that.',
  fee_bps: '100 are 1 % of a trade, paid by the seller',
  price_step_dollars_per_node_hour: 'Prices are multiples of it; resting orders keep theirs',
  memory_bytes: 'Of one node, such as 512 GiB',
  local_storage_bytes: 'Of one node, such as 4 TiB',
  infiniband_fabric: 'Only with the RDMA type infiniband',
}
const yesOrNo = { yes: 'Yes', no: 'No' }
const choices: Partial<Record<SkuFieldName, Readonly<Record<string, string>>>> = {
  listed: yesOrNo,
  simulated: yesOrNo,
  operator_hosts_only: yesOrNo,
  supports_public_ipv4: { '': 'Not said', ...yesOrNo },
}

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
        <div className="grid">{terms.map(field)}</div>
        <h3>What one node has</h3>
        <div className="grid">{names.filter((name) => !terms.includes(name)).map(field)}</div>
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

type SkuFieldProps = { name: SkuFieldName; value: string; error: Error | null; onChange: (value: string) => void }

function SkuField({ name, value, error, onChange }: SkuFieldProps) {
  const set = ({ target }: { target: { value: string } }) => onChange(target.value)
  const options = choices[name]
  const isCatalogued = (catalogFields as readonly string[]).includes(name)
  let input: ReactElement<{ id?: string }> = <input maxLength={255} value={value} onChange={set} />
  if (options) {
    input = (
      <select value={value} onChange={set}>
        {Object.entries(options).map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    )
  } else if (isCatalogued) input = <CatalogSelect name={name} value={value} onChange={onChange} />
  return (
    <Field label={skuLabels[name]} name={name} error={error} hint={hints[name]} wrong={wrongOf(name, value)}>
      {input}
    </Field>
  )
}

/** The properties with their values, which the operator keeps. */
export function useCatalog() {
  return useRead(['sku', 'catalog'], () => client.skuProperties.list().all())
}

type CatalogSelectProps = { name: string; value: string; onChange: (value: string) => void; id?: string }

function CatalogSelect({ name, value, onChange, ...rest }: CatalogSelectProps) {
  const values = useCatalog().data?.find((property) => property.name === name)?.values ?? []
  const isUnknown = value !== '' && values.every((one) => one.name !== value)
  return (
    <select {...rest} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">Not said</option>
      {isUnknown ? <option>{value}</option> : null}
      {values.map((one) => (
        <option key={one.name} value={one.name}>
          {one.display_name}
        </option>
      ))}
    </select>
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
