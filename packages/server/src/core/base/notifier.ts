/**
 * Lets callers wait until a key changes. One query, a few times a second, polls for all waiting callers of the process;
 * no query runs while none waits. Not this file's work: what counts as a change (each area's question).
 */
import { after } from './clock.ts'

/** The waiting callers, as a question sees them. */
type WaitingCallers = {
  /** Every key with a waiting caller, and the oldest state that such a caller has seen. */
  all(): Map<string, number>
  /** The oldest seen state of one key; undefined where no caller waits for it. */
  sinceOf(key: string): number | undefined
}

/** Returns the keys that have changed since the state that a waiting caller has seen. */
type FindChanged = (waiting: WaitingCallers) => Promise<readonly string[]>

/** Waits for changes of keys. */
export type Notifier = {
  /** Resolves shortly after a key has changed since the state `since`, or when the signal is aborted. */
  wait(key: string, since: number, signal: AbortSignal): Promise<void>
  /** Resolves all waits, and every later wait at once. */
  close(): void
}

/** The options of a notifier. */
type NotifierOptions = {
  readonly findChanged: FindChanged
  /** Called when a question fails. It is asked again. */
  readonly onFailure: (error: unknown) => void
  /** The most waits for one key. A further one resolves the oldest. Unlimited by default. */
  readonly waitersOfKeyMax?: number
}

type NotifierWaiter = { readonly since: number; readonly finish: () => void }

const pauseMilliseconds = 250

/** Creates a notifier without waits. */
export function createNotifier({
  findChanged,
  onFailure,
  waitersOfKeyMax = Number.POSITIVE_INFINITY,
}: NotifierOptions): Notifier {
  const waiters = new Map<string, Set<NotifierWaiter>>()
  let isPolling = false
  let isClosed = false

  function schedulePoll(): void {
    if (isPolling) return
    isPolling = true
    after(pauseMilliseconds, () => void poll())
  }

  const oldestOf = (own: Set<NotifierWaiter>) => Math.min(...[...own].map(({ since }) => since))
  const waitersView: WaitingCallers = {
    all: () => new Map([...waiters].map(([key, own]) => [key, oldestOf(own)])),
    sinceOf: (key) => {
      const own = waiters.get(key)
      return own && oldestOf(own)
    },
  }

  async function poll(): Promise<void> {
    // A caller that arrived during the query may have seen the change already. It is then resolved once too often and
    // waits again.
    const changed = waiters.size === 0 ? [] : await findChanged(waitersView).catch(fail)
    for (const key of changed) release(key)
    isPolling = false
    if (waiters.size > 0) schedulePoll()
  }

  function fail(error: unknown): string[] {
    onFailure(error)
    return []
  }

  function release(key: string): void {
    for (const { finish } of waiters.get(key) ?? []) finish()
  }

  return {
    wait: (key, since, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || isClosed) return resolve()
        const own = waiters.get(key) ?? new Set()
        const finish = () => {
          own.delete(waiter)
          if (own.size === 0 && waiters.get(key) === own) waiters.delete(key)
          signal.removeEventListener('abort', finish)
          resolve()
        }
        const waiter: NotifierWaiter = { since, finish }
        const [oldest] = own
        if (oldest && own.size >= waitersOfKeyMax) oldest.finish()
        own.add(waiter)
        waiters.set(key, own)
        signal.addEventListener('abort', finish, { once: true })
        schedulePoll()
      }),
    close: () => {
      isClosed = true
      for (const key of [...waiters.keys()]) release(key)
    },
  }
}
