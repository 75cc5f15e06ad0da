/**
 * One order for all row locks (reliability: lock order). A command takes its locks in rising rank and, within a rank,
 * in id order, so that no two commands can wait for each other in a circle. This file checks it in every build.
 */

/** The ranks, lowest first. Idempotency keys come before all of them; due rows and event counters after, at commit. */
export const ranks = {
  claimed_work: 1,
  books: 2,
  accounts: 3,
  pools: 4,
  parents: 4.5,
  instances: 5,
  hosts: 5.5,
} as const

/** A kind of lock: a statement with one parameter, the array of ids, that locks in id order and returns `id`. */
export type Lock = { readonly name: string; readonly rank: number; readonly text: string }

/**
 * A lock whose statement gives whole rows, as they are once they are locked: of the locked table alone, nothing joined.
 */
export type RowLock<R> = Lock & { readonly row?: R }

/** Defines a lock beside the store that owns its table. The statement must order by id. */
export function defineLock(name: string, rank: keyof typeof ranks, text: string): Lock {
  if (!/order by/.test(text)) throw new Error(`The lock ${name} takes its rows in no order.`)
  return { name, rank: ranks[rank], text }
}

/** Defines a lock that saves the statement that would read the rows behind it. */
export function defineRowLock<R>(name: string, rank: keyof typeof ranks, text: string): RowLock<R> {
  return defineLock(name, rank, text)
}

/** Whether taking a lock waits for its holder; one that skips what is locked does not. */
function mayWait({ text }: Lock): boolean {
  return !/skip locked/.test(text)
}

/** What one command has locked so far. */
export type LockOrder = {
  /** Throws where a lock would be taken against the order. */
  watch(lock: Lock): void
  /** Gives a way to forget what is locked from here on, for work that is rolled back and with it its locks. */
  mark(): () => void
}

/** Watches the ranks of one command. Parents of different kinds share a rank and go in order of their kind's name. */
export function lockOrder(): LockOrder {
  let last: Lock | undefined
  return {
    watch: (lock) => {
      const falls = last && (lock.rank < last.rank || (lock.rank === last.rank && lock.name < last.name))
      // Whoever does not wait stands in no circle, so such a lock may come late.
      if (falls && !mayWait(lock)) return
      if (falls) throw new Error(`The lock ${lock.name} was asked for after ${last?.name}, against the lock order.`)
      last = lock
    },
    mark: () => {
      const marked = last
      return () => {
        last = marked
      }
    },
  }
}
