/** For every list: two rows that each of its filters distinguishes. */
import type { OperationName } from '@bourse/api/contract.ts'
import { eventually } from '../../../../test/eventually.ts'
import { allCalls } from '../calls/all.ts'
import { sshKeyLine } from '../support/fixtures/ssh-keys.ts'
import { type FilterRows, marketRows } from './market-rows.ts'
import { instanceOfStranger, platformRows, poolOfStranger, seenByOperator } from './platform-rows.ts'
import { type ContractWorld, grantOf, launchOf } from './world.ts'

type FilteredRow = { id: string; resource_path: string; name: string; created_at: number }

const tagged = { tag: 'team=blue', tag_key: 'team' }
const tags = { team: 'blue' }
const skus = '/preview/v2/admin/skus'

export const filteredRows: Partial<Record<OperationName, (world: ContractWorld) => Promise<FilterRows>>> = {
  list_workspaces: (world) => duplicates(world, '/v2/workspaces'),
  list_users: async (world) => {
    const email = `${world.word()}@example.com`
    const rows = await duplicates(world, '/preview/v2/users', { email }, { email: `x${email}` })
    return { ...rows, selects: { ...rows.selects, email: email.toUpperCase() } }
  },
  list_ssh_keys: async ({ make, word }) => {
    const add = () => make('/preview/v2/ssh_keys', { public_key: sshKeyLine(word()) })
    const [wanted, other] = [await add(), await add()]
    const { id, fingerprint } = wanted
    return { wanted: id, other: other.id, selects: { id, fingerprint }, empties: { owner: 'usr_absent' } }
  },
  list_roles: async ({ word, make }) => {
    const policy = { api_version: 'roles/v1', rules: [{ effect: 'allow', actions: { pool: ['read'] } }] }
    const wanted = await make('/preview/v2/roles', { name: word(), policy })
    return { wanted: wanted.id, other: 'role_viewer', selects: { id: wanted.id } }
  },
  list_grants: async (world) => {
    const give = async (body: object) => {
      const { id: principal_id } = await world.make('/preview/v2/tokens')
      return world.make('/preview/v2/grants', { principal_type: 'token', principal_id, ...body })
    }
    const wanted = await give({ role: 'role_trader', workspace: world.elsewhere })
    const other = await give({ role: 'role_billing' })
    const selects = { workspace: world.elsewhere, principal_id: wanted.principal_id, role: 'role_trader' }
    return { wanted: wanted.id, other: other.id, selects }
  },
  list_tokens: async (world) => ({ ...(await placed(world, '/preview/v2/tokens')), empties: { kind: 'session' } }),
  list_pools: poolRows,
  list_platform_pools: seenByOperator(poolRows, poolOfStranger),
  list_images: async (world) => {
    const rows = await placed(world, '/sandbox/images', { name: world.word() })
    await world.make(`/v2/images/${rows.wanted}/revoke`)
    return { ...rows, selects: { ...rows.selects, state: 'revoked' }, empties: { public: 'true' } }
  },
  list_firewalls: (world) => placed(world, '/preview/v2/firewalls', {}, { tags }, tagged),
  list_subnets: (world) => {
    const region = 'somewhere'
    return placed(world, '/preview/v2/subnets', { region: 'north' }, { region, tags }, { region, ...tagged })
  },
  list_infiniband_partitions: async (world) => {
    const infiniband_fabric = await otherFabric(world)
    const changes = { infiniband_fabric, tags }
    const base = { infiniband_fabric: 'fabric' }
    return placed(world, '/preview/v2/infiniband_partitions', base, changes, { infiniband_fabric, ...tagged })
  },
  list_instance_templates: async (world) => {
    const image = await world.shared('image')
    const own = await world.make('/sandbox/images', { name: world.word() })
    const selects = { image: own.resource_path, ...tagged }
    return placed(world, '/preview/v2/instance_templates', { image: image.id }, { image: own.id, tags }, selects)
  },
  ...marketRows,
  ...platformRows,
  ...Object.assign({}, ...allCalls.map(({ rows }) => rows)),
  list_instances: instanceRows,
  list_platform_instances: seenByOperator(instanceRows, instanceOfStranger),
  list_hosts: hostRows,
  list_deployments: async (world) => {
    const { id: sku } = await world.operate('POST', skus, {})
    const pool = await world.make('/v2/pools', { workspace: world.elsewhere })
    const spot = { kind: 'spot', max_buy_price_dollars_per_node_hour: '0.060000' }
    const wanted = await deploy(world, { sku, pool: pool.id, workspace: world.elsewhere, spot })
    const other = await deploy(world, { sku, pool: (await world.shared('pool')).id })
    const of = { workspace: world.elsewhere, pool: pool.resource_path, kind: 'spot' }
    const selects = { ...of, id: wanted.resource_path }
    return { wanted: wanted.id, other: other.id, selects }
  },
  list_events: async ({ make, operate, server, account, word }) => {
    await operate('PUT', `/preview/v2/admin/accounts/${account.id}/trust_level`, { trust_level: 'trusted' })
    await server.advance(10)
    const image = await make('/sandbox/images', { name: word() })
    await make(`/v2/images/${image.id}/revoke`)
    const { data } = await server.call('list_events', { token: account.token })
    const [other, wanted] = [data.at(-2), data.at(-1)]
    const selects = { action: 'image.revoked', target: image.id, target_type: 'image', since: `${wanted.occurred_at}` }
    return { wanted: wanted.id, other: other.id, selects, rejects: { until: `${other.occurred_at}` } }
  },
  list_audit_entries: (world) => auditRows(world),
  list_all_audit_entries: async (world) => {
    const { selects, rejects = {}, ...rows } = await auditRows(world)
    const { account, platform, server } = world
    const before = `${new URLSearchParams({ account: platform.id, ...rejects })}`
    const { data } = await server.call('list_all_audit_entries', { query: before })
    return { ...rows, other: data[0].id, selects: { ...selects, account: account.id }, rejects, token: platform.token }
  },
  list_skus: async ({ operate, shared }) => {
    await shared('sku')
    const [other, wanted] = [await operate('POST', skus, {}), await operate('POST', skus, {})]
    await operate('DELETE', `${skus}/${wanted.id}`)
    return { wanted: wanted.id, other: other.id, selects: {}, adds: { include_deleted: 'true' } }
  },
  list_accounts: async ({ operate, word, platform }) => {
    const make = (trust_level: string) => operate('POST', '/preview/v2/admin/accounts', { id: word(), trust_level })
    const [wanted, other] = [await make('untrusted'), await make('partner')]
    await operate('POST', `/preview/v2/admin/accounts/${wanted.id}/freeze`)
    const selects = { id: wanted.id, trust_level: 'untrusted', is_frozen: 'true' }
    return { wanted: wanted.id, other: other.id, selects, token: platform.token }
  },
}

