/**
 * Reads take several statements and no snapshot: a row may end between two of them, and then what the first showed
 * lacks what the second should add to it. Such a read is done again, and by then sees the end. A snapshot for every
 * read would cost each of them three more flights to the database.
 */

const tornReads = new WeakSet<object>()

/** The error of a read that found one part of something and missed another; a bug where it happens again and again. */
export function tornRead(message: string): Error {
  const error = new Error(message)
  tornReads.add(error)
  return error
}

/** Whether something thrown says that a read was torn. */
export function isTornRead(error: unknown): boolean {
  return error instanceof Error && tornReads.has(error)
}
