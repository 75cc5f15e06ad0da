/** The fields of forms about SKUs: their labels, what they choose from, and what is said about them. */
import { client } from '../live/client.ts'
import { Choice } from '../live/forms/choice.tsx'
import type { FieldPart, InputProps } from '../live/forms/fields.tsx'
import { useRead } from '../live/queries.ts'

const yes = { true: 'Yes' }
const yesOrNo = { true: 'Yes', false: 'No' }

/** The terms on which a SKU is traded and supplied. */
export const skuTerms = [
  { name: 'alias', label: 'Alias', hint: 'Unique among SKUs that are not retired' },
  {
    name: 'listed',
    words: yesOrNo,
    empty: null,
    hint: 'Without it, only accounts that own some of it, or have an override, see it',
  },
  { name: 'fee_bps', label: 'Fee in basis points', hint: '100 are 1 % of a trade, paid by the seller' },
  { name: 'flat_fee_dollars_per_node_hour', label: 'Flat fee, dollars a node-hour', placeholder: '0.000000' },
  {
    name: 'price_step_dollars_per_node_hour',
    label: 'Price step, dollars a node-hour',
    placeholder: '0.000001',
    hint: 'Prices are multiples of it; resting orders keep theirs',
  },
  {
    name: 'simulated',
    words: yes,
    empty: 'No',
    hint: 'Hosts need not have its hardware: for development. Every buyer sees it.',
  },
  {
    name: 'operator_hosts_only',
    label: 'Our hosts only',
    words: yes,
    empty: 'No',
    hint: 'No partner supplies it. Every buyer sees that.',
  },
  {
    name: 'public_prices_exclude_related',
    label: 'Prices without related trades',
    words: yes,
    empty: 'No',
    hint: 'Price history, trades and last prices leave out trades of accounts that share a person',
  },
  {
    name: 'benchmark_figures',
    label: 'Benchmarks',
    placeholder: '',
    hint: 'What buyers see of what suppliers measure, such as memory_bandwidth GB/s, fp16_dense TFLOP/s',
  },
] as const satisfies readonly FieldPart<string>[]

/** The properties of a SKU: what one node has. */
export const skuProperties = [
  { name: 'accelerator', label: 'Accelerator', input: catalogInput('accelerator') },
  { name: 'num_accelerators', label: 'Accelerators' },
  { name: 'num_vcpus', label: 'vCPUs' },
  { name: 'memory_bytes', label: 'Memory', hint: 'Of one node, such as 512 GiB' },
  { name: 'local_storage_bytes', label: 'Local storage', hint: 'Of one node, such as 4 TiB' },
  { name: 'form_factor', label: 'Form factor', input: catalogInput('form_factor') },
  { name: 'rdma_type', label: 'RDMA', input: catalogInput('rdma_type') },
  { name: 'rdma_gigabits_per_second', label: 'RDMA, Gbit/s' },
  {
    name: 'infiniband_fabric',
    label: 'InfiniBand fabric',
    hint: 'Only with the RDMA type infiniband',
    input: catalogInput('infiniband_fabric'),
  },
  { name: 'supports_public_ipv4', label: 'Public IPv4', words: yesOrNo, empty: 'Not said' },
  { name: 'region', label: 'Region', input: catalogInput('region') },
  { name: 'availability_zone', label: 'Zone', input: catalogInput('availability_zone') },
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
