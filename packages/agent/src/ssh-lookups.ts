/**
 * Looks for the host keys of machines, each by itself: a guest that boots takes a second to show that it does not
 * respond yet, and the others do not wait for it.
 */

/** The lookups that are under way. */
type Lookups = {
  /** Begins one for a machine, unless its last one is still under way. */
  begin(id: string, look: () => Promise<void>): void
  /** Resolves when none is under way. */
  settled(): Promise<void>
}

/** Opens lookups. A failed one is repeated by the next `begin`. */
export function openLookups(onError: (id: string, error: Error) => void): Lookups {
  const underWay = new Map<string, Promise<void>>()
  return {
    begin: (id, look) => {
      if (underWay.has(id)) return
      const looking = look()
        .catch((error) => onError(id, error))
        .finally(() => underWay.delete(id))
      underWay.set(id, looking)
    },
    settled: async () => void (await Promise.all(underWay.values())),
  }
}
