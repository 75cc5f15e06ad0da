import type { Id } from '@bourse/api/kit/ids.ts'
import { createDeployment } from '../../automation/deployments.service.ts'
import { createInstanceTemplate } from '../../fleet/instances/instance-templates.service.ts'
import { addMachineFault } from '../hosts/machine-faults.service.ts'
import { customer, provider } from '../world/seed-accounts.service.ts'
import type { Scenario, ScenarioContext } from './scenario-context.service.ts'
import { fundCustomer } from './scenario-makers.service.ts'
import { acceleratorNode, describeValue, grant, offer, ownImage, supply } from './scenario-market.service.ts'

/** Eight instances on five hosts. From the present on, one host is silent, one crashes, and one fails every start. */
export const hostFailures: Scenario = { seed_accounts: [customer, provider], history_seconds: 1_800, build }

const faults = [
  ['silent', 'host_silent', 0],
  ['crashing', 'host_crash', 1],
  ['not_starting', 'start_failure', 0],
] as const

async function build(context: ScenarioContext): Promise<() => Promise<void>> {
  const { ids } = context
  await describeValue(context, 'region', 'us-west', 'US West')
  await describeValue(context, 'accelerator', 'h100', 'NVIDIA H100')
  const sku = await offer(context, { alias: 'h100-west', region: 'us-west', accelerator: 'h100', ...acceleratorNode })
  const supplied = await supply(context, sku, 5, 2)
  const pool = await grant(context, supplied, { name: 'fleet', nodes: 10 })
  const image = await ownImage(context, 'worker')
  const template = await context.as(customer.id, (ctx) => createInstanceTemplate(ctx, { name: 'worker', image }))
  await context.pass(60)
  const body = {
    name: 'workers',
    pool,
    sku,
    instance_template: template.id,
    target_instance_count: 8,
    instance_name_template: 'worker-{{adjective}}-{{noun}}',
  }
  ids.deployment = (await context.as(customer.id, (ctx) => createDeployment(ctx, body))).id
  for (const [index, [name]] of faults.entries()) ids[`host_${name}`] = supplied.hosts[index] as string
  Object.assign(ids, { sku, pool, image, instance_template: template.id })
  await fundCustomer(context)
  return () => breakHosts(context)
}

async function breakHosts(context: ScenarioContext): Promise<void> {
  for (const [name, kind, times] of faults) {
    const target = { host_id: context.ids[`host_${name}`] as Id<'host'> }
    await context.as(context.platform, (ctx) => {
      const id = ctx.newId('sandbox_fault')
      context.ids[`fault_${name}`] = id
      return addMachineFault(ctx, { id, kind, target, times, ends_at: null })
    })
  }
}
