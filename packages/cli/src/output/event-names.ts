/** The names of what events are about and of the tokens that caused them. */
import type { Event } from '@bourse/api/events/events.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Client } from '@bourse/sdk/client.ts'
import { ApiError } from '@bourse/sdk/errors.ts'

type NamedResource = {
  readonly id: string
  readonly name?: string | null
  readonly alias?: string
  readonly url?: string
}
type Load = (client: Client, ids: readonly string[]) => Promise<readonly NamedResource[]>

/** The most ids of one request. */
const idsMax = 100

function byIds<I extends string>(
  list: (
    client: Client,
    query: { readonly id: I[]; readonly limit: number },
  ) => Promise<{ readonly data: readonly NamedResource[] }>,
): Load {
  return async (client, ids) => (await list(client, { id: ids as I[], limit: idsMax })).data
}

/** How the names of a kind are read. Kinds without names, such as orders, are not among them. */
const loads: Readonly<Record<string, Load>> = {
  instance: byIds<Id<'instance'>>((client, query) => client.instances.list(query)),
  image: byIds<Id<'image'>>((client, query) => client.images.list(query)),
  webhook: byIds<Id<'webhook'>>((client, query) => client.webhooks.list(query)),
  token: byIds<Id<'token'>>((client, query) => client.tokens.list(query)),
  budget: async (client) => (await client.budgets.list({ limit: 200 }).all()) as readonly NamedResource[],
  instance_sku: async (client) =>
    (await client.skus.list({ limit: 200, include_deleted: true }).all()) as readonly NamedResource[],
}

/** Reads names by ids. Of what is deleted, or what the caller may not read, there is none. */
export async function namesOf(client: Client, events: readonly Event[]): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map<string, Set<string>>()
  for (const { targets, actor } of events) {
    for (const one of [...targets, ...('id' in actor ? [actor] : [])]) {
      if (Object.hasOwn(loads, one.type)) wanted.set(one.type, (wanted.get(one.type) ?? new Set()).add(one.id))
    }
  }
  const found = await Promise.all([...wanted].map(([type, ids]) => loadNames(client, type, [...ids])))
  return new Map(found.flat())
}

async function loadNames(client: Client, type: string, ids: readonly string[]): Promise<[string, string][]> {
  const pages = Array.from({ length: Math.ceil(ids.length / idsMax) }, (_, at) =>
    ids.slice(at * idsMax, (at + 1) * idsMax),
  )
  try {
    const named = await Promise.all(pages.map((page) => loads[type]?.(client, page) ?? []))
    return named.flat().flatMap(({ id, name, alias, url }) => {
      const text = name ?? alias ?? url
      return text ? [[id, text] as [string, string]] : []
    })
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

/** Rows for a table: targets and actors with their names before their ids. */
export function withNames(events: readonly Event[], names: ReadonlyMap<string, string>): readonly unknown[] {
  return events.map((event) => ({
    ...event,
    targets: event.targets.map(({ type, id }) => textOf(type, id, names)).join(', '),
    actor: 'id' in event.actor ? textOf(event.actor.type, event.actor.id, names) : event.actor.type,
  }))
}

function textOf(type: string, id: string, names: ReadonlyMap<string, string>): string {
  const name = names.get(id)
  return name === undefined ? `${type} ${id}` : `${name} (${id})`
}
