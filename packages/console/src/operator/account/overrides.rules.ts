/** Properties of SKUs that differ for one account: as rows of a table, and as the request of a form. Pure. */
import type { AdministeredSku, PutSkuOverrideBody, SkuOverride } from '@bourse/sdk'
import {
  bodyOf,
  fieldsOf,
  flagsOfSku,
  type SkuFieldName,
  type SkuFields,
  skuPropertyFields,
} from '../sku-fields.rules.ts'

/** What hosts of a SKU are not checked for: an override can only repeat it. */
const fixed: readonly SkuFieldName[] = ['accelerator', 'num_accelerators', 'form_factor', 'rdma_type']
/** Of these a machine can have less than its SKU, and no more. */
const amounts: readonly SkuFieldName[] = [
  'num_vcpus',
  'memory_bytes',
  'local_storage_bytes',
  'rdma_gigabits_per_second',
]

type Properties = SkuOverride['properties']

/** One property that differs. */
export type OverriddenProperty = {
  readonly override: SkuOverride
  readonly name: SkuFieldName
  /** What all other accounts see; undefined where the SKU does not say. */
  readonly usual: string | undefined
  readonly own: string
}

/** A row for each property, in the order of forms. SKUs of which nothing is known have no usual values. */
export function overriddenProperties(
  overrides: readonly SkuOverride[],
  skus: readonly AdministeredSku[],
): readonly OverriddenProperty[] {
  const byId = new Map(skus.map((sku) => [sku.id, sku]))
  return overrides.flatMap((override) =>
    skuPropertyFields.flatMap((name) => {
      const own = shownValue(override.properties, name)
      return own === undefined ? [] : [{ override, name, usual: shownValue(byId.get(override.sku.id), name), own }]
    }),
  )
}

/** The value of a property as people read it. */
export function shownValue(properties: Properties | undefined, name: SkuFieldName): string | undefined {
  const property = properties?.[name as keyof Properties]
  return typeof property === 'object' ? property.display_value : property
}

/** The fields that a form shows: those that can differ, and those that the override has although they cannot. */
export function overrideFields(override: SkuOverride | undefined): readonly SkuFieldName[] {
  return skuPropertyFields.filter(
    (name) => !fixed.includes(name) || shownValue(override?.properties, name) !== undefined,
  )
}

/** What a field says about the value that all other accounts see. */
export function usualHint(sku: AdministeredSku | undefined, name: SkuFieldName): string {
  const usual = shownValue(sku, name)
  if (usual === undefined) return name === 'infiniband_fabric' ? 'Only with InfiniBand' : 'The SKU does not say'
  if (amounts.includes(name)) return `Usually ${usual}, and never more: hosts are checked for no more`
  return fixed.includes(name) ? `${usual}, as for all accounts: hosts are checked for it` : `Usually ${usual}`
}

/** The properties of an override as texts; empty is as usual. */
export function overrideTexts(properties: Properties | undefined): SkuFields {
  return fieldsOf(properties as AdministeredSku | undefined)
}

/**
 * The request of a form. It replaces the override as a whole, so what was not changed is sent as it was, with the text
 * that people read.
 */
export function overrideBody(fields: SkuFields, before: Properties = {}): PutSkuOverrideBody {
  const changed = bodyOf(fields, overrideTexts(before)) as Readonly<Record<string, unknown>>
  const pairs = skuPropertyFields.map((name) => [
    name,
    name in changed ? changed[name] : before[name as keyof Properties],
  ])
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined && value !== null))
}

/** Whether the form would change something, and leave something that differs. */
export function isOverrideChanged(fields: SkuFields, before: Properties = {}): boolean {
  return Object.keys(bodyOf(fields, overrideTexts(before))).length > 0
}

/** The request as flags of the command line, or whole where values have texts of their own: no flag takes those. */
export function overrideFlags(body: PutSkuOverrideBody): Readonly<Record<string, string | number | true>> {
  const hasTexts = Object.values(body).some((value) => typeof value === 'object')
  return hasTexts ? { body: JSON.stringify(body) } : flagsOfSku(body)
}
