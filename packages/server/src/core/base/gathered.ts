/**
 * Reads of single keys that travel together: while one reading is under way the next gathers. A reading starts after
 * the last of its callers asked, so what it says includes everything that was committed before.
 */

/** Makes a reader of single keys from one of many. A key that the many leave out is undefined. */
export function gathered<Key, Value>(
  readMany: (keys: Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let next: { readonly keys: Set<Key>; readonly answer: Promise<ReadonlyMap<Key, Value>> } | undefined
  let underWay: Promise<unknown> = Promise.resolve()

  return async (key) => {
    if (next === undefined) {
      const keys = new Set<Key>()
      const send = () => {
        next = undefined
        return readMany([...keys])
      }
      // Both ends settle, so a failed reading does not stop its successor.
      const answer = underWay.then(send, send)
      next = { keys, answer }
      underWay = answer
    }
    next.keys.add(key)
    return (await next.answer).get(key)
  }
}
