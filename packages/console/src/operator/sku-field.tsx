/** The fields of forms about SKUs. */
import type { ReactElement, ReactNode } from 'react'
import { client } from '../live/client.ts'
import { useRead } from '../live/queries.ts'
import { Field } from '../ui/field.tsx'
import { catalogFields, type SkuFieldName, skuLabels, wrongOf } from './sku-fields.rules.ts'

const hints: Partial<Record<SkuFieldName, string>> = {
  alias: 'Unique among SKUs that are not retired',
  listed: 'Without it, only accounts that own some of it, or have an override, see it',
  simulated: 'Hosts need not have its hardware: for development. Every buyer sees it.',
  operator_hosts_only: 'No partner supplies it. Every buyer sees that.',
  public_prices_exclude_related:
    'Price history, trades and last prices leave out trades of accounts that share a person',
  benchmark_figures: 'What buyers see of what suppliers measure, such as memory_bandwidth GB/s, fp16_dense TFLOP/s',
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
  public_prices_exclude_related: yesOrNo,
  supports_public_ipv4: { '': 'Not said', ...yesOrNo },
}

type SkuFieldProps = {
  name: SkuFieldName
  value: string
  error: Error | null
  onChange: (value: string) => void
  /** Instead of the usual hint. */
  hint?: ReactNode
  /** What an empty choice says. */
  unset?: string
}

/** A field of a SKU, by the kind of its values. */
export function SkuField({ name, value, error, onChange, hint = hints[name], unset = 'Not said' }: SkuFieldProps) {
  const set = ({ target }: { target: { value: string } }) => onChange(target.value)
  const options = choices[name]
  const isCatalogued = (catalogFields as readonly string[]).includes(name)
  let input: ReactElement<{ id?: string }> = <input maxLength={255} value={value} onChange={set} />
  if (options) {
    input = (
      <select value={value} onChange={set}>
        {Object.entries(options).map(([one, text]) => (
          <option key={one} value={one}>
            {one === '' ? unset : text}
          </option>
        ))}
      </select>
    )
  } else if (isCatalogued) input = <CatalogSelect {...{ name, value, onChange, unset }} />
  return (
    <Field label={skuLabels[name]} name={name} error={error} hint={hint} wrong={wrongOf(name, value)}>
      {input}
    </Field>
  )
}

/** The properties with their values, which the operator keeps. */
export function useCatalog() {
  return useRead(['sku', 'catalog'], () => client.skuProperties.list().all())
}

type CatalogSelectProps = Pick<SkuFieldProps, 'name' | 'value' | 'onChange'> & { unset: string; id?: string }

function CatalogSelect({ name, value, onChange, unset, ...rest }: CatalogSelectProps) {
  const values = useCatalog().data?.find((property) => property.name === name)?.values ?? []
  const isUnknown = value !== '' && values.every((one) => one.name !== value)
  return (
    <select {...rest} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{unset}</option>
      {isUnknown ? <option>{value}</option> : null}
      {values.map((one) => (
        <option key={one.name} value={one.name}>
          {one.display_name}
        </option>
      ))}
    </select>
  )
}
