/** The names of what events are about and of the tokens that caused them. */
import type { Event } from '@bourse/api/events/events.ts'
import { namesMax } from '@bourse/api/iam/names.ts'
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

/** The most ids of one request for a list. */
const idsMax = 100

function byIds<I extends string>(
  list: (
    client: Client,
    query: { readonly id: I[]; readonly limit: number },
  ) => Promise<{ readonly data: readonly NamedResource[] }>,
): Load {
  return async (client, ids) => (await list(client, { id: ids as I[], limit: idsMax })).data
}

/** How the names of a kind are read that `list_names` does not know, and those of images of other accounts. */
const loads: Readonly<Record<string, Load>> = {
  image: byIds<Id<'image'>>((client, query) => client.images.list(query)),
  webhook: byIds<Id<'webhook'>>((client, query) => client.webhooks.list(query)),
  budget: async (client) => (await client.budgets.list({ limit: 200 }).all()) as readonly NamedResource[],
}

/** Reads names by ids. Of what is deleted, or what the caller may not read, there is none. */
export async function namesOf(client: Client, events: readonly Event[]): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map<string, Set<string>>()
  const others = new Set<string>()
  for (const { targets, actor } of events) {
    for (const one of [...targets, ...('id' in actor ? [actor] : [])]) {
      if (Object.hasOwn(loads, one.type)) wanted.set(one.type, (wanted.get(one.type) ?? new Set()).add(one.id))
      else others.add(one.id)
    }
  }
  const found = await Promise.all([
    ...[...wanted].map(([type, ids]) => loadNames(client, type, [...ids])),
    readNames(client, [...others]),
  ])
  return new Map(found.flat())
}

/** Reads what ids of any kind are called, in one request for a page of rows. */
export async function readNames(client: Client, ids: readonly string[]): Promise<[string, string][]> {
  const wanted = ids.filter((id) => idPattern.test(id))
  return (await Promise.all(pagesOf(wanted, namesMax).map((page) => listNames(client, page)))).flat()
}

const idPattern = /^[a-z]{2,10}_[0-9a-zA-Z_-]{1,40}$/

function pagesOf(ids: readonly string[], most = idsMax): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / most) }, (_, at) => ids.slice(at * most, (at + 1) * most))
}

async function listNames(client: Client, ids: readonly string[]): Promise<[string, string][]> {
  try {
    return (await client.names.list({ ids })).data.map(({ id, name }) => [id, name])
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

async function loadNames(client: Client, type: string, ids: readonly string[]): Promise<[string, string][]> {
  try {
    const named = await Promise.all(pagesOf(ids).map((page) => loads[type]?.(client, page) ?? []))
    return named.flat().flatMap(({ id, name, alias, url }) => {
      const text = name ?? alias ?? url
      return text ? [[id, text] as [string, string]] : []
    })
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

/** Rows for a table: targets and actors by their names. Those without one have their kind and id. */
export function withNames(events: readonly Event[], names: ReadonlyMap<string, string>): readonly unknown[] {
  return events.map((event) => ({
    ...event,
    targets: event.targets.map(({ type, id }) => textOf(type, id, names)).join(', '),
    actor: 'id' in event.actor ? textOf(event.actor.type, event.actor.id, names) : event.actor.type,
  }))
}

function textOf(type: string, id: string, names: ReadonlyMap<string, string>): string {
  return names.get(id) ?? `${type} ${id}`
}
