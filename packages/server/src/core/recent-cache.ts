/**
 * A bounded map that keeps what was used lately. Two generations instead of a linked list: a hit costs one look-up and
 * moves nothing, and when the young generation is full it becomes the old one, whose unused half is dropped whole.
 */
export type RecentCache<Key, Value> = {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  clear(): void
}

/** A cache of at most `capacity` entries; the half of them used last are always kept. */
export function createRecentCache<Key, Value>(capacity: number): RecentCache<Key, Value> {
  const half = Math.max(1, Math.floor(capacity / 2))
  let young = new Map<Key, Value>()
  let old = new Map<Key, Value>()

  function get(key: Key): Value | undefined {
    const hit = young.get(key)
    if (hit !== undefined) return hit
    const found = old.get(key)
    if (found !== undefined) set(key, found)
    return found
  }

  function set(key: Key, value: Value): void {
    if (young.size >= half && !young.has(key)) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }

  function clear(): void {
    young = new Map()
    old = new Map()
  }

  return { get, set, clear }
}
