/** Reads again what has become outdated, without giving up reads that are under way. */
import type { QueryClient } from '@tanstack/react-query'

/** Marks queries of a noun as outdated. Those that are shown are read again. */
export type Outdate = (noun: string) => void

/**
 * Queries that are being read are read once more afterwards: their answer may be older than the change. They are not
 * cancelled: under steady events, a read that takes longer than the pause between them would never end.
 */
export function outdating(cache: QueryClient): Outdate {
  const late = new Set<string>()
  cache.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'removed') late.delete(query.queryHash)
    if (type !== 'updated' || query.state.fetchStatus !== 'idle' || !late.delete(query.queryHash)) return
    // After all who listen have heard of the answer.
    queueMicrotask(() => {
      void cache.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false })
    })
  })
  return (noun) => {
    for (const { queryHash, state } of cache.getQueryCache().findAll({ queryKey: [noun] })) {
      if (state.fetchStatus !== 'idle') late.add(queryHash)
    }
    void cache.invalidateQueries({ queryKey: [noun] }, { cancelRefetch: false })
  }
}