/** An entry for a new image and, later, one that another token was refused. */
async function auditRows({ make, server, account, word }: ContractWorld): Promise<FilterRows> {
  const [image, unnoticed] = [await make('/v2/images', { name: word() }), await make('/v2/images', { name: word() })]
  const viewer = await make('/preview/v2/tokens', { name: word() })
  await server.advance(10)
  await server.attempt('delete_image', { params: { id: image.id }, token: viewer.token })
  // Refusals are written soon after their response.
  const find = (query: string) =>
    eventually(
      `an entry has ${query}`,
      async () => (await server.call('list_audit_entries', { query, token: account.token })).data[0],
    )
  const [other, wanted] = [await find(`target=${unnoticed.id}`), await find(`target=${image.id}&outcome=refused`)]
  const selects = { actor: viewer.id, operation: 'delete_image', target: image.id, outcome: 'refused' }
  const at = `${wanted.occurred_at}`
  return { wanted: wanted.id, other: other.id, selects: { ...selects, from: at }, rejects: { to: at } }
}

/** Two rows that differ in their ids only. */
async function duplicates(
  { make }: ContractWorld,
  path: string,
  first: object = {},
  second: object = {},
): Promise<FilterRows> {
  const [wanted, other] = [await make(path, first), await make(path, second)]
  return { wanted: wanted.id, other: other.id, selects: { id: wanted.resource_path ?? wanted.id } }
}

/** Two rows in two workspaces. The second one also differs in the other filtered fields. */
async function placed(
  world: ContractWorld,
  path: string,
  base: object = {},
  changes: object = {},
  selects: Record<string, string> = {},
): Promise<FilterRows> {
  const wanted = await world.make(path, { ...base, ...changes, workspace: world.elsewhere })
  const other = await world.make(path, { ...base, workspace: world.account.workspace_id })
  const id = wanted.resource_path ?? wanted.id
  return { wanted: wanted.id, other: other.id, selects: { workspace: world.elsewhere, id, ...selects } }
}

