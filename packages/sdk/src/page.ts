/** Lists: pages, and iteration over all entries of a list. */
import { type Call, callOf, type Reply } from './call.ts'
import { MalformedAnswerError } from './errors.ts'

/** One page of a list as the API returns it, with methods for its neighbours. Iterates over the rest of the list. */
export type Page<T> = AsyncIterable<T> & {
  readonly object: 'list'
  readonly data: T[]
  /** Whether more entries follow in the direction of the request. */
  readonly has_more: boolean
  /**
   * The cursor to continue with; on an empty page the cursor of the request. Store it to continue later, with the same
   * filters.
   */
  readonly cursor?: string
  /** The next page; undefined if there is none. */
  nextPage(): Promise<Page<T> | undefined>
  /** The previous page; undefined if there is none, or if the list is forward only. */
  previousPage(): Promise<Page<T> | undefined>
  /** The entries of this page and of the pages that follow in its direction, at most `max`. */
  all(options?: { max?: number }): Promise<T[]>
}

/** A running list call: await it for a page, or iterate over all entries of the list. */
export type ListCall<T> = Call<Page<T>> & AsyncIterable<T> & Pick<Page<T>, 'all'>

type ListBody<T> = { object: 'list'; data: T[]; has_more: boolean; cursor?: string }
type ListQuery = Readonly<Record<string, unknown>>
/** Requests one page. */
export type RequestPage = (query: ListQuery) => Promise<Reply<unknown>>

/** The directions that a list supports. */
export type Ways = { readonly forward: boolean; readonly backward: boolean }

/**
 * Requests the first page of a list. Iteration requests the other pages as they are needed. Iteration from
 * `ending_before` runs backward: each entry precedes the one yielded before it. Throws MalformedAnswerError if a
 * response is not a page, or if its cursor does not advance.
 */
export function listCall<T>(ask: RequestPage, query: ListQuery, ways: Ways): ListCall<T> {
  const call = callOf<unknown, Page<T>>(ask(query), (reply) => pageOf(reply, { ask, query, ways }))
  return Object.assign(call, {
    all: async (options?: { max?: number }) => (await call).all(options),
    async *[Symbol.asyncIterator]() {
      yield* await call
    },
  })
}

type Origin = { readonly ask: RequestPage; readonly query: ListQuery; readonly ways: Ways }

function pageOf<T>(reply: Reply<unknown>, origin: Origin): Page<T> {
  const { query, ways } = origin
  const body = readList<T>(reply)
  const isBackward = query.ending_before !== undefined
  const sent = (query.ending_before ?? query.starting_after) as string | undefined
  const cursor = body.cursor ?? sent
  const goOn = async (way: 'starting_after' | 'ending_before'): Promise<Page<T> | undefined> => {
    const { starting_after: _, ending_before: __, ...filters } = query
    if (cursor === undefined) return undefined
    const next = { ...filters, [way]: cursor }
    const page = pageOf<T>(await origin.ask(next), { ...origin, query: next })
    return page.data.length === 0 && !page.has_more ? undefined : page
  }
  const nextPage = async () => (ways.forward && (isBackward || body.has_more) ? goOn('starting_after') : undefined)
  const previousPage = async () => {
    // A page that was reached without a cursor is the first one.
    const isFirst = isBackward ? !body.has_more : sent === undefined
    return ways.backward && !isFirst ? goOn('ending_before') : undefined
  }
  async function* walk() {
    const follow = (page: Page<T>) => (isBackward ? page.previousPage() : page.nextPage())
    let page: Page<T> | undefined = self
    while (page) {
      yield* isBackward ? page.data.toReversed() : page.data
      const last: string | undefined = page.cursor
      page = page.has_more ? await follow(page) : undefined
      // Without this check, a server that repeats a cursor would cause an endless iteration.
      if (page && page.cursor === last) throw malformed(reply)
    }
  }
  const all = async ({ max = Number.POSITIVE_INFINITY }: { max?: number } = {}) => {
    const entries: T[] = []
    if (max <= 0) return entries
    for await (const entry of walk()) if (entries.push(entry) >= max) break
    return entries
  }
  const shown = { ...body, ...(cursor === undefined ? {} : { cursor }) }
  // The methods are not enumerable, so that JSON and loggers show only the data.
  const self = Object.defineProperties(shown, {
    nextPage: { value: nextPage },
    previousPage: { value: previousPage },
    all: { value: all },
    [Symbol.asyncIterator]: { value: walk },
  }) as Page<T>
  return self
}

function readList<T>(reply: Reply<unknown>): ListBody<T> {
  const body = reply.data as Partial<ListBody<T>> | null
  if (body?.object === 'list' && Array.isArray(body.data) && typeof body.has_more === 'boolean') {
    return body as ListBody<T>
  }
  throw malformed(reply)
}

function malformed({ status, requestId }: Reply<unknown>): MalformedAnswerError {
  return new MalformedAnswerError('The response is not a page of a list. Check the address of the Bourse server.', {
    status,
    requestId,
  })
}
