/** The fields of forms about SKUs: their names, and what they choose from. */
import { client } from '../live/client.ts'
import { Choice } from '../live/forms/choice.tsx'
import type { FieldPart, FieldParts, InputProps } from '../live/forms/fields.tsx'
import { useRead } from '../live/queries.ts'

/** The terms on which a SKU is traded and supplied. */
export const skuTerms = [
  { name: 'alias', label: 'Alias' },
  'fee_bps',
  'flat_fee_dollars_per_node_hour',
  'price_step_dollars_per_node_hour',
  'simulated',
  'operator_hosts_only',
  'public_prices_exclude_related',
  { name: 'benchmark_figures', placeholder: '' },
] as const satisfies FieldParts<string>

/** The properties of a SKU: what one node has. */
export const skuProperties = [
  { name: 'accelerator', input: catalogInput('accelerator') },
  { name: 'num_accelerators' },
  { name: 'num_vcpus' },
  { name: 'memory_bytes', placeholder: '512 GiB' },
  { name: 'local_storage_bytes', placeholder: '4 TiB' },
  { name: 'form_factor', input: catalogInput('form_factor') },
  { name: 'rdma_type', input: catalogInput('rdma_type') },
  { name: 'rdma_gigabits_per_second' },
  { name: 'infiniband_fabric', input: catalogInput('infiniband_fabric') },
  { name: 'supports_public_ipv4', words: { true: 'Yes', false: 'No' }, empty: 'Not said' },
  { name: 'region', input: catalogInput('region') },
  { name: 'availability_zone', input: catalogInput('availability_zone') },
] as const satisfies readonly FieldPart<string>[]

/** The name of a property of SKUs. */
export type SkuPropertyName = (typeof skuProperties)[number]['name']

/** The properties with their values, which the operator keeps. */
export function useCatalog() {
  return useRead(['sku', 'catalog'], () => client.skuProperties.list().all())
}

/** A choice among the values of a property. */
function catalogInput(property: string) {
  return function CatalogInput({ empty = 'Not said', ...rest }: InputProps) {
    const values = useCatalog().data?.find(({ name }) => name === property)?.values ?? []
    return <Choice {...rest} empty={empty} options={values.map((one) => ({ id: one.name, name: one.display_name }))} />
  }
}
