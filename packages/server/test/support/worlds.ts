/** Loads worlds of the sandbox and reads all their data, so that two of them can be compared. */
import type { TestServer } from './server.ts'

/** The response of loading a world, with the tokens by account. */
export type LoadedWorld = { now: number; seed: number; ids: Record<string, string>; tokens: Record<string, string> }

const customerLists = [
  '/v2/workspaces',
  '/preview/v2/users',
  '/preview/v2/roles',
  '/preview/v2/grants',
  '/preview/v2/tokens',
  '/preview/v2/limits',
  '/preview/v2/events',
  '/v2/skus?include_deleted=true',
  '/v2/pools',
  '/v2/images',
  '/preview/v2/firewalls',
  '/preview/v2/subnets',
  '/preview/v2/infiniband_partitions',
  '/preview/v2/instance_templates',
  '/v2/instances',
  '/preview/v2/deployments',
  '/sandbox/faults',
]
const platformLists = ['/preview/v2/hosts', '/v2/images', '/v2/skus?include_deleted=true', '/preview/v2/events']

/** Members that depend on the time of the read or on the keys of the server, and not on the world. */
const readersOwn = ['cursor', 'suffix', 'last_used_at', 'last_seen_at']

/** Loads a world. */
export async function loadWorld(server: TestServer, name: string, body: object = {}): Promise<LoadedWorld> {
  const { accounts, ...world } = await server.call('load_scenario', { params: { name }, body })
  const tokens = accounts.map(({ id, token }) => [id, token])
  return { ...world, tokens: Object.fromEntries(tokens) }
}

/**
 * Loads a world and freezes its clock within one real minute. Worlds begin at a whole minute and end at the present,
 * and a pool shows its allocation from the current minute on.
 */
export async function loadStill(server: TestServer, name: string, body: object = {}): Promise<LoadedWorld> {
  for (;;) {
    const { real_now } = await server.call('get_clock')
    const world = await loadWorld(server, name, body)
    const { now } = await server.call('freeze_clock')
    if (Math.floor(now / 60) === Math.floor(real_now / 60)) return world
  }
}

/** All data of a world that its customer and its operator can read. Its times are relative to its newest host. */
export async function readWorld(server: TestServer, { tokens }: LoadedWorld): Promise<Record<string, unknown>> {
  const read: Record<string, unknown> = {}
  for (const [who, token, paths] of [
    ['customer', tokens.acme, customerLists],
    ['platform', tokens.bourse, platformLists],
  ] as const) {
    for (const path of paths) {
      const sized = path.startsWith('/preview/v2/limits') || path.startsWith('/sandbox/') ? path : paged(path)
      read[`${who} ${path}`] = (await server.ok('GET', sized, { token: token as string })).data
    }
  }
  const skus = read['platform /v2/skus?include_deleted=true'] as { id: string }[]
  if (skus.length === 0) return plain(read, {}) as Record<string, unknown>
  const { data: hosts } = await server.call('list_hosts', { query: { limit: 1 }, token: tokens.bourse as string })
  const [{ created_at: installed_at }] = read['customer /preview/v2/roles'] as [{ created_at: number }]
  return plain(read, { from: hosts[0]?.created_at ?? 0, installed_at }) as Record<string, unknown>
}

function paged(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}limit=200`
}

type Moments = {
  /** A time of the world. */
  readonly from?: number
  /** When its accounts were made, with their roles: the same for all worlds of an installation. */
  readonly installed_at?: number
}

/** Makes the times of a world relative to `from`, keeps other numbers, and removes `readersOwn`. */
function plain(value: unknown, moments: Moments, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, moments))
  if (typeof value === 'number') return name.endsWith('_at') ? shownTime(value, moments) : value
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([member]) => !readersOwn.includes(member))
  return Object.fromEntries(kept.map(([member, item]) => [member, plain(item, moments, member)]))
}

function shownTime(time: number, { from = 0, installed_at }: Moments): number | string {
  return time === installed_at ? time : `${time - from} s`
}
