/** What can be chosen in forms about instances. */
import type { Pool, Sku } from '@bourse/sdk'
import { useAll } from '../live/all.ts'
import { useSkuChoices } from '../live/choices.ts'
import type { ChoiceOption } from '../live/forms/choice.tsx'
import { optionOf } from '../live/forms/things.tsx'

type ResourceChoices<T> = { readonly options: readonly ChoiceOption[]; readonly rows: readonly T[] }

const paused = 60_000

/** Pools of these kinds, or of all. */
export function usePools(kinds?: readonly Pool['kind'][]): ResourceChoices<Pool> {
  const { data = [] } = useAll('list_pools', {}, { every: paused })
  const rows = data.filter(({ kind }) => kinds?.includes(kind) ?? true)
  return { rows, options: rows.map(optionOf) }
}

/** The SKUs of the catalog. */
export function useSkus(): ResourceChoices<Sku> {
  const { data = [] } = useSkuChoices({ every: paused })
  return { rows: data, options: data.map(optionOf) }
}

/** Options of a filter, with "All" before them. */
export function allOf(options: readonly ChoiceOption[]): Readonly<Record<string, string>> {
  return { '': 'All', ...Object.fromEntries(options.map(({ id, name }) => [id, name])) }
}
