/**
 * Coalesces reads of single keys: keys that are requested while one read runs share the next one. A read starts after
 * the last of its callers asked, so it sees everything that was committed before.
 */

/** Creates a loader of single keys from a function that reads many. A key that it does not return is undefined. */
export function createLoader<Key, Value>(
  readMany: (keys: Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let next: { readonly keys: Set<Key>; readonly answer: Promise<ReadonlyMap<Key, Value>> } | undefined
  let inFlight: Promise<unknown> = Promise.resolve()

  return async (key) => {
    if (next === undefined) {
      const keys = new Set<Key>()
      const send = () => {
        next = undefined
        return readMany([...keys])
      }
      // The next read also starts after a failed one.
      const answer = inFlight.then(send, send)
      next = { keys, answer }
      inFlight = answer
    }
    next.keys.add(key)
    return (await next.answer).get(key)
  }
}
