/**
 * Lets callers wait until a key changes. One query, a few times a second, polls for all waiting callers of the process;
 * no query runs while none waits. Not this file's work: what counts as a change (each area's question).
 */
import { after } from './clock.ts'

/** The waiting callers, as a question sees them. */
export type Waiting = {
  /** Every key with a waiting caller, and the oldest state that such a caller has seen. */
  all(): Map<string, number>
  /** The oldest seen state of one key; undefined where no caller waits for it. */
  seenOf(key: string): number | undefined
}

/** Returns the keys that have changed since the state that a waiting caller has seen. */
export type NewsQuestion = (waiting: Waiting) => Promise<readonly string[]>

/** Waits for changes of keys. */
export type News = {
  /** Resolves shortly after a key has changed since `seen`, or when the signal is aborted. */
  wait(key: string, seen: number, signal: AbortSignal): Promise<void>
  /** Resolves all waits, and every later wait at once. */
  close(): void
}

/** The options of a notifier. */
export type NewsOptions = {
  readonly ask: NewsQuestion
  /** Called when a question fails. It is asked again. */
  readonly onFailure: (error: unknown) => void
  /** The most waits for one key. A further one resolves the oldest. Unlimited by default. */
  readonly waitersOfKeyMax?: number
}

type Waiter = { readonly seen: number; readonly leave: () => void }

const pauseMilliseconds = 250

/** Creates a notifier without waits. */
export function createNews({ ask, onFailure, waitersOfKeyMax = Number.POSITIVE_INFINITY }: NewsOptions): News {
  const waiters = new Map<string, Set<Waiter>>()
  let isAsking = false
  let isClosed = false

  function askLater(): void {
    if (isAsking) return
    isAsking = true
    after(pauseMilliseconds, () => void askOnce())
  }

  const oldestOf = (own: Set<Waiter>) => Math.min(...[...own].map(({ seen }) => seen))
  const waiting: Waiting = {
    all: () => new Map([...waiters].map(([key, own]) => [key, oldestOf(own)])),
    seenOf: (key) => {
      const own = waiters.get(key)
      return own && oldestOf(own)
    },
  }

  async function askOnce(): Promise<void> {
    // A caller that arrived during the query may have seen the change already. It is then resolved once too often and
    // waits again.
    const changed = waiters.size === 0 ? [] : await ask(waiting).catch(fail)
    for (const key of changed) letGo(key)
    isAsking = false
    if (waiters.size > 0) askLater()
  }

  function fail(error: unknown): string[] {
    onFailure(error)
    return []
  }

  function letGo(key: string): void {
    for (const { leave } of waiters.get(key) ?? []) leave()
  }

  return {
    wait: (key, seen, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || isClosed) return resolve()
        const own = waiters.get(key) ?? new Set()
        const leave = () => {
          own.delete(waiter)
          if (own.size === 0 && waiters.get(key) === own) waiters.delete(key)
          signal.removeEventListener('abort', leave)
          resolve()
        }
        const waiter: Waiter = { seen, leave }
        const [oldest] = own
        if (oldest && own.size >= waitersOfKeyMax) oldest.leave()
        own.add(waiter)
        waiters.set(key, own)
        signal.addEventListener('abort', leave, { once: true })
        askLater()
      }),
    close: () => {
      isClosed = true
      for (const key of [...waiters.keys()]) letGo(key)
    },
  }
}
