/** What clients meant to do and what they were told: written down before each call, and completed after it. */

/** A call that makes something, or takes it away. */
export type JournalEntry = {
  readonly method: 'POST' | 'DELETE'
  readonly path: string
  readonly token: string
  readonly body?: object
  /** Calls that make something carry a key; removals need none. */
  readonly key?: string
  /** Where it can be read once it is there; a path with its name where its id is not known yet. */
  readonly place?: string
  /** Calls that went unanswered, or were answered with 503. */
  unanswered: number
  /** The first success, and the kills that had been before it. */
  success: Success | undefined
}

export type Success = { readonly status: number; readonly body: any; readonly after_kills: number }

/** Everything that was meant, in its order. */
export type Journal = {
  readonly entries: JournalEntry[]
  kills: number
  /** Effects that were there although their call had gone unanswered. */
  found: number
  readonly failures: string[]
}

export function openJournal(): Journal {
  return { entries: [], kills: 0, found: 0, failures: [] }
}

/** Where the thing that an entry made can be read by its id. */
export function placeOf({ path, success }: JournalEntry): string {
  const collection = path.replace(/\/[^/]+\/replace$/, '')
  return `${collection}/${success?.body.id}`
}
