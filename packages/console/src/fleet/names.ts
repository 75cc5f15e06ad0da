/** What ids are called. */
import { client } from '../live/client.ts'
import { useRead } from '../live/queries.ts'

/** The most ids of one request. */
const namesMax = 200

/** The names of ids of any kind, in one request; for each the id itself while its name is not known. */
export function useNames(ids: readonly string[]): (id: string) => string {
  const asked = [...new Set(ids)].toSorted().slice(0, namesMax)
  const { data } = useRead(
    ['name', 'of', asked],
    async () =>
      new Map<string, string>((await client.names.list({ ids: asked })).data.map(({ id, name }) => [id, name])),
    { enabled: asked.length > 0, keepsLast: true, retry: 1 },
  )
  return (id) => data?.get(id) ?? id
}
