/** Calls of hosts, instance templates, instances and deployments. */
import { type Case, onOne } from './case.ts'
import { launchOf, type World } from './world.ts'

const cloud_init_user_data = Buffer.from('#cloud-config\n').toString('base64')

async function template({ make, shared }: World) {
  return make('/preview/v2/instance_templates', { image: (await shared('image')).id, cloud_init_user_data })
}

async function instance(world: World) {
  return world.make('/v2/instances', { ...(await launchOf(world)), cloud_init_user_data })
}

async function endedInstance(world: World) {
  const { id } = await instance(world)
  return world.make(`/v2/instances/${id}/terminate`)
}

async function fleetOf({ shared }: World): Promise<object> {
  const [pool, sku, template] = await Promise.all([shared('pool'), shared('sku'), shared('template')])
  return { pool: pool.id, sku: sku.id, instance_template: template.id, target_instance_count: 0 }
}

async function deployment(world: World) {
  return world.make('/preview/v2/deployments', await fleetOf(world))
}

/** A call on an instance of its own whose body names the image. */
async function replacement(world: World) {
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
  list_instance_templates: {},
  get_instance_template: onOne(template),
  get_instance_template_cloud_init: onOne(template),
  delete_instance_template: onOne(template),
  create_instance: { names_in_body: true, call: async (world) => ({ body: await launchOf(world) }) },
  list_instances: {},
  update_instance_priorities: {
    names_in_body: true,
    call: async (world) => ({ body: { data: [{ id: (await instance(world)).id, priority_level: 'critical' }] } }),
  },
  get_instance: onOne(instance),
  update_instance: onOne(instance, {}),
  terminate_instance: onOne(instance),
  replace_instance: { call: replacement },
  delete_instance: onOne(endedInstance),
  get_instance_cloud_init: onOne(instance),
  list_hosts: {},
  get_host: onOne(({ shared }) => shared('host')),
  create_deployment: { names_in_body: true, call: async (world) => ({ body: await fleetOf(world) }) },
  list_deployments: {},
  get_deployment: onOne(deployment),
  update_deployment: onOne(deployment, {}),
  delete_deployment: onOne(deployment),
} satisfies Record<string, Case>
