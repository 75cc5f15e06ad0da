/** Resources that several items create first. */
import type { ItemCall, Pass } from './item.ts'

export const policy = {
  api_version: 'roles/v1',
  rules: [{ effect: 'allow', actions: { firewall: ['read'] } }],
}

export const hour = 3600

/** Prices at which a procurement matches no resting order of the world. */
export const idlePrices = {
  min_sell_price_dollars_per_node_hour: '9.000000',
  max_buy_price_dollars_per_node_hour: '0.600000',
}

export function email(pass: Pass): string {
  return `${pass.unique()}@example.org`
}

/** Creates a SKU that nothing uses yet. */
export async function newSku(pass: Pass, fields: object = {}): Promise<string> {
  const body = { alias: pass.unique(), region: 'north', ...fields }
  return (await pass.ok('create_sku', { by: pass.platform, body })).id
}

export async function retiredSku(pass: Pass): Promise<string> {
  const id = await newSku(pass)
  await pass.ok('retire_sku', { by: pass.platform, id })
  return id
}

export async function newPool(pass: Pass, fields: object = {}): Promise<string> {
  return (await pass.ok('create_pool', { body: { name: pass.unique(), ...fields } })).id
}

export async function newWorkspace(pass: Pass): Promise<string> {
  return (await pass.ok('create_workspace', { body: { name: pass.unique() } })).id
}

export async function newTemplate(pass: Pass, fields: object = {}): Promise<string> {
  const body = { image: pass.fixtures.image, ...fields }
  return (await pass.ok('create_instance_template', { body })).id
}

/** Creates an instance in the pool with allocation without end. */
export async function newInstance(pass: Pass, fields: object = {}): Promise<string> {
  return (await pass.ok('create_instance', { body: instanceBody(pass, fields) })).id
}

export function instanceBody({ fixtures }: Pass, fields: object = {}): object {
  return { pool: fixtures.pools.read_only, sku: fixtures.sku, image: fixtures.image, ...fields }
}

/** Creates a deployment with the target 0. */
export async function newDeployment(pass: Pass, fields: object = {}): Promise<string> {
  return (await pass.ok('create_deployment', { body: await deploymentBody(pass, fields) })).id
}

export async function deploymentBody(pass: Pass, fields: object = {}): Promise<object> {
  const { pools, sku } = pass.fixtures
  const instance_template = 'instance_template' in fields ? undefined : await newTemplate(pass)
  const own = instance_template === undefined ? {} : { instance_template }
  return { pool: pools.read_only, sku, target_instance_count: 0, ...own, ...fields }
}

/** Creates an idle procurement in a new pool. */
export async function newProcurement(pass: Pass, fields: object = {}): Promise<string> {
  return (await pass.ok('create_procurement', { body: await procurementBody(pass, fields) })).id
}

export async function procurementBody(pass: Pass, fields: object = {}): Promise<object> {
  const pool = 'pool' in fields ? {} : { pool: await newPool(pass) }
  const terms = { target: 0, managed_window_minutes: 5, enabled: false, ...idlePrices }
  return { sku: pass.fixtures.sku, ...terms, ...pool, ...fields }
}

/** Creates a ready image. */
export async function newImage(pass: Pass, fields: object = {}): Promise<string> {
  return (await pass.ok('create_ready_image', { body: { name: pass.unique(), ...fields } })).id
}

export async function revokedImage(pass: Pass): Promise<string> {
  const id = await newImage(pass)
  await pass.ok('revoke_image', { id })
  return id
}

/** Creates an account for an item that changes a whole account. */
export async function newAccount(pass: Pass): Promise<ItemCall['by'] & object> {
  const { context, platform, unique } = pass
  const { id, token } = await pass.ok('create_account', { by: platform, body: { id: unique(), trust_level: 'basic' } })
  const bare = { id, token, token_id: '', workspace_id: '', isDisposable: true, isPlatform: false, tokens: new Map() }
  const me = await pass.ok('get_account', { by: bare })
  const actor = { ...bare, token_id: me.token.id, workspace_id: me.workspace.id }
  context.inventory.record('workspace', me.workspace, { account: id, now: context.now })
  return actor
}

/** A window of minutes, relative to the current minute. */
export function window(pass: Pass, from: number, minutes: number, node_count = 1) {
  const start_at = pass.minute() + 60 * from
  return { start_at, end_at: start_at + 60 * minutes, node_count }
}

type CoverageOrder = {
  readonly side: 'buy' | 'sell'
  readonly pool?: string
  readonly price?: string
  readonly sku?: string
}

/** The body of an order that may rest. */
export function orderBody(
  pass: Pass,
  { side, pool, price = '1.200000', sku }: CoverageOrder,
  fields: object = {},
): object {
  return {
    side,
    pool: pool ?? pass.fixtures.pools.market,
    sku: sku ?? pass.fixtures.sku,
    allocation_schedule_delta: [window(pass, 10, 30)],
    limit_price_dollars_per_node_hour: price,
    allow_standing: true,
    allow_partial: true,
    ...fields,
  }
}

/** Sends a keyed call, replays it, and has its key refused for another body. */
export async function oncePerKey(
  pass: Pass,
  op: Parameters<Pass['ok']>[0],
  call: ItemCall,
  other: object = { name: pass.unique() },
): Promise<any> {
  const key = pass.unique()
  const made = await pass.ok(op, { ...call, key })
  await pass.replay(op, { ...call, key }, made)
  await pass.refuse(op, 'idempotency_key_reused', { ...call, key, body: { ...(call.body as object), ...other } })
  return made
}

/** The targets that {@link oncePerKey} covers. */
export const keyed = (op: Parameters<Pass['ok']>[0]): string[] => [
  `done ${op}`,
  `code ${op} idempotency_key_reused`,
  'replayed',
]
