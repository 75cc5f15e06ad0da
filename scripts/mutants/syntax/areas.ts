import { globSync } from 'node:fs'

/** Rules whose mutants StrykerJS makes. */
export type Area = {
  readonly name: string
  /** Folders from the root of the repository. */
  readonly folders: readonly string[]
  /** The least score, in percent: the mutants that tests find, of those that differ from the source. */
  readonly goal?: number
}

const server = (...names: readonly string[]) => names.map((name) => `packages/server/src/${name}`)

export const areas: readonly Area[] = [
  { name: 'money', folders: server('billing', 'accounting'), goal: 90 },
  { name: 'market', folders: server('market'), goal: 90 },
  { name: 'rights', folders: server('iam'), goal: 90 },
  { name: 'fleet', folders: server('fleet') },
  { name: 'events', folders: server('events', 'webhooks') },
  { name: 'automation', folders: server('automation') },
  { name: 'images and networks', folders: server('images', 'network') },
  { name: 'sandbox', folders: server('sandbox') },
  { name: 'core', folders: server('core') },
  { name: 'contract', folders: ['packages/api/src'] },
  { name: 'agent', folders: ['packages/agent/src'] },
  { name: 'console', folders: ['packages/console/src'] },
]

/** Files in which a mutant is no bug: a table of words for people, and the reference model of the order book. */
const without = ['skus/sku-property-texts', 'book/naive-book'].map(
  (path) => `packages/server/src/market/${path}.rules.ts`,
)

/** The rules of an area. */
export function rulesOf({ folders }: Area): string[] {
  return globSync(folders.map((folder) => `${folder}/**/*.rules.ts`)).filter((path) => !without.includes(path))
}
