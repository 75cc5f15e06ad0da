/** Pools that can be chosen in forms and filters. */
import type { Pool } from '@bourse/sdk'
import { useAll } from '../live/all.ts'
import type { ChoiceOption } from '../live/forms/choice.tsx'
import { optionOf } from '../live/forms/things.tsx'

const paused = 60_000

/** Pools of these kinds. */
export function usePools(kinds: readonly Pool['kind'][]): {
  readonly options: readonly ChoiceOption[]
  readonly rows: readonly Pool[]
} {
  const { data = [] } = useAll('list_pools', {}, { every: paused })
  const rows = data.filter(({ kind }) => kinds.includes(kind))
  return { rows, options: rows.map(optionOf) }
}
