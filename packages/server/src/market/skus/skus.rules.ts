/** The rows of SKUs, and their properties: as the operator writes them, as the API shows them, and what is refused. */

import { needsOf } from '@bourse/api/fleet/fit.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import {
  enumeratedProperties,
  type Sku,
  type SkuBenchmark,
  type SkuPropertyValue,
  skuPropertyNames,
} from '@bourse/api/market/skus.ts'
import { binarySizeOf } from '@bourse/text/formats/amounts.ts'
import type { RefusalData } from '../../core/base/refusal.ts'

/** The properties of a SKU as the API shows them. */
export type SkuProperties = Omit<
  Sku,
  | 'object'
  | 'id'
  | 'alias'
  | 'simulated'
  | 'operator_hosts_only'
  | 'benchmarks'
  | 'price_step_dollars_per_node_hour'
  | 'deleted_at'
>

export type SkuRow = {
  id: Id<'sku'>
  alias: string
  properties: SkuProperties
  listed: boolean
  /** Hosts need not have the hardware. */
  simulated: boolean
  /** Only the platform account may supply hosts. */
  operator_hosts_only: boolean
  /** Prices that others see leave out trades of related accounts. */
  public_prices_exclude_related: boolean
  /** The figures of benchmarks that are shown, each as its name, a blank and its unit. */
  benchmark_figures: string[]
  /** What suppliers of hosts measured; null: nothing. */
  benchmarks: SkuBenchmark[] | null
  hourly_fee_micros: bigint
  fee_bps: number
  /** Prices of orders are multiples of it. */
  price_step_micros: bigint
  created_at: number
  updated_at: number
  deleted_at: number | null
}

/** The columns of {@link SkuRow}, of a table `skus s`. */
export const skuColumns = `s.id, s.alias, s.properties, s.listed, s.simulated, s.operator_hosts_only,
  s.public_prices_exclude_related, s.benchmarks,
  s.benchmark_figures, s.hourly_fee_micros::numeric as hourly_fee_micros, s.fee_bps,
  s.price_step_micros::numeric as price_step_micros,
  s.created_at, s.updated_at, s.deleted_at`

/** A SKU of which public prices are read. */
export type PricedSku = Readonly<Pick<SkuRow, 'id' | 'public_prices_exclude_related'>>

/** The ids of SKUs, and of each whether its prices leave out trades of related accounts, as parameters of a query. */
export function pricedSkuParams(skus: readonly PricedSku[]): [Id<'sku'>[], boolean[]] {
  return [skus.map(({ id }) => id), skus.map((sku) => sku.public_prices_exclude_related)]
}

/** A SKU as one account sees it: the account's override is merged into the properties. */
export type AccountSkuRow = SkuRow & { is_visible: boolean }

export type PropertyValueRow = Omit<SkuPropertyValue, 'object'> & { property: string }

export type OverrideRow = {
  account_id: string
  sku_id: Id<'sku'>
  alias: string
  properties: SkuProperties
  updated_at: number
}

/** The name of a property. */
export type PropertyName = (typeof skuPropertyNames)[number]
/** A property as the API shows it; the fabric is plain text. */
export type ShownProperty = string | { value: string | number | boolean; display_value: string }
/** A property as the operator writes it; null clears it. */
type WrittenProperty = string | number | boolean | { value: string | number | boolean; display_value?: string } | null

/** Display names of catalog values, by `property:value`. */
export type Catalog = ReadonlyMap<string, string>

/** Values that need no catalog entry. An entry changes their display name. */
export const builtInValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  rdma_type: { infiniband: 'InfiniBand', roce: 'RoCE' },
}

const byteNames: readonly PropertyName[] = ['memory_bytes', 'local_storage_bytes']

/** The properties among the members of a body. */
export function writtenProperties(body: object): Partial<Record<PropertyName, WrittenProperty>> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => skuPropertyNames.includes(name as PropertyName)))
}

/**
 * Merges written properties into existing ones and adds display values. Refuses reference_not_found for a value that is
 * not in the catalog, and not_applicable for a fabric without InfiniBand.
 */
export function applyProperties(
  before: Readonly<Partial<Record<PropertyName, ShownProperty>>>,
  written: Readonly<Partial<Record<PropertyName, WrittenProperty>>>,
  catalog: Catalog,
): { properties: Partial<Record<PropertyName, ShownProperty>> } | { refusal: RefusalData } {
  const after: Partial<Record<PropertyName, ShownProperty>> = { ...before }
  for (const [name, input] of Object.entries(written) as [PropertyName, WrittenProperty][]) {
    if (input === null) {
      delete after[name]
      continue
    }
    const { value, display_value } = typeof input === 'object' ? input : { value: input }
    const isEnumerated = (enumeratedProperties as readonly string[]).includes(name)
    const known = catalog.get(`${name}:${value}`) ?? builtInValues[name]?.[String(value)]
    if (isEnumerated && known === undefined) {
      const message = `The catalog has no value ${value} of ${name}.`
      return { refusal: { code: 'reference_not_found', field: name, message } }
    }
    after[name] =
      name === 'infiniband_fabric'
        ? String(value)
        : { value, display_value: display_value ?? known ?? textOf(name, value) }
  }
  return refuseFabric(after) ?? { properties: inContractOrder(after) }
}

/** Properties of which a machine may have less than its SKU, and those that are its SKU's where they are given. */
const amounts = ['num_vcpus', 'memory_bytes', 'local_storage_bytes', 'rdma_gigabits_per_second'] as const
const kinds = ['accelerator', 'form_factor', 'rdma_type', 'num_accelerators', 'infiniband_fabric'] as const

