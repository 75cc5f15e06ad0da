/**
 * A bounded map that keeps recently used entries. It has two generations instead of a linked list, so a hit costs one
 * look-up and moves nothing. When the young generation is full it becomes the old one, and the former old one is
 * dropped.
 */
export type RecentCache<Key, Value> = {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  clear(): void
}

/**
 * Creates a cache of at most `capacity` entries, which always keeps the most recently used half. With `weigh`, the
 * capacity limits the sum of the weights.
 */
export function createRecentCache<Key, Value>(
  capacity: number,
  weigh: (value: Value) => number = () => 1,
): RecentCache<Key, Value> {
  const half = Math.max(1, Math.floor(capacity / 2))
  let young = new Map<Key, Value>()
  let old = new Map<Key, Value>()
  let weight = 0

  function get(key: Key): Value | undefined {
    const hit = young.get(key)
    if (hit !== undefined) return hit
    const found = old.get(key)
    if (found !== undefined) set(key, found)
    return found
  }

  function set(key: Key, value: Value): void {
    const before = young.get(key)
    const added = weigh(value) - (before === undefined ? 0 : weigh(before))
    if (weight + added > half && young.size > 0 && before === undefined) {
      old = young
      young = new Map()
      weight = 0
    }
    weight += added
    young.set(key, value)
  }

  function clear(): void {
    young = new Map()
    old = new Map()
    weight = 0
  }

  return { get, set, clear }
}
