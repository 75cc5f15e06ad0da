/** The parts of every world with machines: SKUs, hosts of the provider, pools of the customer, images. */
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { createSku as skuContract } from '@bourse/api/market/sku-administration.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { addReadyImage } from '../../images/images.service.ts'
import { createReadOnlyPool } from '../../market/pools/pool-grants.service.ts'
import { createSku, putSkuPropertyValue } from '../../market/skus/sku-administration.service.ts'
import { addSimulatedHosts } from '../hosts/hosts.service.ts'
import { customer, provider } from '../world/seed-accounts.service.ts'
import { drawContent } from './images.service.ts'
import type { ScenarioContext } from './scenario-context.service.ts'

type SkuBody = Input<typeof skuContract>['body']

/** Added hosts, and the pool that they supply. */
export type Supply = { readonly sku: Id<'sku'>; readonly hosts: readonly Id<'host'>[]; readonly pool: Id<'pool'> }

/** Allocation of the customer: nodes of a supply in a new pool, from one minute after the world begins. */
type Grant = {
  readonly name: string
  readonly nodes: number
  readonly workspace?: string
  /** Later steps, by the seconds since the world began. If the allocation ends, the last step has 0 nodes. */
  readonly later?: readonly { readonly after_seconds: number; readonly nodes: number }[]
}

const gibibyte = 2 ** 30

/** The properties of a node with accelerators that most SKUs of the scenarios share. */
export const acceleratorNode = {
  num_accelerators: 8,
  num_vcpus: 192,
  memory_bytes: 2048 * gibibyte,
  local_storage_bytes: 15_360 * gibibyte,
  supports_public_ipv4: true,
} as const satisfies SkuBody

/** Adds a value of a SKU property to the catalogue, with its display name. */
export async function describeValue(
  context: ScenarioContext,
  property: string,
  name: string,
  display_name: string,
): Promise<void> {
  await context.as(context.platform, (ctx) => putSkuPropertyValue(ctx, { property, name }, { display_name }))
}

/** Creates a SKU. The catalogue must contain the property values that it names. */
export async function offer(context: ScenarioContext, body: SkuBody): Promise<Id<'sku'>> {
  return (await context.as(context.platform, (ctx) => createSku(ctx, body))).id
}

/** Adds `count` simulated hosts of the provider with `slots` slots each. */
export async function supply(context: ScenarioContext, sku: Id<'sku'>, count: number, slots: number): Promise<Supply> {
  const request = { account_id: provider.id, sku, count, slots }
  const hosts = await context.as(context.platform, (ctx) => addSimulatedHosts(ctx, request))
  const [first] = hosts
  if (!first) throw new Error('A supply needs at least one host.')
  return { sku, hosts: hosts.map(({ id }) => id), pool: first.pool.id }
}

/** Creates a read-only pool of the customer with nodes of a supply. */
export async function grant(context: ScenarioContext, { sku, pool }: Supply, request: Grant): Promise<Id<'pool'>> {
  const { name, nodes, workspace = customer.workspace, later = [] } = request
  const steps = [{ after_seconds: 60, nodes }, ...later]
  const allocation_schedule = steps.flatMap((step, index) => {
    if (step.nodes === 0) return []
    const next = steps[index + 1]
    const end_at = next ? context.from + next.after_seconds : null
    return [{ start_at: context.from + step.after_seconds, end_at, node_count: step.nodes }]
  })
  const place = { account: customer.id, workspace: `svc:workspace:${customer.id}:${workspace}` as const }
  const body = { ...place, name, from_pool: pool, sku, allocation_schedule }
  return (await context.as(context.platform, (ctx) => createReadOnlyPool(ctx, body))).id
}

/** Adds a ready image to the customer's first workspace. */
export async function ownImage(context: ScenarioContext, name: string): Promise<Id<'image'>> {
  const add = (ctx: Ctx) => addReadyImage(ctx, { ...customerPlace(ctx), name, is_public: false, ...drawContent(ctx) })
  return (await context.as(customer.id, add)).id
}

/** The customer's first workspace, to which the token of its admin belongs. */
export function customerPlace(ctx: Ctx): { account_id: string; workspace_id: Id<'workspace'> } {
  const { account_id, workspace_id } = callerOf(ctx)
  return { account_id, workspace_id }
}
