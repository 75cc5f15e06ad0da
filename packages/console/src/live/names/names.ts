/** What ids are called. What a page shows is asked for together, and again after a minute: people rename things. */
import { useEffect, useSyncExternalStore } from 'react'
import { client } from '../client.ts'
import { askedTogether } from './asked.ts'
import { batchesOf, isNameable } from './names.rules.ts'

/** Ids of one request: its query has to fit into the line of a request. */
const most = 100

const names = askedTogether<string>({
  fresh: 60_000,
  ask: async (ids) => {
    const lists = await Promise.all(batchesOf(ids, most).map((batch) => client.names.list({ ids: [...batch] })))
    return new Map(lists.flatMap(({ data }) => data).map(({ id, name }) => [id, name]))
  },
})

/** The name of an id, as far as it was read: undefined for what has none, or not yet. */
export const knownName = names.known

/** The name of an id as soon as it is known. */
export function useName(id: string): string | undefined {
  useEffect(() => names.want([id].filter(isNameable)), [id])
  return useSyncExternalStore(names.subscribe, () => knownName(id))
}

/** The names of ids; for each the id itself until its name is known. */
export function useNames(ids: readonly string[]): (id: string) => string {
  const key = ids.join(' ')
  useEffect(() => names.want(key.split(' ').filter(isNameable)), [key])
  useSyncExternalStore(names.subscribe, () => ids.map(knownName).join('\n'))
  return (id) => knownName(id) ?? id
}
