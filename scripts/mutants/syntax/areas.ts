import { globSync } from 'node:fs'
import { pureTests } from './tests.ts'

/** Source whose mutants StrykerJS makes. */
export type Area = {
  readonly name: string
  /** Which source it has, as globs from the root of the repository. Tests among it do not count. */
  readonly files: readonly string[]
  /** The least score of pure code, in percent: the mutants that tests find, of those that differ from the source. */
  readonly goal?: number
  /** The tests of its services, most with a database: without `packages/` and `.test.ts`. */
  readonly tests?: readonly string[]
}

const folders = (...paths: readonly string[]) => paths.map((path) => `packages/${path}/**/*.ts`)

export const areas: readonly Area[] = [
  {
    name: 'money',
    files: folders('server/src/billing', 'server/src/accounting'),
    goal: 90,
    tests: [
      'server/test/api/{billing,budgets,exports,orders,pending-credits,platform-*,spot-deployments,statements,usage}',
      'server/test/market/{audits,budget-races,closed-statements,sweep-costs,usage-folds}',
      'server/test/contract/{ledger-order,sign-in-races}',
    ],
  },
  {
    name: 'market',
    files: folders('server/src/market'),
    goal: 90,
    tests: [
      'server/test/api/{changed-skus,estimates,host-fit,market-*,order*,platform-lists,pool*,skus,spot-deployments}',
      'server/test/market/{alias-races,list-costs,price-history}',
    ],
  },
  {
    name: 'rights',
    files: folders('server/src/iam'),
    goal: 90,
    tests: [
      'server/test/api/{accounts,audit-trail,device-logins,grants,limited-tokens,passkeys,providers,roles,users}',
      'server/test/api/{session*,sign-in*,token*,workspaces}',
      'server/test/contract/{access-matrix,acts-in-trail,audit-seals,hidden-work,recent-sign-ins,references}',
      'server/test/contract/sign-in-races',
      'server/src/iam/**/*.service',
    ],
  },
  {
    name: 'fleet',
    files: folders('server/src/fleet'),
    tests: [
      'server/test/api/{agent-protocol,attestations,changed-skus,deployments,host-*,instances,replace}',
      'server/test/api/{instance-logs,instance-templates}',
      'server/test/fleet/{desired-state,enrolment-limits,host-*,list-costs,placement}',
    ],
  },
  {
    name: 'events',
    files: folders('server/src/events', 'server/src/webhooks'),
    tests: [
      'server/test/events/{filters,log-heads,lost-commits,open-streams,retention,self-audit}',
      'server/test/api/{event*,webhooks}',
      'server/test/webhooks/{epochs,pending,retries}',
    ],
  },
  {
    name: 'automation',
    files: folders('server/src/automation'),
    tests: [
      'server/test/api/{deployments,estimates,procurements,spot-deployments}',
      'server/test/contract/{added-columns,effects}',
    ],
  },
  {
    name: 'images and networks',
    files: folders('server/src/images', 'server/src/network'),
    tests: [
      'server/test/api/{firewalls,image-*,images,infiniband-partitions,instance-races,network-resources,subnets}',
      'server/test/fleet/image-files',
    ],
  },
  { name: 'sandbox', files: folders('server/src/sandbox'), tests: ['server/test/api/sandbox-*'] },
  {
    name: 'core',
    files: [
      ...folders('server/src/core', 'server/src/process', 'server/src/assembly', 'server/src/start'),
      'packages/server/src/*.ts',
    ],
    tests: [
      'server/src/core/{db,keys,migrations,work}/*',
      'server/test/api/{audit-trail,docs,instance-races,limited-tokens,pending-credits,process,replace}',
      'server/test/api/{sessions,sign-in*,workspaces}',
      'server/test/contract/{acts-in-trail,fair-turns,rate-limits,raw-bytes,refused-requests}',
      'server/test/{fleet,market}/list-costs',
      'server/test/fleet/{enrolment-limits,metrics}',
      'server/test/events/audit-growth',
      'server/test/webhooks/egress',
    ],
  },
  { name: 'contract', files: folders('api/src') },
  { name: 'agent', files: folders('agent/src'), tests: ['agent/src/**/*', 'cli/test/agent'] },
  { name: 'console', files: folders('console/src') },
  {
    name: 'clients',
    files: folders('cli/src', 'sdk/src', 'text/src'),
    tests: [
      '{cli,sdk,text}/src/**/*',
      'cli/test/{commands,completion,images,output,profiles,spending,typed-input,words}',
      'sdk/test/{follow,pages,transport,verify-*,wait-until}',
    ],
  },
]

/** Files in which a mutant is no bug: a table of words for people. */
const without = ['packages/server/src/market/skus/sku-property-texts.rules.ts']

/** Files whose mutants tests of pure code find: rules, and what has such a test beside it. */
export function pureFilesOf(area: Area): string[] {
  const tested = new Set(pureTests().map((path) => path.replace('.test.ts', '.ts')))
  return sourceOf(area).filter((path) => path.endsWith('.rules.ts') || tested.has(path))
}

/** The other files of an area that names tests for them. */
export function servicesOf(area: Area): string[] {
  const pure = pureFilesOf(area)
  return area.tests ? sourceOf(area).filter((path) => !pure.includes(path)) : []
}

function sourceOf({ files }: Area): string[] {
  return globSync([...files]).filter((path) => !path.endsWith('.test.ts') && !without.includes(path))
}
