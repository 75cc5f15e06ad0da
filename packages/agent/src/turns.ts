/** Work that takes turns: one after the other under a key, and at once under different keys. */

/** Work that is done one after the other under each key. */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Opens turns. Work that fails holds up none. */
export function openTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work)
    const end = turn
      .catch(() => {})
      .then(() => {
        if (last.get(key) === end) last.delete(key)
      })
    last.set(key, end)
    return turn
  }
}
