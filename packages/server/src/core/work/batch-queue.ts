/**
 * Collects requests that arrive while transactions are running and runs them together in the next one. The more
 * requests wait, the more of them share the statements and the commit of one transaction.
 * Not this file's work: the transaction (batch-command.ts).
 */

import { after, soon } from '../base/clock.ts'
import { Refusal } from '../base/refusal.ts'
import type { BatchEntry, BatchOutcome } from './batch-command.ts'
import { keyNameOf } from './idempotency.ts'

/** How a queue forms batches. */
export type BatchQueueOptions<I, T> = {
  /** Decides and writes a batch in one transaction; returns one outcome for each entry, in their order. */
  readonly run: (entries: readonly BatchEntry<I>[]) => Promise<readonly BatchOutcome<T>[]>
  /** Two requests that share one of these names never run in the same batch. */
  readonly namesOf: (entry: BatchEntry<I>) => readonly string[]
  /** The most transactions that run at once. */
  readonly running_max: number
  /** The most requests in one transaction. */
  readonly entries_max: number
  /** How long a batch stays open for more requests. Set it only where no user waits for the responses. */
  readonly linger_milliseconds?: number
  /** Refuses a request at once where this many already wait: a queue that cannot be served in time only uses memory. */
  readonly waiting_max?: number
  /** Runs something later. */
  readonly after?: (milliseconds: number, work: () => void) => void
}

/** Adds a request to the next transaction; returns its outcome. */
export type BatchQueue<I, T> = (entry: BatchEntry<I>) => Promise<BatchOutcome<T>>

type WaitingEntry<I, T> = {
  readonly entry: BatchEntry<I>
  readonly names: readonly string[]
  readonly resolve: (outcome: BatchOutcome<T>) => void
  readonly reject: (error: unknown) => void
}

/** Options of separate queues for each key. */
type KeyedBatchQueueOptions<I, T> = BatchQueueOptions<I, T> & {
  /** The queue of a request. All requests of a batch have the same key. */
  readonly keyOf: (entry: BatchEntry<I>) => string
}

/** Creates a queue for each key that has requests. A key without requests takes no memory. */
export function createKeyedBatchQueue<I, T>({ keyOf, ...options }: KeyedBatchQueueOptions<I, T>): BatchQueue<I, T> {
  const queues = new Map<string, { readonly enqueue: BatchQueue<I, T>; requests: number }>()
  return async (entry) => {
    const key = keyOf(entry)
    const queue = queues.get(key) ?? { enqueue: createBatchQueue(options), requests: 0 }
    queues.set(key, queue)
    queue.requests += 1
    try {
      return await queue.enqueue(entry)
    } finally {
      queue.requests -= 1
      if (queue.requests === 0) queues.delete(key)
    }
  }
}

/** Creates an empty queue. */
export function createBatchQueue<I, T>(options: BatchQueueOptions<I, T>): BatchQueue<I, T> {
  const { running_max, entries_max, namesOf, linger_milliseconds, after: later = after } = options
  const { waiting_max = Number.POSITIVE_INFINITY } = options
  let waiting: WaitingEntry<I, T>[] = []
  let running = 0
  let isSending = false

  const sendLater = () => {
    if (isSending || waiting.length === 0 || running >= running_max) return
    isSending = true
    if (linger_milliseconds === undefined) soon(send)
    else later(linger_milliseconds, send)
  }
  const send = () => {
    isSending = false
    while (waiting.length > 0 && running < running_max) {
      const { batch, later } = takeBatch(waiting, entries_max)
      waiting = later
      running++
      void runBatch(options, batch).finally(() => {
        running--
        if (linger_milliseconds === undefined) send()
        else sendLater()
      })
    }
  }
  return (entry) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= waiting_max) return reject(tooMany())
      const { claim } = entry
      const names = [...namesOf(entry), ...(claim ? [keyNameOf(claim)] : [])]
      waiting.push({ entry, names, resolve, reject })
      // Deferred, so that requests that arrive in the same turn of the event loop share a batch.
      sendLater()
    })
}

function tooMany(): Refusal {
  const message = 'Too many requests of this kind are already waiting. Try again shortly.'
  return new Refusal({ code: 'unavailable', message, retry_after_seconds: 5 })
}

/** Takes the oldest requests that wait. Of two requests that share a name it takes only the first. */
function takeBatch<I, T>(waiting: readonly WaitingEntry<I, T>[], entriesMax: number) {
  const batch: WaitingEntry<I, T>[] = []
  const later: WaitingEntry<I, T>[] = []
  const taken = new Set<string>()
  for (const one of waiting) {
    const isApart = one.names.some((name) => taken.has(name))
    if (batch.length === entriesMax || isApart) later.push(one)
    else batch.push(one)
    for (const name of one.names) taken.add(name)
  }
  return { batch, later }
}

async function runBatch<I, T>({ run }: BatchQueueOptions<I, T>, batch: readonly WaitingEntry<I, T>[]) {
  try {
    const outcomes = await run(batch.map(({ entry }) => entry))
    for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as BatchOutcome<T>)
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}
