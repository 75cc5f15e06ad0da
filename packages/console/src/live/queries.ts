/** How pages read and write: lists that go on as one scrolls, single resources, figures, and actions. */
import { type Answer, type Item, isTransient } from '@bourse/sdk'
import { type UseQueryResult, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { MoreRows } from '../ui/table.tsx'
import { type CachedPage, cache } from './cache.ts'
import { givenOf, listKey, type Noun, nounOf } from './nouns.rules.ts'
import { callItem, callList, type ItemName, type ListFilters, type ListName } from './operations.ts'
import { goToSignIn, needsStepUp } from './session.ts'

/** A list as a page shows it. */
export type LiveList<T> = {
  readonly rows: readonly T[]
  readonly isPending: boolean
  readonly error: Error | null
  readonly more: MoreRows<T>
  /** When the server was last asked, in milliseconds of this machine's clock. */
  readonly updatedAt: number
  readonly reload: () => void
}

/** Rows on a page. */
const pageLength = 100

type ListOptions = {
  /** Milliseconds after which it is read again, for lists whose changes emit no event. */
  readonly every?: number
  readonly enabled?: boolean
}

/**
 * A list that events keep up to date: the operation brings its noun and the types of rows and filters. Filters without
 * a value are not sent.
 */
export function useList<N extends ListName>(
  operation: N,
  filters: ListFilters<N>,
  { every, enabled = true }: ListOptions = {},
): LiveList<Item<N>> {
  const given = givenOf(filters)
  const query = useInfiniteQuery({
    queryKey: listKey(operation, given),
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: starting_after }): Promise<CachedPage<Item<N>>> => {
      const { data, has_more, cursor } = await callList(operation, given, { limit: pageLength, starting_after })
      return { data, has_more, ...(cursor === undefined ? {} : { cursor }) }
    },
    getNextPageParam: ({ has_more, cursor }) => (has_more ? cursor : undefined),
    enabled,
    ...(every === undefined ? {} : { refetchInterval: every }),
  })
  const { data, error, isPending, hasNextPage, isFetchingNextPage, dataUpdatedAt, refetch } = query
  const next = () => void query.fetchNextPage()
  // The same rows are the same array, so that what is made of them is made once.
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data])
  return {
    rows,
    isPending,
    error,
    more: {
      hasMore: hasNextPage,
      load: () => {
        // A table asks again with each drawing: after a failure, only the person does.
        if (hasNextPage && !isFetchingNextPage && !query.isFetchNextPageError) next()
      },
      again: query.isFetchNextPageError && !isFetchingNextPage ? next : undefined,
      readAll: (max) => callList(operation, given, { limit: pageLength }).all({ max }),
    },
    updatedAt: dataUpdatedAt,
    reload: () => void refetch(),
  }
}

/** One resource that events keep up to date. */
export function useItem<N extends ItemName>(
  operation: N,
  id: string,
  options: ReadOptions = {},
): UseQueryResult<Answer<N>, Error> {
  return useRead([nounOf(operation), 'item', id], () => callItem(operation, id), options)
}

/** The options of a figure. */
export type ReadOptions = {
  /** Milliseconds after which it is read again, where no event tells that it has changed. */
  readonly every?: number
  readonly enabled?: boolean
  /** Whether to show the last value while another one is read, for figures that follow what is typed. */
  readonly keepsLast?: boolean
  /** Whether it is read anew whenever it is shown again, also if it was read a moment ago. */
  readonly isNeverFresh?: boolean
  /** How often it is tried again where the server cannot answer. Default: until it can. */
  readonly retry?: number
}

/** Anything else: the key begins with the noun whose events make it outdated. */
export function useRead<T>(
  key: readonly [noun: Noun, ...rest: unknown[]],
  read: (signal: AbortSignal) => Promise<T>,
  { every, enabled = true, keepsLast = false, isNeverFresh = false, retry }: ReadOptions = {},
): UseQueryResult<T, Error> {
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => read(signal),
    enabled,
    ...(every === undefined ? {} : { refetchInterval: every }),
    ...(isNeverFresh ? { staleTime: 0 } : {}),
    ...(retry === undefined ? {} : { retry: (count: number, error: Error) => isTransient(error) && count < retry }),
    ...(keepsLast ? { placeholderData: (last: T | undefined) => last } : {}),
  } as Parameters<typeof useQuery<T, Error>>[0])
}

/** An action in a page. */
export type Action<Input, Output> = {
  readonly run: (input: Input) => void
  /** The same, for who waits. It rejects where the action failed. */
  readonly runAndWait: (input: Input) => Promise<Output>
  readonly isRunning: boolean
  readonly error: Error | null
  readonly forget: () => void
}

/**
 * A write. Afterwards everything of the nouns is read again. Where the sign-in is too old for it, the person signs in
 * once more and comes back.
 */
export function useAction<Input, Output>(
  run: (input: Input) => Promise<Output>,
  { nouns = [], onDone }: { nouns?: readonly Noun[]; onDone?: (output: Output, input: Input) => void } = {},
): Action<Input, Output> {
  const { mutate, mutateAsync, isPending, error, reset } = useMutation<Output, Error, Input>({
    mutationFn: run,
    onSuccess: (output, input) => {
      for (const noun of nouns) void cache.invalidateQueries({ queryKey: [noun] })
      onDone?.(output, input)
    },
    onError: (failure) => {
      if (needsStepUp(failure)) goToSignIn({ step_up: true })
    },
  })
  return { run: mutate, runAndWait: mutateAsync, isRunning: isPending, error, forget: reset }
}
