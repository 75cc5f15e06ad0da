/** Reads what is shown again and again, where nothing tells what has changed. */
import type { QueryClient } from '@tanstack/react-query'

/** Gives all queries without an interval of their own this one, in milliseconds. */
export function readEvery(cache: QueryClient, refetchInterval: number): void {
  const { queries, ...rest } = cache.getDefaultOptions()
  cache.setDefaultOptions({ ...rest, queries: { ...queries, refetchInterval } })
  // What is shown already would take the defaults over only when it is drawn again.
  for (const { observers } of cache.getQueryCache().findAll({ type: 'active' })) {
    for (const observer of observers) {
      const { options } = observer
      observer.setOptions({ ...options, refetchInterval: options.refetchInterval ?? refetchInterval })
    }
  }
}
