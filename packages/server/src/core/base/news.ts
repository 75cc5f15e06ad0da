/**
 * Waiting for news without polling one by one: all who wait in a process are asked for in one question, a few times a
 * second, and in none while nobody waits. Not this file's work: what the news is (each area's question).
 */
import { after } from './clock.ts'

/** Who waits, while a question is put together. */
export type Waiting = {
  /** Every key that somebody waits for, with the oldest state that one of them has seen. */
  all(): Map<string, number>
  /** Of one key; undefined where nobody waits for it. */
  seenOf(key: string): number | undefined
}

/** Gives the keys that have changed since somebody who waits has seen them. */
export type NewsQuestion = (waiting: Waiting) => Promise<readonly string[]>

/** Where one waits for news of a key. */
export type News = {
  /** Resolves when a key has changed since `seen`, or when the signal fires; soon, not at once. */
  wait(key: string, seen: number, signal: AbortSignal): Promise<void>
  /** Lets everybody go who waits, and nobody wait any more. */
  close(): void
}

/** How a place is made. */
export type NewsOptions = {
  readonly ask: NewsQuestion
  /** Told of a question that failed; it is asked again. */
  readonly onFailure: (error: unknown) => void
  /** Where more wait for one key, the oldest is let go. Default: as many as like. */
  readonly waitersOfKeyMax?: number
}

type Waiter = { readonly seen: number; readonly leave: () => void }

const pauseMilliseconds = 250

/** Makes a place to wait at. */
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
    // Who came since may have seen more than what was asked for; they are told once too often, and wait again.
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