/**
 * Refuses an override that promises hardware for which the hosts of the SKU were not checked: `not_applicable`. Where
 * the SKU names no amount, hosts were checked for none, and a machine that does not fit its host does not start.
 * `limits`: the properties that are compared, all where it is left out.
 */
export function refuseOverride(
  sku: SkuProperties,
  override: SkuProperties,
  limits: readonly PropertyName[] = [...amounts, ...kinds],
): RefusalData | undefined {
  for (const name of amounts.filter((name) => limits.includes(name))) {
    const [own, promised] = [sku[name]?.value, override[name]?.value]
    if (own === undefined || promised === undefined || promised <= own) continue
    const message = `Hosts of this SKU are checked for ${own} of ${name}, so an override cannot promise ${promised}.`
    return { code: 'not_applicable', field: name, message }
  }
  for (const name of kinds.filter((name) => limits.includes(name))) {
    const promised = termOf(override[name])
    if (promised === undefined || promised === termOf(sku[name])) continue
    const message = `Hosts of this SKU are not checked for ${promised} of ${name}, so an override cannot promise it.`
    return { code: 'not_applicable', field: name, message }
  }
  return undefined
}

/** The properties by which a change of a SKU allows overrides less than before, or something else. */
export function tighterLimits(before: SkuProperties, after: SkuProperties): PropertyName[] {
  const lowered = amounts.filter((name) => {
    const [was, is] = [before[name]?.value, after[name]?.value]
    return is !== undefined && (was === undefined || is < was)
  })
  return [...lowered, ...kinds.filter((name) => termOf(before[name]) !== termOf(after[name]))]
}

function termOf(property: ShownProperty | undefined): string | number | boolean | undefined {
  return typeof property === 'object' ? property.value : property
}

type NeedySku = Pick<SkuRow, 'properties' | 'simulated'>

/** Whether a SKU asks its hosts for other hardware than before. */
export function hasOtherNeeds(before: NeedySku, after: NeedySku): boolean {
  const [own, other] = [before, after].map(({ properties, simulated }) => needsOf({ ...properties, simulated }))
  return JSON.stringify(own) !== JSON.stringify(other)
}

/** The most overrides that a refusal names. */
const namedMax = 20

/**
 * Refuses a change of a SKU that tightens some limits below what an override of an account promises: `in_use`, with a
 * detail for each account, at most 20.
 */
export function refuseBelowOverrides(
  sku: SkuProperties,
  overrides: readonly { readonly account_id: string; readonly properties: SkuProperties }[],
  limits: readonly PropertyName[],
): RefusalData | undefined {
  const broken = overrides.flatMap(({ account_id, properties }) => {
    const { field } = refuseOverride(sku, properties, limits) ?? {}
    return field === undefined ? [] : [{ account_id, field }]
  })
  const [first] = broken
  if (!first) return undefined
  const details = broken.slice(0, namedMax).map(({ account_id, field }) => {
    // More of an amount, or another kind.
    const message = `An override promises the account ${account_id} something else.`
    return { field, code: 'in_use' as const, message }
  })
  const message = 'Accounts have overrides that promise something else. Change or remove them first.'
  return { code: 'in_use', field: first.field, message, details }
}

/** Refuses to keep a SKU to the operator while partners supply it: `in_use`, with a detail for each of their hosts. */
export function refusePartners(hosts: readonly { readonly id: string }[]): RefusalData | undefined {
  if (hosts.length === 0) return undefined
  const field = 'operator_hosts_only'
  const details = hosts.map(({ id }) => ({ field, code: 'in_use' as const, message: `A partner owns the host ${id}.` }))
  return { code: 'in_use', field, message: 'Partners supply this SKU. Retire their hosts first.', details }
}

/**
 * Benchmarks as the API shows them, as a member of a SKU. What was summed up before the SKU named other figures, or by
 * an older version, is left out. jsonb does not keep the order of keys.
 */
export function presentBenchmarks({
  benchmarks,
  benchmark_figures,
}: Pick<SkuRow, 'benchmarks' | 'benchmark_figures'>): Pick<Sku, 'benchmarks'> {
  const shown = benchmarks?.filter(({ name, unit }) => benchmark_figures.includes(`${name} ${unit}`)) ?? []
  if (shown.length === 0) return {}
  return {
    benchmarks: shown.map(({ name, unit, lowest, median, host_count, measured_at }) => {
      return { name, unit, lowest, median, host_count, measured_at }
    }),
  }
}

/** Whether two sets of properties differ. */
export function differs(a: object, b: object): boolean {
  return JSON.stringify(inContractOrder(a)) !== JSON.stringify(inContractOrder(b))
}

function refuseFabric(properties: Partial<Record<PropertyName, ShownProperty>>): { refusal: RefusalData } | undefined {
  const rdma = properties.rdma_type
  const isInfiniband = typeof rdma === 'object' && rdma.value === 'infiniband'
  if (properties.infiniband_fabric === undefined || isInfiniband) return undefined
  const message = 'Only a SKU with rdma_type infiniband has a fabric.'
  return { refusal: { code: 'not_applicable', field: 'infiniband_fabric', message } }
}

/** Properties in the order of the contract. The database returns them in the order of jsonb, by length and bytes. */
export function inContractOrder<P extends object>(properties: P): P {
  const known = properties as Partial<Record<PropertyName, unknown>>
  const present = skuPropertyNames.filter((name) => known[name] !== undefined)
  return Object.fromEntries(present.map((name) => [name, known[name]])) as P
}

function textOf(name: PropertyName, value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number' && byteNames.includes(name)) return binarySizeOf(value)
  return String(value)
}
