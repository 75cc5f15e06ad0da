/** What one server keeps in memory between commands: caches of the database, each owned by one area. */
export type Memory = Map<string, unknown>

/** The part of a server's memory with this name, made where it is not there yet. */
export function memoryOf<T>(memory: Memory, name: string, make: () => T): T {
  const known = memory.get(name)
  if (known !== undefined) return known as T
  const made = make()
  memory.set(name, made)
  return made
}
