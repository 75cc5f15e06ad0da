/** Lists: a page that leads on to the next ones, forward and backward. */
import { type Call, callOf, type Reply } from './call.ts'
import { MalformedAnswerError } from './errors.ts'

/** One page of a list, as the API gives it, and the way to its neighbours. */
export type Page<T> = AsyncIterable<T> & {
  readonly object: 'list'
  readonly data: T[]
  /** Whether more lies in the direction that was asked for. */
  readonly has_more: boolean
  /** Where to go on; on an empty page the cursor that was sent. Keep it to go on later, with the same filters. */
  readonly cursor?: string
  /** The page behind this one; undefined where there is none. */
  nextPage(): Promise<Page<T> | undefined>
  /** The page before this one; undefined where there is none. Lists that only go forward have none. */
  previousPage(): Promise<Page<T> | undefined>
  /** The entries of this page and of those that follow in its direction, `max` at most. */
  all(options?: { max?: number }): Promise<T[]>
}

/** A list under way: await it for a page, or walk over all of its entries. */
export type ListCall<T> = Call<Page<T>> & AsyncIterable<T> & Pick<Page<T>, 'all'>

type Body<T> = { object: 'list'; data: T[]; has_more: boolean; cursor?: string }
type Query = Readonly<Record<string, unknown>>
/** Asks for one page. */
export type Ask = (query: Query) => Promise<Reply<unknown>>

/** Which ways a list can be walked. */
export type Ways = { readonly forward: boolean; readonly backward: boolean }

/**
 * Asks for the first page of a list. Walking it asks for the others as they are needed. A walk that begins with
 * `ending_before` goes backward, entry by entry, so each entry lies before the one that came before it.
 */
export function listCall<T>(ask: Ask, query: Query, ways: Ways): ListCall<T> {
  const call = callOf<unknown, Page<T>>(ask(query), (reply) => pageOf(reply, { ask, query, ways }))
  return Object.assign(call, {
    all: async (options?: { max?: number }) => (await call).all(options),
    async *[Symbol.asyncIterator]() {
      yield* await call
    },
  })
}

type Origin = { readonly ask: Ask; readonly query: Query; readonly ways: Ways }

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
    return page.data.length === 0 ? undefined : page
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
      // A server that leads in circles would keep the walk going for ever.
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
  // What is not data stays out of JSON and of the sight of loggers.
  const self = Object.defineProperties(shown, {
    nextPage: { value: nextPage },
    previousPage: { value: previousPage },
    all: { value: all },
    [Symbol.asyncIterator]: { value: walk },
  }) as Page<T>
  return self
}

function readList<T>(reply: Reply<unknown>): Body<T> {
  const body = reply.data as Partial<Body<T>> | null
  if (body?.object === 'list' && Array.isArray(body.data) && typeof body.has_more === 'boolean') {
    return body as Body<T>
  }
  throw malformed(reply)
}

function malformed({ status, requestId }: Reply<unknown>): MalformedAnswerError {
  return new MalformedAnswerError('The answer is no page of a list: is this the address of a Bourse server?', {
    status,
    requestId,
  })
}
