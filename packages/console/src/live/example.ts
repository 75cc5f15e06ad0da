/** Names of what is there, so that commands in empty lists work as they stand. */
import type { Image, InstanceTemplate, Pool, Sku } from '@bourse/sdk'
import { shellWord } from '@bourse/text/shell.ts'
import { client } from './client.ts'
import { useRead } from './queries.ts'

const sources = {
  sku: async () => first(await client.skus.list({ limit: 1 }), ({ alias, id }: Sku) => alias || id),
  pool: async () => first(await client.pools.list({ limit: 1, kind: 'market' }), ({ name }: Pool) => name),
  image: async () => first(await client.images.list({ limit: 1, state: ['completed'] }), ({ name }: Image) => name),
  instance_template: async () =>
    first(await client.instanceTemplates.list({ limit: 1 }), ({ name }: InstanceTemplate) => name),
}

/**
 * The name of a resource that exists, as a word for a shell; without one, the placeholder for it. Nothing is read
 * before it is shown.
 */
export function useExample(noun: keyof typeof sources): string {
  const { data } = useRead<string | null>([noun, 'example'], sources[noun])
  return data ? shellWord(data) : noun.toUpperCase()
}

function first<T>({ data }: { data: readonly T[] }, nameOf: (one: T) => string): string | null {
  const [one] = data
  return one === undefined ? null : nameOf(one)
}
