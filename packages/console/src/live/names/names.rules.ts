/** Which ids can be asked for their names, in which requests, and what stands for a thing without one. Pure. */

/** The form of the ids that the server names. Ids of accounts have another one, and are names already. */
const nameable = /^[a-z]{2,10}_[\w-]{1,40}$/

/** Whether the server may know a name of it. */
export function isNameable(id: string): boolean {
  return nameable.test(id)
}

/** Ids in lists of at most so many, each once. */
export function batchesOf(ids: Iterable<string>, most: number): readonly (readonly string[])[] {
  const all = [...new Set(ids)]
  return Array.from({ length: Math.ceil(all.length / most) }, (_, index) => all.slice(index * most, (index + 1) * most))
}

/** What a thing is called that has no name: its kind, where one is given, with the end of its id, which tells it. */
export function shortName(type: string, id: string): string {
  const end = isNameable(id) ? `…${id.slice(-5)}` : id
  return type === '' ? end : `${type.replaceAll('_', ' ')} ${end}`
}
