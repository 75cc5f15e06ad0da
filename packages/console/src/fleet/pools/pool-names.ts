/** Pools by their names, and their kinds in words. */
import type { Pool } from '@bourse/sdk'
import { useAll } from '../../live/all.ts'

/** What the kinds of pools can do. */
export const poolKinds: Readonly<Record<Pool['kind'], string>> = {
  market: 'buys and sells',
  originating: 'sells what hosts bring',
  read_only: 'granted by the operator',
}

/** The name of a pool by its id; the id while it is not known, or the pool is gone. */
export function usePoolNames(): (id: string) => string {
  const { data } = useAll('list_pools', {}, { every: 60_000 })
  const names = new Map<string, string>(data?.map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? id
}
