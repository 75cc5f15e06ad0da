/** A small world in which every operation can succeed: two accounts and the platform, with what the calls need. */
import { platformAccount } from '../support/access.ts'
import type { CallBody } from '../support/calls.ts'
import type { TestAccount, TestServer } from '../support/server.ts'
import type { Assignment, RoleActions } from './oracle.ts'

/** A created resource: its id, and its path if the kind has one. */
export type MadeResource = { id: string; resource_path: string }

export type ContractWorld = {
  readonly server: TestServer
  /** The account of the resources. */
  readonly account: TestAccount
  /** Another workspace of that account. */
  readonly elsewhere: string
  readonly stranger: TestAccount
  readonly platform: TestAccount
  readonly platform_elsewhere: string
  /** A unique name in this world. */
  word(): string
  /** Creates a resource as the admin of the account. */
  make(path: string, body?: object): Promise<any>
  /** Creates or changes a resource as the platform operator. */
  operate(method: string, path: string, body?: object): Promise<any>
  /** A role of the account, created once for each set of actions. */
  role(owner: TestAccount, actions: RoleActions): Promise<string>
  /** A resource that many calls use and none ends, created once. */
  shared(what: SharedResource): Promise<MadeResource>
  /** A token with a role at a place of its account, and all its rights; created once for each holding. */
  holder(owner: TestAccount, holding: Assignment): Promise<TokenHolder>
}

export type TokenHolder = { readonly token: string; readonly holdings: Assignment[] }

/** Resources that a world creates once, on first use. */
type SharedResource = 'sku' | 'image' | 'template' | 'host' | 'pool' | 'webhook'

let words = 0

export async function makeWorld(server: TestServer): Promise<ContractWorld> {
  const platform = await platformAccount(server)
  const [account, stranger] = [await server.account({ trust_level: 'partner' }), await server.account()]
  const second = (token: string) => server.call('create_workspace', { token, body: {} })
  const roles = new Map<string, Promise<string>>()
  const kept = new Map<string, Promise<MadeResource>>()
  const holders = new Map<string, Promise<TokenHolder>>()
  const once = <T>(map: Map<string, Promise<T>>, key: string, get: () => Promise<T>): Promise<T> => {
    const known = map.get(key) ?? get()
    map.set(key, known)
    return known
  }
  const world: ContractWorld = {
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
        const policy = {
          api_version: 'roles/v1',
          rules: [{ effect: 'allow', actions }],
        } as CallBody<'create_role'>['policy']
        const body = { name: world.word(), policy } as const
        return (await server.call('create_role', { token: owner.token, body })).id
      }),
    shared: (what) => once(kept, what, () => recipes[what](world)),
    holder: (owner, holding) =>
      once(holders, `${owner.id} ${JSON.stringify(holding)}`, () => makeHolder(world, owner, holding)),
  }
  return world
}

const recipes: Record<SharedResource, (world: ContractWorld) => Promise<MadeResource>> = {
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
  /** A webhook that no event of this world matches. */
  webhook: ({ make }) => make('/preview/v2/webhooks', { url: 'http://127.0.0.1:9/', actions: ['webhook.disabled'] }),
  /** A pool in which instances can be created, with any allocation. */
  pool: async (world) => world.operate('POST', '/preview/v2/admin/pools', await grantOf(world)),
}

/** The body of a grant of allocation to the account from its own supply. */
export async function grantOf({ account, server, shared }: ContractWorld): Promise<object> {
  const supply = (await shared('host')) as MadeResource & { pool: MadeResource }
  const { now } = await server.call('get_clock')
  const start_at = now - (now % 60) + 600
  return {
    account: account.id,
    workspace: account.workspace_id,
    from_pool: supply.pool.id,
    sku: (await shared('sku')).id,
    allocation_schedule: [{ start_at, end_at: start_at + 60, node_count: 1 }],
  }
}

/** The body of an instance of the account that waits without end. */
export async function launchOf({ shared }: ContractWorld): Promise<object> {
  const [pool, sku, image] = await Promise.all([shared('pool'), shared('sku'), shared('image')])
  return { pool: pool.id, sku: sku.id, image: image.id }
}

async function makeHolder(
  world: ContractWorld,
  owner: TestAccount,
  { where, actions }: Assignment,
): Promise<TokenHolder> {
  const create = (path: string, body: object) => world.server.ok('POST', path, { token: owner.token, body })
  const role = await world.role(owner, actions)
  if (where !== null) {
    const { token } = await create('/preview/v2/tokens', { workspace: where, roles: [role] })
    return { token, holdings: [{ where, actions }] }
  }
  // A token needs a role in its own workspace. This role affects no tested operation.
  const least = { event: ['list'] }
  const { id, token } = await create('/preview/v2/tokens', { roles: [await world.role(owner, least)] })
  await create('/preview/v2/grants', { principal_type: 'token', principal_id: id, role })
  const home = { where: owner.workspace_id, actions: least }
  return { token, holdings: [home, { where, actions }] }
}
