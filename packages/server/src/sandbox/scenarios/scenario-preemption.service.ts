import { createInstance } from '../../fleet/instances/instance-creation.service.ts'
import { customer, provider } from '../world/seed-accounts.service.ts'
import type { Scenario, ScenarioContext } from './scenario-context.service.ts'
import { fundCustomer } from './scenario-makers.service.ts'
import { acceleratorNode, describeValue, grant, offer, ownImage, supply } from './scenario-market.service.ts'

const historySeconds = 1_800
/** When the capacity is reduced: ten minutes after the notice, which comes two minutes after the history ends. */
const reductionSeconds = historySeconds + 720
const priorities = ['yield', 'normal', 'normal', 'preferred', 'critical', 'yield'] as const

/** A full pool that shrinks from six nodes to three. The waiting and ending instances show the order of priorities. */
export const preemption: Scenario = { seed_accounts: [customer, provider], history_seconds: historySeconds, build }

async function build(context: ScenarioContext): Promise<undefined> {
  const { ids } = context
  await describeValue(context, 'region', 'us-west', 'US West')
  await describeValue(context, 'accelerator', 'h100', 'NVIDIA H100')
  ids.sku = await offer(context, { alias: 'h100-west', region: 'us-west', accelerator: 'h100', ...acceleratorNode })
  const supplied = await supply(context, ids.sku as `sku_${string}`, 2, 4)
  const later = [{ after_seconds: reductionSeconds, nodes: 3 }]
  const pool = await grant(context, supplied, { name: 'full', nodes: 6, later })
  const image = await ownImage(context, 'worker')
  await context.pass(60)
  const sku = supplied.sku
  for (const [index, priority_level] of priorities.entries()) {
    const body = { name: `worker-${index + 1}-${priority_level}`, pool, sku, image, priority_level }
    ids[`instance_${index + 1}`] = (await context.as(customer.id, (ctx) => createInstance(ctx, body))).id
    await context.pass(60)
  }
  const body = { name: 'waiting-for-room', pool, sku, image, priority_level: 'normal' as const }
  ids.instance_waiting = (await context.as(customer.id, (ctx) => createInstance(ctx, body))).id
  Object.assign(ids, { pool, image })
  await fundCustomer(context)
}
