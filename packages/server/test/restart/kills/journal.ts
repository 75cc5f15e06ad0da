/** The journal of the clients: each call is recorded before it is sent, and its result after the response. */

/** A call that creates or deletes a resource. */
export type CallEntry = {
  readonly method: 'POST' | 'DELETE'
  readonly path: string
  readonly token: string
  readonly body?: object
  /** The idempotency key of a creating call. Deletions have none. */
  readonly key?: string
  /** The path of the created resource; by name while its id is unknown. */
  readonly place?: string
  /** The number of attempts without a response or with a 503. */
  unanswered: number
  /** The first success, and the number of kills before it. */
  success: Success | undefined
}

export type Success = { readonly status: number; readonly body: any; readonly after_kills: number }

/** All calls, in order. */
export type Journal = {
  readonly entries: CallEntry[]
  kills: number
  /** The number of effects of unanswered calls that existed. */
  found: number
  readonly failures: string[]
}

export function openJournal(): Journal {
  return { entries: [], kills: 0, found: 0, failures: [] }
}

/** The path of the created resource by its id. */
export function resourcePlaceOf({ path, success }: CallEntry): string {
  const collection = path.replace(/\/[^/]+\/replace$/, '')
  return `${collection}/${success?.body.id}`
}
