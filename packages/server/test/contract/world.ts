/** A small world in which every operation can succeed: two accounts and the platform's, with whatever calls need. */
import { platformAccount } from '../support/access.ts'
import type { TestAccount, TestServer } from '../support/server.ts'
import type { Actions, Assignment } from './oracle.ts'

/** What was made: an id, and a path where the kind has one. */
export type Made = { id: string; resource_path: string }

export type World = {
  readonly server: TestServer
  /** Whose resources are called for. */
  readonly account: TestAccount
  /** Another workspace of that account. */
  readonly elsewhere: string
  readonly stranger: TestAccount
  readonly platform: TestAccount
  readonly platform_elsewhere: string
  /** A word that no other name of this world has. */
  word(): string
  /** Makes something as admin of the account. */
  make(path: string, body?: object): Promise<any>
  /** Makes or changes something as the platform operator. */
  operate(method: string, path: string, body?: object): Promise<any>
  /** A role of the account, one for each set of actions. */
  role(owner: TestAccount, actions: Actions): Promise<string>
  /** What many calls name and none ends: made once. */
  shared(what: Shared): Promise<Made>
  /** A token that holds a role at a place of its account, and what it holds in all; one for each holding. */
  holder(owner: TestAccount, holding: Assignment): Promise<Holder>
}

export type Holder = { readonly token: string; readonly holdings: Assignment[] }

/** What a world makes once, when it is first asked for. */
type Shared = 'sku' | 'image' | 'template' | 'host' | 'pool'

let words = 0

export async function makeWorld(server: TestServer): Promise<World> {
  const platform = await platformAccount(server)
  const [account, stranger] = [await server.account({ trust_level: 'partner' }), await server.account()]
  const second = (token: string) => server.ok('POST', '/v2/workspaces', { token, body: {} })
  const roles = new Map<string, Promise<string>>()
  const kept = new Map<string, Promise<Made>>()
  const holders = new Map<string, Promise<Holder>>()
  const once = <T>(map: Map<string, Promise<T>>, key: string, get: () => Promise<T>): Promise<T> => {
    const known = map.get(key) ?? get()
    map.set(key, known)
    return known
  }
  const world: World = {
    server,
    account,
    stranger,
    platform,
    elsewhere: (await second(account.token)).id,
    platform_elsewhere: (await second(platform.token)).id,
    word: () => `w-${process.pid}-${++words}`,
    make: (path, body = {}) => server.ok('POST', path, { token: account.token, body }),
    operate: (method, path, body) => server.ok(method, path, body ? { body } : {}),
    role: (owner, actions) =>
      once(roles, `${owner.id} ${JSON.stringify(actions)}`, async () => {
        const policy = { api_version: 'roles/v1', rules: [{ effect: 'allow', actions }] }
        const body = { name: world.word(), policy }
        return (await server.ok('POST', '/preview/v2/roles', { token: owner.token, body })).id
      }),
    shared: (what) => once(kept, what, () => recipes[what](world)),
    holder: (owner, holding) =>
      once(holders, `${owner.id} ${JSON.stringify(holding)}`, () => makeHolder(world, owner, holding)),
  }
  return world
}

const recipes: Record<Shared, (world: World) => Promise<Made>> = {
  sku: async ({ operate }) => {
    await operate('PUT', '/preview/v2/admin/sku_properties/infiniband_fabric/values/fabric', { display_name: 'Fabric' })
    const properties = { supports_public_ipv4: true, rdma_type: 'infiniband', infiniband_fabric: 'fabric' }
    return operate('POST', '/preview/v2/admin/skus', properties)
  },
  /** Public, so that no right on images is needed to start from it. */
  image: ({ make, word }) => make('/sandbox/images', { name: word(), is_public: true }),
  template: async (world) => world.make('/preview/v2/instance_templates', { image: (await world.shared('image')).id }),
  /** A host of the account, and its supply. */
  host: async (world) => {
    const { data } = await world.make('/sandbox/hosts', { sku: (await world.shared('sku')).id, count: 1, slots: 64 })
    return data[0]
  },
  /** A pool in which instances can be made; what it owns does not matter. */
  pool: async (world) => world.operate('POST', '/preview/v2/admin/pools', await grantOf(world)),
}

/** Body of a grant of allocation to the account, from its own supply. */
export async function grantOf({ account, server, shared }: World): Promise<object> {
  const supply = (await shared('host')) as Made & { pool: Made }
  const { now } = await server.ok('GET', '/sandbox/clock')
  const start_at = now - (now % 60) + 600
  return {
    account: account.id,
    workspace: account.workspace_id,
    from_pool: supply.pool.id,
    sku: (await shared('sku')).id,
    allocation_schedule: [{ start_at, end_at: start_at + 60, node_count: 1 }],
  }
}

/** Body of an instance of the account that waits for good. */
export async function launchOf({ shared }: World): Promise<object> {
  const [pool, sku, image] = await Promise.all([shared('pool'), shared('sku'), shared('image')])
  return { pool: pool.id, sku: sku.id, image: image.id }
}

async function makeHolder(world: World, owner: TestAccount, { where, actions }: Assignment): Promise<Holder> {
  const create = (path: string, body: object) => world.server.ok('POST', path, { token: owner.token, body })
  const role = await world.role(owner, actions)
  if (where !== null) {
    const { token } = await create('/preview/v2/tokens', { workspace: where, roles: [role] })
    return { token, holdings: [{ where, actions }] }
  }
  // A token has some role in its own workspace; this one refuses or shows nothing to anybody.
  const least = { event: ['list'] }
  const { id, token } = await create('/preview/v2/tokens', { roles: [await world.role(owner, least)] })
  await create('/preview/v2/grants', { principal_type: 'token', principal_id: id, role })
  const home = { where: owner.workspace_id, actions: least }
  return { token, holdings: [home, { where, actions }] }
}
