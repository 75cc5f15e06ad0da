/** Properties of SKUs that differ for one account: as rows of a table, and as the request of a form. Pure. */
import type { AdministeredSku, SkuOverride } from '@bourse/sdk'
import type { SkuPropertyName } from '../sku-parts.tsx'

/** What hosts of a SKU are not checked for: an override can only repeat it. */
const fixed: readonly SkuPropertyName[] = ['accelerator', 'num_accelerators', 'form_factor', 'rdma_type']
/** Of these a machine can have less than its SKU, and no more. */
const amounts: readonly SkuPropertyName[] = [
  'num_vcpus',
  'memory_bytes',
  'local_storage_bytes',
  'rdma_gigabits_per_second',
]

type Properties = SkuOverride['properties']

/** One property that differs. */
export type OverriddenProperty = {
  readonly override: SkuOverride
  readonly name: SkuPropertyName
  /** What all other accounts see; undefined where the SKU does not say. */
  readonly usual: string | undefined
  readonly own: string
}

/** A row for each property, in the order of forms. SKUs of which nothing is known have no usual values. */
export function overriddenProperties(
  overrides: readonly SkuOverride[],
  skus: readonly AdministeredSku[],
  names: readonly SkuPropertyName[],
): readonly OverriddenProperty[] {
  const byId = new Map(skus.map((sku) => [sku.id, sku]))
  return overrides.flatMap((override) =>
    names.flatMap((name) => {
      const own = shownValue(override.properties, name)
      return own === undefined ? [] : [{ override, name, usual: shownValue(byId.get(override.sku.id), name), own }]
    }),
  )
}

/** The value of a property as people read it. */
export function shownValue(properties: Properties | undefined, name: SkuPropertyName): string | undefined {
  const property = properties?.[name as keyof Properties]
  return typeof property === 'object' ? property.display_value : property
}

/** Whether a form shows a property: it can differ, or the override has it although it cannot. */
export function canDiffer(name: SkuPropertyName, override: SkuOverride | undefined): boolean {
  return !fixed.includes(name) || shownValue(override?.properties, name) !== undefined
}

/** What a field says about the value that all other accounts see. */
export function usualHint(sku: AdministeredSku | undefined, name: SkuPropertyName): string {
  const usual = shownValue(sku, name)
  if (usual === undefined) return name === 'infiniband_fabric' ? 'Only with InfiniBand' : 'The SKU does not say'
  if (amounts.includes(name)) return `Usually ${usual}, and never more: hosts are checked for no more`
  return fixed.includes(name) ? `${usual}, as for all accounts: hosts are checked for it` : `Usually ${usual}`
}

type Body = Readonly<Record<string, unknown>>
type Texts = Readonly<Record<string, string>>

/**
 * The request of a form. It replaces the override as a whole, so what was not changed is sent as it was, with the text
 * that people read.
 */
export function overrideBody(body: Body, typed: Texts, first: Texts, properties: Properties = {}): Body {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      return [name, typed[name] === first[name] ? properties[name as keyof Properties] : value]
    }),
  )
}