async function otherFabric({ operate, word, shared }: ContractWorld): Promise<string> {
  await shared('sku')
  const fabric = word()
  const path = `/preview/v2/admin/sku_properties/infiniband_fabric/values/${fabric}`
  await operate('PUT', path, { display_name: fabric })
  await operate('POST', '/preview/v2/admin/skus', { rdma_type: 'infiniband', infiniband_fabric: fabric })
  return fabric
}

/** A pool in the other workspace, with its own SKU that one host of the account supplies. */
async function poolElsewhere({ operate, make, account, elsewhere, server }: ContractWorld) {
  const { id: sku } = await operate('POST', skus, {})
  const { data } = await make('/sandbox/hosts', { sku, count: 1 })
  const { now } = await server.call('get_clock')
  const start_at = now - (now % 60) + 600
  const allocation_schedule = [{ start_at, end_at: null, node_count: 1 }]
  const body = { account: account.id, workspace: elsewhere, from_pool: data[0].pool.id, sku, allocation_schedule }
  const pool: FilteredRow = await operate('POST', '/preview/v2/admin/pools', body)
  return { sku, pool, host: data[0] as FilteredRow }
}

async function deploy(
  { make, shared }: ContractWorld,
  {
    sku,
    pool,
    workspace,
    spot,
    ...rest
  }: { sku: string; pool: string; workspace?: string; spot?: object; [field: string]: unknown },
): Promise<FilteredRow> {
  const { image = (await shared('image')).id, target_instance_count = 0 } = rest
  const where = workspace === undefined ? {} : { workspace }
  const template = await make('/preview/v2/instance_templates', { image, tags, ...where })
  const body = { pool, sku, instance_template: template.id, target_instance_count, ...spot }
  return make('/preview/v2/deployments', body)
}

/** A granted pool in the other workspace, and the supply of the account. */
async function poolRows(world: ContractWorld): Promise<FilterRows> {
  const wanted = await world.operate('POST', '/preview/v2/admin/pools', {
    ...(await grantOf(world)),
    workspace: world.elsewhere,
  })
  const other = ((await world.shared('host')) as unknown as { pool: FilteredRow }).pool
  const selects = { workspace: world.elsewhere, id: wanted.resource_path, kind: 'read_only' }
  return { wanted: wanted.id, other: other.id, selects, empties: tagged }
}

/** A waiting instance of a deployment in the other workspace, and an older one that has ended. */
async function instanceRows(world: ContractWorld): Promise<FilterRows> {
  const { make, server, elsewhere, account, word } = world
  const other = await make('/v2/instances', await launchOf(world))
  await make(`/v2/instances/${other.id}/terminate`)
  await server.advance(10)
  const { sku, pool } = await poolElsewhere(world)
  const image = await make('/sandbox/images', { name: word(), is_public: true })
  const fleet = { sku, pool: pool.id, workspace: elsewhere, image: image.id, target_instance_count: 1 }
  const { id: deployment } = await deploy(world, fleet)
  await server.settle()
  const [wanted] = (await server.call('list_instances', { query: { workspace: elsewhere }, token: account.token })).data
  const of = { workspace: elsewhere, pool: pool.id, sku, image: image.id, deployment, state: 'awaiting_allocation' }
  const selects = { ...of, ...tagged, id: wanted.id, name: wanted.name, created_after: `${wanted.created_at}` }
  return { wanted: wanted.id, other: other.id, selects, rejects: { created_before: `${other.created_at}` } }
}

/** A silent host of the account and one of the platform, as the platform's operator sees them. */
async function hostRows(world: ContractWorld): Promise<FilterRows> {
  const { make, operate, server, account, platform } = world
  const { host, sku } = await poolElsewhere(world)
  const { data } = await operate('POST', '/sandbox/hosts', { sku: (await world.shared('sku')).id, count: 1 })
  await make('/sandbox/faults', { kind: 'host_silent', host: host.id, times: 0 })
  await server.advance(120)
  const of = { workspace: account.workspace_id, account: account.id, sku, health: 'unreachable' }
  const rows = { wanted: host.id, other: data[0].id, selects: { ...of, id: host.resource_path } }
  return { ...rows, empties: { state: 'retired' }, token: platform.token }
}
