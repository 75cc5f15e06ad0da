/** Money, SKUs and hosts: what is not there, what is gone, what is sold. */

import { type Actor, absent, type Context, type Plan, then } from '../context.ts'
import type { Resource } from '../inventory.ts'
import { type InvalidOperation, imageIn, owned, poolOf, some } from './fixtures.ts'

const hour = 3600

/** Both pools of one account between which something could be moved. */
function transfer(of: (context: Context) => { sku: string; start_at: number }): InvalidOperation {
  return (context, actor) => {
    const [from, to] = owned(context, actor, 'pool', ({ facts }) => facts.kind === 'market')
    const { sku, start_at } = of(context)
    const window = { start_at, end_at: start_at + hour, node_count: 1 }
    const body = { from_pool: from?.id, to_pool: to?.id, sku, allocation_schedule_delta: [window] }
    const made: Plan = { op: 'create_pool_transfer', actor, body }
    if (from && to) return made
    const second: Plan = { op: 'create_pool', actor, body: {} }
    return from && then(second, ({ id }) => ({ ...made, body: { ...body, to_pool: id } }))
  }
}

function nextHour({ now }: Context): number {
  return now - (now % hour) + hour
}

/** More than the account has, at the highest price. */
function beyondMeans(context: Context, actor: Actor): Plan | undefined {
  const pool = poolOf(context, actor, 'market')
  const start_at = nextHour(context)
  const window = { start_at, end_at: start_at + 20 * hour, node_count: 2 }
  const body = { side: 'buy', sku: context.world.skus.plain, allocation_schedule_delta: [window], allow_standing: true }
  const limit_price_dollars_per_node_hour = '90.000000'
  return pool && { op: 'create_order', actor, body: { ...body, pool: pool.id, limit_price_dollars_per_node_hour } }
}

/** An account uses its credit, and then is to have none. */
function creditInUse(context: Context, actor: Actor): Plan {
  const { platform } = context
  const params = { account: actor.id }
  const limit = (credit_limit_dollars: string): Plan => {
    return { op: 'put_credit_limit', actor: platform, params, body: { credit_limit_dollars } }
  }
  const post = (amount_dollars: string): Plan => {
    const body = { type: 'adjustment', amount_dollars, description: 'For credit.' }
    return { op: 'create_account_transaction', actor: platform, params, body }
  }
  const payBack = (amount: string) => post(amount.replace('-', ''))
  return then(limit('250.000000'), () => ({
    ...{ op: 'get_balance', actor },
    next: ({ status, body }) => {
      if (status !== 200 || body.held_dollars !== '0.000000') return undefined
      const amount = `-${(Number(body.total_dollars) + 1).toFixed(6)}`
      return then(post(amount), () => ({ ...limit('0.000000'), next: () => payBack(amount) }))
    },
  }))
}

/** An estimate of a SKU that is not there, of a time that is over, of one too far ahead. */
function estimate(of: (context: Context) => { sku: string; start_at: number }): InvalidOperation {
  return (context, actor) => {
    const body = { side: 'buy', ...of(context), duration_seconds: hour, node_count: 1 }
    return { op: 'create_order_estimate', actor, body }
  }
}

const fourYears = 4 * 365 * 24 * hour

/** A procurement is to look after a SKU that is not there. */
function keepNothing(context: Context, actor: Actor): Plan | undefined {
  const keeper = some(context, owned(context, actor, 'procurement'))
  return keeper && { op: 'update_procurement', actor, params: { id: keeper.id }, body: { sku: absent('sku') } }
}

/** A pool on which a fleet counts. */
function removeUsedPool(context: Context, actor: Actor): Plan | undefined {
  const image = imageIn(context, actor.id)
  if (image === undefined) return undefined
  return then({ op: 'create_pool', actor, body: {} }, (pool) =>
    then({ op: 'create_instance_template', actor, body: { image, workspace: pool.workspace.id } }, (template) => {
      const body = { pool: pool.id, sku: context.world.skus.plain, instance_template: template.id }
      const fleet: Plan = { op: 'create_deployment', actor, body: { ...body, target_instance_count: 0 } }
      return then(fleet, () => ({ op: 'delete_pool', actor, params: { id: pool.id } }))
    }),
  )
}

/** A SKU that is in use gets another fabric. */
function moveFabric({ platform, world }: Context): Plan {
  return {
    op: 'update_sku',
    actor: platform,
    params: { id: world.skus.fabric },
    body: { infiniband_fabric: 'fabric-2' },
  }
}

type HostOp = 'cordon_host' | 'uncordon_host' | 'drain_host' | 'retire_host'

/** One of the platform's hosts is told something, and then what it cannot be told any more. */
function toHost(before: HostOp | undefined, op: HostOp, deadline: number, force?: boolean): InvalidOperation {
  return (context) => {
    const { platform, now } = context
    const host = some(context, owned(context, platform, 'host'))
    if (!host) return undefined
    const report = (what: HostOp): Plan => ({
      ...{ op: what, actor: platform, params: { id: host.id }, touches: [host] },
      ...(what === 'drain_host' ? { body: { deadline_at: now + deadline, ...(force ? { force } : {}) } } : {}),
    })
    const eventually = report('uncordon_host')
    const last: Plan = { ...report(op), eventually }
    return before === undefined ? last : { ...report(before), next: () => last, eventually }
  }
}

/** A host whose slots are sold is to end. */
function drainSold(context: Context): Plan | undefined {
  const { platform, now } = context
  const isSold = ({ facts }: Resource) => facts.sku_id === context.world.skus.plain
  const all = owned(context, platform, 'host', isSold)
  const drain = ([host, ...rest]: Resource[]): Plan | undefined =>
    host && {
      ...{ op: 'drain_host', actor: platform, params: { id: host.id }, body: { deadline_at: now }, touches: [host] },
      next: ({ status }) => (status === 200 ? drain(rest) : undefined),
      eventually: restore(all),
    }
  const restore = ([host, ...rest]: Resource[]): Plan | undefined =>
    host && {
      ...{ op: 'uncordon_host', actor: platform, params: { id: host.id }, touches: [host], eventually: restore(rest) },
    }
  return drain(all)
}

export const invalidMarketOperations: readonly InvalidOperation[] = [
  transfer((context) => ({ sku: context.world.skus.plain, start_at: nextHour(context) - 5 * hour })),
  transfer((context) => ({ sku: absent('sku'), start_at: nextHour(context) })),
  beyondMeans,
  creditInUse,
  estimate((context) => ({ sku: absent('sku'), start_at: nextHour(context) })),
  estimate((context) => ({ sku: context.world.skus.plain, start_at: nextHour(context) - 5 * hour })),
  estimate((context) => ({ sku: context.world.skus.plain, start_at: nextHour(context) + fourYears })),
  keepNothing,
  removeUsedPool,
  moveFabric,
  toHost('cordon_host', 'cordon_host', 0),
  toHost('uncordon_host', 'uncordon_host', 0),
  toHost('drain_host', 'drain_host', 600, true),
  toHost(undefined, 'drain_host', -600),
  toHost('cordon_host', 'retire_host', 0),
  drainSold,
]
