/** Calls of hosts, instance templates, instances and deployments. */
import { makeCapacity } from '../support/fixtures/capacity.ts'
import { type ContractCase, onOne } from './case.ts'
import { type ContractWorld, launchOf } from './world.ts'

const cloud_init_user_data = Buffer.from('#cloud-config\n').toString('base64')

async function template({ make, shared }: ContractWorld) {
  return make('/preview/v2/instance_templates', { image: (await shared('image')).id, cloud_init_user_data })
}

async function instance(world: ContractWorld) {
  return world.make('/v2/instances', { ...(await launchOf(world)), cloud_init_user_data })
}

async function endedInstance(world: ContractWorld) {
  const { id } = await instance(world)
  return world.make(`/v2/instances/${id}/terminate`)
}

async function fleetOf({ shared }: ContractWorld): Promise<object> {
  const [pool, sku, template] = await Promise.all([shared('pool'), shared('sku'), shared('template')])
  return { pool: pool.id, sku: sku.id, instance_template: template.id, target_instance_count: 0 }
}

/** An instance whose machine has shown its host keys. */
async function reachable(world: ContractWorld) {
  const { account, make, server, shared } = world
  const { sku, pool } = await makeCapacity(server, account, { hosts: 1, slots: 1 })
  const made = await make('/v2/instances', { pool, sku, image: (await shared('image')).id })
  await server.advance(60)
  return made
}

async function host({ make, shared }: ContractWorld) {
  const { data } = await make('/sandbox/hosts', { sku: (await shared('sku')).id, count: 1 })
  return data[0] as { id: string; resource_path: string }
}

async function cordonedHost(world: ContractWorld) {
  return world.make(`/preview/v2/hosts/${(await host(world)).id}/cordon`)
}

async function draining(world: ContractWorld) {
  const { id, resource_path } = await host(world)
  return { params: { id }, paths: { id: resource_path }, body: await deadline(world, 7200) }
}

/**
 * A host that is drained: nothing runs on it, so that takes no longer than its deadline. That lies behind what other
 * cases, which are called at the same time, move the clock by.
 */
async function drainedHost(world: ContractWorld) {
  const { id } = await host(world)
  const made = await world.make(`/preview/v2/hosts/${id}/drain`, await deadline(world, 400))
  await world.server.advance(400)
  return made
}

async function deadline({ server }: ContractWorld, seconds: number): Promise<{ deadline_at: number }> {
  return { deadline_at: (await server.call('get_clock')).now + seconds }
}

async function deployment(world: ContractWorld) {
  return world.make('/preview/v2/deployments', await fleetOf(world))
}

/** A call on an instance of its own whose body names the image. */
async function replacement(world: ContractWorld) {
  const [{ id, resource_path }, image] = await Promise.all([instance(world), world.shared('image')])
  return { params: { id }, paths: { id: resource_path }, body: { image: image.id } }
}

export const fleetCases = {
  create_instance_template: {
    names_in_body: true,
    call: async ({ account, shared }) => ({
      body: { image: (await shared('image')).id, workspace: account.workspace_id },
    }),
  },
  get_instance_template_cloud_init: onOne(template),
  delete_instance_template: onOne(template),
  create_instance: { names_in_body: true, call: async (world) => ({ body: await launchOf(world) }) },
  update_instance_priorities: {
    names_in_body: true,
    call: async (world) => ({ body: { data: [{ id: (await instance(world)).id, priority_level: 'critical' }] } }),
  },
  update_instance: onOne(instance, {}),
  terminate_instance: onOne(instance),
  replace_instance: { call: replacement },
  delete_instance: onOne(endedInstance),
  get_instance_cloud_init: onOne(instance),
  list_instance_logs: onOne(instance),
  get_instance_ssh: onOne(reachable),
  get_instance_attestation: onOne(reachable),
  explain_instance: onOne(instance),
  get_host: onOne(({ shared }) => shared('host')),
  update_host: onOne(host, {}),
  cordon_host: onOne(host),
  uncordon_host: onOne(cordonedHost),
  drain_host: { call: draining },
  retire_host: onOne(drainedHost, {}),
  create_deployment: { names_in_body: true, call: async (world) => ({ body: await fleetOf(world) }) },
  create_deployment_estimate: { names_in_body: true, call: async (world) => ({ body: await fleetOf(world) }) },
  create_deployment_update_estimate: onOne(deployment, {}),
  update_deployment: onOne(deployment, {}),
  delete_deployment: onOne(deployment),
} satisfies Record<string, ContractCase>
