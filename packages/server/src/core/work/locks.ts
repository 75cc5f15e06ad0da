/**
 * One order for all row locks. A command takes its locks in rising rank and, within a rank, in id order, so two
 * commands cannot deadlock. The order is checked at run time, in production too.
 */

/** The ranks, lowest first. Idempotency keys come before all of them; due rows and event counters come after. */
const ranks = {
  claimed_work: 1,
  books: 2,
  accounts: 3,
  pools: 4,
  parents: 4.5,
  instances: 5,
  hosts: 5.5,
} as const

/** A lock: a statement with one parameter, the array of ids. It locks rows in id order and returns their ids. */
export type Lock = { readonly name: string; readonly rank: number; readonly text: string }

/**
 * A lock whose statement returns whole rows, as they are after locking. It selects from the locked table only: joined
 * rows would show their state from before the wait for the lock.
 */
export type RowLock<R> = Lock & { readonly row?: R }

/** Defines a lock, in the store that owns its table. The statement must order by id. */
export function defineLock(name: string, rank: keyof typeof ranks, text: string): Lock {
  if (!/order by/.test(text)) throw new Error(`The lock ${name} takes its rows in no order.`)
  return { name, rank: ranks[rank], text }
}

/** Defines a lock that also returns the rows, so that no second statement has to read them. */
export function defineRowLock<R>(name: string, rank: keyof typeof ranks, text: string): RowLock<R> {
  return defineLock(name, rank, text)
}

/** Whether taking a lock waits for its holder. A statement with `skip locked` does not. */
function mayWait({ text }: Lock): boolean {
  return !/skip locked/.test(text)
}

/** The locks that one command holds. */
export type LockOrder = {
  /** Throws where taking the lock would break the order. */
  check(lock: Lock): void
  /** Returns a function that drops the record of the locks taken after this call, for work that is rolled back. */
  mark(): () => void
}

/** Tracks the ranks of one command. Parents of different kinds share a rank and follow the order of their names. */
export function lockOrder(): LockOrder {
  let last: Lock | undefined
  return {
    check: (lock) => {
      const violates = last && (lock.rank < last.rank || (lock.rank === last.rank && lock.name < last.name))
      // A lock that does not wait cannot take part in a deadlock, so it may come late.
      if (violates && !mayWait(lock)) return
      if (violates) throw new Error(`The lock ${lock.name} was asked for after ${last?.name}, against the lock order.`)
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
