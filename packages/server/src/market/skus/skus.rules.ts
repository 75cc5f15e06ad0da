/** What a SKU is made of: property values as the operator writes them, as they are shown, and what does not fit. */
import { enumeratedProperties, skuPropertyNames } from '@bourse/api/market/skus.ts'
import type { RefusalData } from '../../core/base/refusal.ts'

/** The name of a property. */
export type PropertyName = (typeof skuPropertyNames)[number]
/** A property as it is shown; the fabric is plain text. */
export type ShownProperty = string | { value: string | number | boolean; display_value: string }
/** A property as the operator writes it; null clears it. */
export type WrittenProperty =
  | string
  | number
  | boolean
  | { value: string | number | boolean; display_value?: string }
  | null

/** Texts of catalogue values, by `property:value`. */
export type Catalogue = ReadonlyMap<string, string>

/** Values that need no entry: both kinds of RDMA exist wherever the program runs. An entry changes their texts. */
export const builtInValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  rdma_type: { infiniband: 'InfiniBand', roce: 'RoCE' },
}

const byteNames: readonly PropertyName[] = ['memory_bytes', 'local_storage_bytes']
const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** The properties among the members of a body. */
export function writtenProperties(body: object): Partial<Record<PropertyName, WrittenProperty>> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => skuPropertyNames.includes(name as PropertyName)))
}

/**
 * Lays written properties over those that there are, with the texts that people read. Refuses reference_not_found for a
 * value that is not in the catalogue, not_applicable for a fabric without InfiniBand.
 */
export function applyProperties(
  before: Readonly<Partial<Record<PropertyName, ShownProperty>>>,
  written: Readonly<Partial<Record<PropertyName, WrittenProperty>>>,
  catalogue: Catalogue,
): { properties: Partial<Record<PropertyName, ShownProperty>> } | { refusal: RefusalData } {
  const after: Partial<Record<PropertyName, ShownProperty>> = { ...before }
  for (const [name, wish] of Object.entries(written) as [PropertyName, WrittenProperty][]) {
    if (wish === null) {
      delete after[name]
      continue
    }
    const { value, display_value } = typeof wish === 'object' ? wish : { value: wish }
    const isEnumerated = (enumeratedProperties as readonly string[]).includes(name)
    const known = catalogue.get(`${name}:${value}`) ?? builtInValues[name]?.[String(value)]
    if (isEnumerated && known === undefined) {
      const message = `The catalogue has no value ${value} of ${name}.`
      return { refusal: { code: 'reference_not_found', field: name, message } }
    }
    after[name] =
      name === 'infiniband_fabric'
        ? String(value)
        : { value, display_value: display_value ?? known ?? textOf(name, value) }
  }
  return refuseFabric(after) ?? { properties: inOrder(after) }
}

/** Whether two sets of properties differ. */
export function differs(a: object, b: object): boolean {
  return JSON.stringify(inOrder(a)) !== JSON.stringify(inOrder(b))
}

function refuseFabric(properties: Partial<Record<PropertyName, ShownProperty>>): { refusal: RefusalData } | undefined {
  const rdma = properties.rdma_type
  const isInfiniband = typeof rdma === 'object' && rdma.value === 'infiniband'
  if (properties.infiniband_fabric === undefined || isInfiniband) return undefined
  const message = 'A fabric goes with rdma_type infiniband only.'
  return { refusal: { code: 'not_applicable', field: 'infiniband_fabric', message } }
}

/** In the order of the contract, whatever order they were written in. */
function inOrder(properties: object): Partial<Record<PropertyName, ShownProperty>> {
  const known = properties as Partial<Record<PropertyName, ShownProperty>>
  return Object.fromEntries(
    skuPropertyNames.filter((name) => known[name] !== undefined).map((name) => [name, known[name]]),
  )
}

function textOf(name: PropertyName, value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number' && byteNames.includes(name)) return bytesText(value)
  return String(value)
}

/** In the largest binary unit that keeps it whole: 1,610,612,736 bytes are 1536 MiB. */
function bytesText(bytes: number): string {
  let amount = bytes
  let unit = 0
  while (amount >= 1024 && amount % 1024 === 0 && unit < units.length - 1) {
    amount /= 1024
    unit++
  }
  return `${amount} ${units[unit]}`
}
