/** Every area of the API that is for customers has a page of the console, and every operation of it is used there. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { areas } from '@bourse/api/areas.ts'
import { endpoints } from '@bourse/api/contract.ts'
import { placements } from '@bourse/sdk/naming.ts'
import { test } from 'vitest'

/** Where each area is shown: the path of a page with its tab, or why there is none. */
const shownAt: Readonly<Record<string, string | { readonly none: string }>> = {
  orders: '/orders',
  'order estimates': '/ticket',
  orderbook: '/market',
  'instance SKU catalog': '/market',
  pools: '/pools',
  procurements: '/procurements',
  instances: '/instances',
  deployments: '/deployments',
  'instance templates': '/templates',
  images: '/images',
  'SSH keys': '/access?tab=ssh-keys',
  firewalls: '/network?tab=firewalls',
  subnets: '/network?tab=subnets',
  'InfiniBand partitions': '/network?tab=partitions',
  events: '/events',
  webhooks: '/webhooks',
  'audit trail': '/access?tab=audit',
  names: { none: 'All pages write names in the place of ids.' },
  billing: '/money',
  account: '/account',
  limits: '/account?tab=limits',
  workspaces: '/account?tab=workspaces',
  users: '/access?tab=people',
  roles: '/access?tab=roles',
  grants: '/access?tab=grants',
  permissions: '/access?tab=rights',
  tokens: '/access?tab=tokens',
  'device login': { none: 'Programs sign in by it, at a page of the server.' },
  'passkey sign-in': { none: 'Pages of the server, before anybody is signed in.' },
  administration: '/operator',
  hosts: '/operator?tab=hosts',
  process: { none: 'For programs that watch the server.' },
  sandbox: { none: 'The bar of a sandbox, on every page.' },
  'agent protocol': { none: 'Between agents and the server.' },
}

/** Areas of the operator of the platform alone. */
const ofOperator = ['administration', 'hosts']

/** Operations of customers that no page sends by their names. */
const unused: Readonly<Record<string, string>> = {
  check_permissions: 'Who may do what shows all rights of somebody.',
  create_recovery_codes: 'A page of the server, /sign_in/passkeys.',
  create_user_passkey: 'A page of the server, /sign_in/passkeys.',
  delete_user_identity: 'Of sign-ins by a provider, for programs that manage people.',
  delete_user_passkey: 'A page of the server, /sign_in/passkeys.',
  export_usage: 'A download: the browser follows a link.',
  list_instance_logs: 'The page of an instance follows its console.',
  list_orderbook_windows: 'The board and the heat map show hours.',
  list_sku_availability: 'The board shows hours.',
  list_user_identities: 'Of sign-ins by a provider, for programs that manage people.',
  list_user_passkeys: 'A page of the server, /sign_in/passkeys.',
  update_instance_priorities: 'For programs: the form of an instance changes its own.',
  update_user_passkey: 'A page of the server, /sign_in/passkeys.',
}

const source = join(import.meta.dirname, '..')
const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter((name) => !name.endsWith('.test.ts'))
const textOf = (name: string) => readFileSync(join(source, name), 'utf8')

test('each area of the API has a page, or a reason to have none', () => {
  assert.deepEqual(Object.keys(shownAt), Object.keys(areas))
  const pages = files.filter((name) => name.endsWith('/pages.ts')).map(textOf)
  const paths = new Set(pages.flatMap((text) => [...text.matchAll(/path: '([^']+)'/g)].map(([, path]) => path)))
  const tabs = new Set(
    files.flatMap((name) => [...textOf(name).matchAll(/\b(?:id|tab): '([\w-]+)', title:/g)].map(([, id]) => id)),
  )
  const wrong = Object.values(shownAt).filter((place) => {
    if (typeof place !== 'string') return false
    const [path, tab] = place.split('?tab=')
    return !paths.has(path) || (tab !== undefined && !tabs.has(tab))
  })
  assert.deepEqual(wrong, [])
})

test('each operation of these areas is used by a page, or a reason says why not', () => {
  const own = files.filter((name) => !name.startsWith('generated/')).map(textOf)
  const all = own.join('\n')
  const places = placements(endpoints.map(({ name }) => name))
  const isUsed = (name: string) => {
    const place = places.get(name)
    const form = name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
    const call = new RegExp(`\\b${place?.noun}\\s*\\.${place?.verb}\\(`)
    return new RegExp(`['"]${name}['"]`).test(all) || new RegExp(`\\b${form}\\b`).test(all) || call.test(all)
  }
  // What one read shows, its list shows too.
  const shown = endpoints.filter(({ area, name }) => {
    return typeof shownAt[area] === 'string' && !ofOperator.includes(area) && !name.startsWith('get_')
  })
  const missing = shown.filter(({ name }) => !isUsed(name)).map(({ name }) => name)
  assert.deepEqual(missing.toSorted(), Object.keys(unused).toSorted())
})
