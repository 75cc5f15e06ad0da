/**
 * Waiting for news without polling one by one: all who wait in a process are asked for in one question, a few times a
 * second, and in none while nobody waits. Not this file's work: what the news is (each area's question).
 */
import { after } from './clock.ts'

/** Asked for keys, each with the oldest state that somebody who waits has seen; gives those that have changed since. */
export type NewsQuestion = (waiting: ReadonlyMap<string, number>) => Promise<readonly string[]>

/** Where one waits for news of a key. */
export type News = {
  /** Resolves when a key has changed since `seen`, or when the signal fires; soon, not at once. */
  wait(key: string, seen: number, signal: AbortSignal): Promise<void>
}

type Waiter = { readonly seen: number; readonly tell: () => void }

const pauseMilliseconds = 250

/** Makes such a place. A question that fails is asked again; `onFailure` is told. */
export function createNews(ask: NewsQuestion, onFailure: (error: unknown) => void): News {
  const waiters = new Map<string, Set<Waiter>>()
  let isAsking = false

  function askLater(): void {
    if (isAsking) return
    isAsking = true
    after(pauseMilliseconds, () => void askOnce())
  }

  async function askOnce(): Promise<void> {
    const asked = new Map([...waiters].map(([key, own]) => [key, Math.min(...[...own].map(({ seen }) => seen))]))
    // Who came since may have seen more than what was asked for; they are told once too often, and wait again.
    const changed = asked.size === 0 ? [] : await ask(asked).catch(fail)
    for (const key of changed) for (const waiter of waiters.get(key) ?? []) waiter.tell()
    isAsking = false
    if (waiters.size > 0) askLater()
  }

  function fail(error: unknown): string[] {
    onFailure(error)
    return []
  }

  return {
    wait: (key, seen, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const own = waiters.get(key) ?? new Set()
        const leave = () => {
          own.delete(waiter)
          if (own.size === 0 && waiters.get(key) === own) waiters.delete(key)
          signal.removeEventListener('abort', leave)
          resolve()
        }
        const waiter: Waiter = { seen, tell: leave }
        own.add(waiter)
        waiters.set(key, own)
        signal.addEventListener('abort', leave, { once: true })
        askLater()
      }),
  }
}
