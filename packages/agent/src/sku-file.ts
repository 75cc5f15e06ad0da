/** Reads a SKU from a file, as `bourse skus get NAME -o json` prints it, for hosts that have no API token. */
import { readFile } from 'node:fs/promises'
import type { SkuOfNeeds } from '@bourse/api/fleet/fit.ts'
import { skuProperties } from '@bourse/api/market/skus.ts'
import { hostProblem } from './problems.ts'

/** A SKU, with the properties that hosts are compared with. */
export type SkuInput = SkuOfNeeds & { readonly alias: string }

const fileBytesMax = 65_536

/** Whether a word names a file and not a SKU. */
export function isFileName(word: string): boolean {
  return word.includes('/') || word.endsWith('.json')
}

/** Reads the file. Throws a `HostProblem` if it contains no SKU. */
export async function readSkuFile(path: string): Promise<SkuInput> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw hostProblem(`The SKU ${path} cannot be read: ${error.code}.`)
  })
  const sku = text.length > fileBytesMax ? undefined : parsed(text)
  if (sku?.object === 'sku' && typeof sku.alias === 'string' && Object.keys(skuProperties).every(isProperty)) {
    return sku as SkuInput
  }
  throw hostProblem(`${path} contains no SKU. Write it with: bourse skus get NAME -o json > ${path}`)

  function isProperty(name: string): boolean {
    const value = sku?.[name]
    if (value === undefined || name === 'infiniband_fabric') return true
    return typeof value === 'object' && value !== null && 'value' in value
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}
