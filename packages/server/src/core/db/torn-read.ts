/**
 * Torn reads. A read runs several statements without a common snapshot, so a row may disappear between two of them.
 * Such a read runs again and then sees the new state. A snapshot for every read would cost each of them three more
 * round trips to the database.
 */

const tornReads = new WeakSet<object>()

/** The error of a read that found one part of an object and missed another. Where it repeats, it is a bug. */
export function tornRead(message: string): Error {
  const error = new Error(message)
  tornReads.add(error)
  return error
}

/** Whether an error was made by `tornRead`. */
export function isTornRead(error: unknown): boolean {
  return error instanceof Error && tornReads.has(error)
}
