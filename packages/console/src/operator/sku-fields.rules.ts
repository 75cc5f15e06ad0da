/** The form of a SKU: its terms and properties as texts, and the request that they make. Pure. */

import type { AdministeredSku, CreateSkuBody } from '@bourse/sdk'
import { binarySizeOf } from '@bourse/text/formats/amounts.ts'
import { readSize } from '@bourse/text/grammar/amounts.ts'
import { isInputProblem } from '@bourse/text/grammar/input-problem.ts'

/** Properties whose values come from the catalog. */
export const catalogFields = [
  'region',
  'availability_zone',
  'accelerator',
  'form_factor',
  'rdma_type',
  'infiniband_fabric',
] as const
const counts = ['num_accelerators', 'num_vcpus', 'rdma_gigabits_per_second'] as const
const switches = [
  'listed',
  'simulated',
  'operator_hosts_only',
  'public_prices_exclude_related',
  'supports_public_ipv4',
] as const
const sizes = ['memory_bytes', 'local_storage_bytes'] as const
const prices = ['flat_fee_dollars_per_node_hour', 'price_step_dollars_per_node_hour'] as const

/** What is typed: every value is a text; empty is not set. */
export type SkuFields = Record<
  | (typeof catalogFields)[number]
  | (typeof counts)[number]
  | (typeof sizes)[number]
  | (typeof prices)[number]
  | (typeof switches)[number]
  | 'alias'
  | 'fee_bps'
  | 'benchmark_figures',
  string
>

/** The name of a field. */
export type SkuFieldName = keyof SkuFields

/** The fields in the order of the form, with their labels. */
export const skuLabels: Readonly<Record<SkuFieldName, string>> = {
  alias: 'Alias',
  listed: 'Listed',
  simulated: 'Simulated',
  operator_hosts_only: 'Our hosts only',
  public_prices_exclude_related: 'Prices without related trades',
  benchmark_figures: 'Benchmarks',
  fee_bps: 'Fee in basis points',
  flat_fee_dollars_per_node_hour: 'Flat fee, dollars a node-hour',
  price_step_dollars_per_node_hour: 'Price step, dollars a node-hour',
  accelerator: 'Accelerator',
  num_accelerators: 'Accelerators',
  num_vcpus: 'vCPUs',
  memory_bytes: 'Memory',
  local_storage_bytes: 'Local storage',
  form_factor: 'Form factor',
  rdma_type: 'RDMA',
  rdma_gigabits_per_second: 'RDMA, Gbit/s',
  infiniband_fabric: 'InfiniBand fabric',
  supports_public_ipv4: 'Public IPv4',
  region: 'Region',
  availability_zone: 'Zone',
}

/** The terms on which a SKU is traded and supplied. */
export const skuTerms: readonly SkuFieldName[] = [
  'alias',
  'listed',
  'fee_bps',
  'flat_fee_dollars_per_node_hour',
  'price_step_dollars_per_node_hour',
  'simulated',
  'operator_hosts_only',
  'public_prices_exclude_related',
  'benchmark_figures',
]
/** The properties of a SKU: what one node has. */
export const skuPropertyFields = (Object.keys(skuLabels) as SkuFieldName[]).filter((name) => !skuTerms.includes(name))

/** The fields of a SKU, or of a new one. */
export function fieldsOf(sku: AdministeredSku | undefined): SkuFields {
  const text = (property: { value: unknown } | undefined) => (property === undefined ? '' : String(property.value))
  return {
    alias: sku?.alias ?? '',
    listed: sku?.listed === false ? 'no' : 'yes',
    simulated: sku?.simulated ? 'yes' : 'no',
    operator_hosts_only: sku?.operator_hosts_only ? 'yes' : 'no',
    public_prices_exclude_related: sku?.public_prices_exclude_related ? 'yes' : 'no',
    benchmark_figures: sku?.benchmark_figures?.join(', ') ?? '',
    fee_bps: String(sku?.fee_bps ?? 0),
    flat_fee_dollars_per_node_hour: sku?.flat_fee_dollars_per_node_hour ?? '0.000000',
    price_step_dollars_per_node_hour: sku?.price_step_dollars_per_node_hour ?? '0.000001',
    accelerator: text(sku?.accelerator),
    num_accelerators: text(sku?.num_accelerators),
    num_vcpus: text(sku?.num_vcpus),
    memory_bytes: sizeOf(sku?.memory_bytes?.value),
    local_storage_bytes: sizeOf(sku?.local_storage_bytes?.value),
    form_factor: text(sku?.form_factor),
    rdma_type: text(sku?.rdma_type),
    rdma_gigabits_per_second: text(sku?.rdma_gigabits_per_second),
    infiniband_fabric: sku?.infiniband_fabric ?? '',
    supports_public_ipv4: sku?.supports_public_ipv4 ? (sku.supports_public_ipv4.value ? 'yes' : 'no') : '',
    region: text(sku?.region),
    availability_zone: text(sku?.availability_zone),
  }
}

function sizeOf(bytes: number | undefined): string {
  return bytes === undefined ? '' : binarySizeOf(bytes)
}

/** What is wrong with a field, where no server is needed to see it. */
export function wrongOf(name: SkuFieldName, text: string): string | undefined {
  if (text.trim() === '') return undefined
  const isCount = name === 'fee_bps' || (counts as readonly string[]).includes(name)
  if (isCount && !/^\d{1,7}$/.test(text.trim())) return 'Write a whole number.'
  if ((sizes as readonly string[]).includes(name) && bytesOf(text) === undefined)
    return 'Write a size, such as 512 GiB.'
  return undefined
}

/**
 * The request of the form: only what differs from before, because a value that is sent again loses the text that people
 * read. An emptied property is null, which clears it.
 */
export function bodyOf(fields: SkuFields, before: SkuFields): CreateSkuBody {
  const names = (Object.keys(fields) as SkuFieldName[]).filter((name) => fields[name].trim() !== before[name])
  return Object.fromEntries(names.map((name) => [name, requestValue(name, fields[name].trim())])) as CreateSkuBody
}

function requestValue(name: SkuFieldName, text: string): string | number | boolean | string[] | null {
  if (name === 'benchmark_figures')
    return text
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)
  if (text === '') return null
  if ((switches as readonly string[]).includes(name)) return text === 'yes'
  if ((sizes as readonly string[]).includes(name)) return bytesOf(text) ?? null
  return name === 'fee_bps' || (counts as readonly string[]).includes(name) ? Number(text) : text
}

/** A size as it is typed, as bytes; undefined where it is none. */
export function bytesOf(text: string): number | undefined {
  try {
    return readSize(text.trim())
  } catch (error) {
    if (isInputProblem(error)) return undefined
    throw error
  }
}

const flagNames: Readonly<Record<string, string>> = {
  flat_fee_dollars_per_node_hour: 'flat-fee',
  price_step_dollars_per_node_hour: 'price-step',
  memory_bytes: 'memory',
  local_storage_bytes: 'local-storage',
}

/** The request as flags of the command line. The word null clears a property. */
export function flagsOfSku(body: CreateSkuBody): Record<string, string | number | true> {
  const pairs = Object.entries(body).map(([name, value]): [string, string | number | true] => {
    const flag = flagNames[name] ?? name.replaceAll('_', '-')
    if (typeof value === 'boolean') return [value ? flag : `no-${flag}`, true]
    return [flag, value === null ? 'null' : (value as string | number)]
  })
  // There is no flag that takes the word "simulated" away, and figures are a list.
  return body.simulated === false || body.benchmark_figures ? { body: JSON.stringify(body) } : Object.fromEntries(pairs)
}
