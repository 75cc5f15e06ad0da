/** Limits that are reached: the operator sets one to nothing, somebody wants one more, and the limit goes back. */
import type { LimitName } from '@bourse/api/iam/limits.ts'
import { type Actor, type Context, type Plan, then } from '../context.ts'
import { type InvalidOperation, imageIn, owned, policy, poolOf, some } from './fixtures.ts'

/** Wants something that a limit of nothing does not allow. */
function beyond(name: LimitName, wish: InvalidOperation): InvalidOperation {
  return (context, actor) => {
    const wanted = wish(context, actor)
    if (!wanted) return undefined
    const { platform } = context
    const params = { account: actor.id, name }
    const eventually: Plan = { op: 'delete_account_limit', actor: platform, params }
    const limit: Plan = { op: 'put_account_limit', actor: platform, params, body: { value: 0 }, eventually }
    return then(limit, () => ({ ...wanted, eventually }))
  }
}

const place = (actor: Actor, op: Plan['op'], body: object): Plan => ({ op, actor, body })

function grant(context: Context, actor: Actor): Plan | undefined {
  const token = some(context, owned(context, actor, 'token'))
  return token && place(actor, 'create_grant', { principal_type: 'token', principal_id: token.id, role: 'role_viewer' })
}

function order(context: Context, actor: Actor): Plan | undefined {
  const pool = poolOf(context, actor, 'market')
  const minute = context.now - (context.now % 60)
  const window = { start_at: minute + 120, end_at: minute + 180, node_count: 1 }
  const body = { side: 'buy', sku: context.world.skus.plain, allocation_schedule_delta: [window], allow_standing: true }
  const limit_price_dollars_per_node_hour = '0.010000'
  return pool && place(actor, 'create_order', { ...body, pool: pool.id, limit_price_dollars_per_node_hour })
}

function template(context: Context, actor: Actor): Plan | undefined {
  const image = imageIn(context, actor.id)
  return image === undefined ? undefined : place(actor, 'create_instance_template', { image })
}

function deployment(context: Context, actor: Actor): Plan | undefined {
  const pool = poolOf(context, actor)
  const found = owned(context, actor, 'instance_template').find(({ workspace }) => workspace === pool?.workspace)
  const body = { pool: pool?.id, sku: context.world.skus.plain, instance_template: found?.id, target_instance_count: 0 }
  return pool && found && place(actor, 'create_deployment', body)
}

function procurement(context: Context, actor: Actor): Plan | undefined {
  const pool = poolOf(context, actor, 'market')
  const prices = { min_sell_price_dollars_per_node_hour: '9.000000', max_buy_price_dollars_per_node_hour: '0.600000' }
  const body = { pool: pool?.id, sku: context.world.skus.south, target: 0, managed_window_minutes: 5, ...prices }
  return pool && place(actor, 'create_procurement', body)
}

/** Not a byte of an image that was begun. */
function part(context: Context, actor: Actor): Plan {
  return then(place(actor, 'create_image', {}), ({ id }) => {
    const ask = beyond('image_bytes', () => ({ ...place(actor, 'create_image_part', { part_id: 1 }), params: { id } }))
    return ask(context, actor)
  })
}

function user(context: Context, { id }: Actor): Plan {
  const body = { email: `${context.nextKey()}@example.org`, role: 'role_viewer' }
  return { op: 'create_account_user', actor: context.platform, params: { account: id }, body }
}

export const invalidLimitOperations: readonly InvalidOperation[] = [
  beyond('workspaces', (_, actor) => place(actor, 'create_workspace', {})),
  beyond('users', (context, actor) => place(actor, 'create_user', { email: `${context.nextKey()}@example.org` })),
  beyond('users', user),
  beyond('roles', (context, actor) => place(actor, 'create_role', { name: context.nextKey(), policy })),
  beyond('grants', grant),
  beyond('tokens', (_, actor) => place(actor, 'create_token', {})),
  beyond('pools', (_, actor) => place(actor, 'create_pool', {})),
  beyond('images', (_, actor) => place(actor, 'create_image', {})),
  beyond('images', (context, actor) => place(actor, 'create_ready_image', { name: context.nextKey() })),
  part,
  beyond('firewalls', (_, actor) => place(actor, 'create_firewall', {})),
  beyond('subnets', (_, actor) => place(actor, 'create_subnet', { region: 'north' })),
  beyond('infiniband_partitions', (_, actor) =>
    place(actor, 'create_infiniband_partition', { infiniband_fabric: 'fabric-1' }),
  ),
  beyond('instance_templates', template),
  beyond('deployments', deployment),
  beyond('procurements', procurement),
  beyond('open_orders', order),
  beyond('hosts', (context, actor) => place(actor, 'create_host_enrolment', { sku: context.world.skus.plain })),
]
