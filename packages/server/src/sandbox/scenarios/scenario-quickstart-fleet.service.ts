/** The instances of the quickstart: deployments and single instances, at least one in each state. */
import { createDeployment } from '../../automation/deployments.service.ts'
import { createInstance } from '../../fleet/instances/instance-creation.service.ts'
import { createInstanceTemplate } from '../../fleet/instances/instance-templates.service.ts'
import { terminateInstance } from '../../fleet/instances/instances.service.ts'
import { createInfinibandPartition } from '../../network/infiniband-partitions.service.ts'
import { createSubnet } from '../../network/subnets.service.ts'
import { addMachineFault } from '../hosts/machine-faults.service.ts'
import { customer } from '../world/seed-accounts.service.ts'
import type { ScenarioContext } from './scenario-context.service.ts'
import type { Supply } from './scenario-market.service.ts'
import type { SeededAccount } from './scenario-quickstart-account.service.ts'

/** The customer's pools, each with its SKU. */
export type QuickstartPools = Readonly<Record<'training' | 'batch' | 'research' | 'legacy', Supply>>

type QuickstartStage = SeededAccount & { readonly pools: QuickstartPools }

const script = Buffer.from('#!/bin/sh\necho "Hello from Bourse." > /etc/motd\n').toString('base64')

/** Starts all instances. One of them ends and one fails. */
export async function runFleets(context: ScenarioContext, stage: QuickstartStage): Promise<void> {
  await runTraining(context, stage)
  await runWeb(context, stage)
  await runSingles(context, stage)
}

/** Four instances on a private network and an InfiniBand partition. */
async function runTraining({ as, ids, pass }: ScenarioContext, { image, pools }: QuickstartStage): Promise<void> {
  const subnet = await as(customer.id, (ctx) => createSubnet(ctx, { name: 'training', region: 'us-west' }))
  const partition = await as(customer.id, (ctx) =>
    createInfinibandPartition(ctx, { name: 'training', infiniband_fabric: 'west-ib' }),
  )
  const template = await as(customer.id, (ctx) =>
    createInstanceTemplate(ctx, {
      name: 'trainer',
      image,
      subnet: subnet.id,
      _preview_infiniband_partition: partition.id,
      cloud_init_user_data: script,
      tags: { team: 'training' },
    }),
  )
  ids.deployment = await deploy(as, {
    name: 'trainers',
    ...pools.training,
    instance_template: template.id,
    target_instance_count: 4,
    instance_name_template: 'trainer-{{adjective}}-{{noun}}',
  })
  await pass(300)
  Object.assign(ids, { subnet: subnet.id, infiniband_partition: partition.id, instance_template: template.id })
}

/**
 * Two instances with public addresses behind a firewall, in a pool that ends within the hour, and a deployment that
 * nothing else refers to.
 */
async function runWeb(
  { as, ids, pass }: ScenarioContext,
  { public_image, firewall, pools }: QuickstartStage,
): Promise<void> {
  const template = await as(customer.id, (ctx) =>
    createInstanceTemplate(ctx, {
      name: 'web',
      image: public_image,
      _preview_enable_public_ipv4: true,
      _preview_firewall: firewall,
      cloud_init_user_data: script,
      priority_level: 'preferred',
      tags: { tier: 'front' },
    }),
  )
  const web = { ...pools.batch, instance_template: template.id }
  const instance_name_template = 'web-{{adjective}}-{{noun}}'
  ids.deployment_ending = await deploy(as, { ...web, name: 'web', target_instance_count: 2, instance_name_template })
  ids.deployment_spare = await deploy(as, { ...web, name: 'spare', target_instance_count: 1 })
  await pass(300)
  ids.instance_template_web = template.id
}

/** An instance in each state, one on a SKU that is retired later, and one in another workspace. */
async function runSingles(context: ScenarioContext, { public_image, image, pools }: QuickstartStage): Promise<void> {
  const { as, ids, pass } = context
  const start = async (name: string, { pool, sku }: Supply, more: { priority_level?: 'yield' } = {}) => {
    const body = { name, pool, sku, image, cloud_init_user_data: script, ...more }
    return (await as(customer.id, (ctx) => createInstance(ctx, body))).id
  }
  const finished = await start('finished', pools.legacy)
  await pass(120)
  await as(customer.id, (ctx) => terminateInstance(ctx, finished))
  ids.instance = await start('notebook', pools.training)
  ids.instance_on_retired_sku = await start('legacy-worker', pools.legacy)
  const unlucky = await start('unlucky', pools.training)
  await pass(120)
  await as(context.platform, (ctx) => {
    const fault = { id: ctx.newId('sandbox_fault'), kind: 'instance_unhealthy' as const, times: 1, ends_at: null }
    return addMachineFault(ctx, { ...fault, target: { instance_id: unlucky } })
  })
  ids.instance_waiting = await start('queued', pools.training, { priority_level: 'yield' })
  const lab = { name: 'lab', pool: pools.research.pool, sku: pools.research.sku, image: public_image }
  ids.instance_of_research = (await as(customer.id, (ctx) => createInstance(ctx, lab))).id
  await pass(300)
  Object.assign(ids, { instance_terminated: finished, instance_failed: unlucky })
}

type QuickstartDeployment = Parameters<typeof createDeployment>[1]

async function deploy(
  as: ScenarioContext['as'],
  { pool, sku, ...params }: Supply & Omit<QuickstartDeployment, 'pool' | 'sku'>,
) {
  const { hosts: _hosts, ...body } = params
  return (await as(customer.id, (ctx) => createDeployment(ctx, { ...body, pool, sku }))).id
}
