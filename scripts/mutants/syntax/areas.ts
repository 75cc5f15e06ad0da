/** The files whose mutants StrykerJS makes, by area. */
export type Area = {
  readonly name: string
  /** Globs from the root of the repository. */
  readonly files: readonly string[]
  /** The least score, in percent: the mutants that tests find, of those that differ from the source. */
  readonly goal?: number
}

const rulesOf = (...folders: readonly string[]) => folders.map((folder) => `${folder}/**/*.rules.ts`)
const server = (...areas: readonly string[]) => rulesOf(...areas.map((area) => `packages/server/src/${area}`))

export const areas: readonly Area[] = [
  { name: 'money', files: server('billing', 'accounting'), goal: 90 },
  { name: 'market', files: server('market'), goal: 90 },
  { name: 'rights', files: server('iam'), goal: 90 },
  { name: 'fleet', files: server('fleet') },
  { name: 'events', files: server('events', 'webhooks') },
  { name: 'automation', files: server('automation') },
  { name: 'images and networks', files: server('images', 'network') },
  { name: 'sandbox', files: server('sandbox') },
  { name: 'core', files: [...server('core'), 'packages/server/src/*.rules.ts'] },
  { name: 'contract', files: rulesOf('packages/api/src') },
  { name: 'agent', files: rulesOf('packages/agent/src') },
  { name: 'console', files: rulesOf('packages/console/src') },
]
