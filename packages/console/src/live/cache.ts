/** The cache of what the server said, and how events of the stream keep it up to date. */
import { ForbiddenError, isTransient, NotFoundError, type Page } from '@bourse/sdk'
import { type InfiniteData, MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isOfStates, withChanged } from './changed-rows.rules.ts'
import { callItem } from './operations.ts'
import { outdating } from './outdated.ts'
import { readEvery } from './pace.ts'
import { leaveIfSignedOut } from './session.ts'
import type { Touched } from './touched.rules.ts'

/** Operations that read one resource, for nouns whose events name single resources. */
const readers = {
  instance: 'get_instance',
  order: 'get_order',
  image: 'get_image',
  webhook: 'get_webhook',
  budget: 'get_budget',
} as const

type Reader = (typeof readers)[keyof typeof readers]

/** Up to so many changed resources are read singly; beyond that, lists are read again. */
const singlesMax = 12
/** Milliseconds between two reads of one noun's lists while events keep coming. */
const listPause = 300
/** Milliseconds between two reads of what is shown, without events. */
const ownPace = 15_000

/** The one cache of the page. Keys begin with a noun: `['instance', 'list', query]`, `['instance', 'item', id]`. */
export const cache = new QueryClient({
  queryCache: new QueryCache({ onError: leaveIfSignedOut }),
  mutationCache: new MutationCache({ onError: leaveIfSignedOut }),
  defaultOptions: {
    queries: {
      staleTime: 20_000,
      // The SDK retries by itself. A server that is away is asked again until it is back.
      retry: (count, error) => isTransient(error) && count < 30,
      retryDelay: (count) => Math.min(10_000, 1_000 * 2 ** count),
      networkMode: 'always',
      throwOnError: false,
    },
    mutations: { networkMode: 'always' },
  },
})

const outdate = outdating(cache)

/** One page of a list, as the cache keeps it. */
export type CachedPage<T> = Pick<Page<T>, 'data' | 'has_more' | 'cursor'>

/** Brings everything up to date that events have touched. What is not shown is only marked as outdated. */
export function refresh({ items, nouns }: Touched): void {
  for (const [noun, ids] of items) refreshItems(noun, ids)
  for (const noun of nouns) if (!items.has(noun)) invalidateSoon(noun)
}

/** Reads again whatever is shown: after events were missed. */
export function refreshAll(): void {
  void cache.invalidateQueries()
}

/** Reads what is shown again and again, where no event tells what has changed. */
export function readAtOwnPace(): void {
  readEvery(cache, ownPace)
}

function refreshItems(noun: string, ids: ReadonlySet<string>): void {
  const reader = Object.hasOwn(readers, noun) ? readers[noun as keyof typeof readers] : undefined
  const shown = cache.getQueryCache().findAll({ queryKey: [noun], type: 'active' })
  const readsSingly = shown.length > 0 && reader !== undefined && ids.size <= singlesMax
  if (!readsSingly) invalidateSoon(noun)
  else
    for (const id of ids) {
      const isOnlyReplaced = shown.every(({ queryKey, state }) => replaces(queryKey, state.data, id))
      if (isOnlyReplaced) void readItem(noun, id, reader)
      else invalidateSoon(noun)
    }
}

/** Whether an item's new state can take the place of the old one: not where filters decide whether it is listed. */
function replaces(key: readonly unknown[], data: unknown, id: string): boolean {
  const [, kind, about] = key
  if (kind === 'item') return about !== id || key.length === 3
  if (kind !== 'list' || !isOfStates(filtersOf(about))) return false
  return pagesOf(data).some((page) => page.data.some((row) => (row as { id?: string }).id === id))
}

async function readItem(noun: string, id: string, reader: Reader): Promise<void> {
  try {
    const item = await callItem(reader, id)
    cache.setQueryData([noun, 'item', id], (old: unknown) => (old === undefined ? undefined : item))
    for (const { queryKey } of cache.getQueryCache().findAll({ queryKey: [noun, 'list'] })) {
      cache.setQueryData(queryKey, (old: unknown) => withItem(old, item, filtersOf(queryKey[2])))
    }
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof ForbiddenError) invalidateSoon(noun)
    else leaveIfSignedOut(error)
  }
}

function filtersOf(about: unknown): Readonly<Record<string, unknown>> {
  return { ...(about as object | undefined) }
}

type CachedRow = { readonly id?: string; readonly state?: string }
type CachedList = InfiniteData<CachedPage<CachedRow>>

function withItem(old: unknown, item: CachedRow, filters: Readonly<Record<string, unknown>>): unknown {
  if (!pagesOf(old).some((page) => page.data.some((row) => (row as CachedRow).id === item.id))) return old
  const { pages, ...rest } = old as CachedList
  return { ...rest, pages: pages.map((page) => ({ ...page, data: withChanged(page.data, item, filters) })) }
}

function pagesOf(data: unknown): readonly CachedPage<unknown>[] {
  const { pages } = (data ?? {}) as Partial<InfiniteData<CachedPage<unknown>>>
  return Array.isArray(pages) ? pages : []
}

const last = new Map<string, number>()
const waiting = new Set<string>()

/** Marks all of a noun as outdated: at once, then after a pause. */
function invalidateSoon(noun: string): void {
  if (waiting.has(noun)) return
  const rest = (last.get(noun) ?? Number.NEGATIVE_INFINITY) + listPause - performance.now()
  waiting.add(noun)
  const run = () => {
    waiting.delete(noun)
    invalidate(noun)
  }
  if (rest <= 0) run()
  else setTimeout(run, rest)
}

function invalidate(noun: string): void {
  last.set(noun, performance.now())
  outdate(noun)
}
