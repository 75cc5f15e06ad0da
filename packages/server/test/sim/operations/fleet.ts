/** Templates, instances and deployments. */

import {
  anyActor,
  anyName,
  type CallPlan,
  defined,
  maybe,
  maybeKey,
  pickResource,
  recording,
  refTo,
  removal,
  type SimActor,
  type SimContext,
  type SimOperation,
  tagsFor,
} from '../context.ts'
import type { Resource } from '../inventory.ts'
import { isUsable } from './images.ts'

const levels = ['yield', 'normal', 'preferred', 'critical']
const userData = Buffer.from('#cloud-config\n').toString('base64')

/** Fields of a launch; most of them refer to one workspace. */
function launchFields(context: SimContext, actor: SimActor, workspace: string | null) {
  const { choices, inventory, platform } = context
  const near = (resource: Resource) => resource.workspace === workspace || choices.chance(8)
  const hasAddress = choices.chance(30)
  const common = inventory.all(
    'image',
    (resource) => resource.account === platform.id && resource.facts.is_public === true,
  )
  const shared = common.length > 0 && choices.chance(25) ? choices.pick(common).id : undefined
  const image =
    shared ?? refTo(context, actor, 'image', (resource) => near(resource) && (isUsable(resource) || choices.chance(10)))
  return {
    ...defined({
      cloud_init_user_data: maybe(context, 25, () => userData),
      tags: maybe(context, 30, () => tagsFor(context) ?? undefined),
      priority_level: maybe(context, 60, () => choices.pick(levels)),
      subnet: maybe(context, 30, () => refTo(context, actor, 'subnet', near)),
      _preview_enable_public_ipv4: hasAddress || undefined,
      _preview_firewall: maybe(context, hasAddress ? 60 : 6, () => refTo(context, actor, 'firewall', near)),
      _preview_infiniband_partition: maybe(context, 15, () => refTo(context, actor, 'infiniband_partition', near)),
    }),
    image,
  }
}

function anySku(context: SimContext, hasFabric: boolean): string {
  const { plain, fabric, south } = context.world.skus
  const skus = [
    { weight: 60, id: plain },
    { weight: hasFabric ? 200 : 25, id: fabric },
    { weight: 12, id: south },
    ...context.inventory.all('sku').map(({ id }) => ({ weight: 3, id })),
  ]
  return context.choices.weighted(skus).id
}

function createTemplate(context: SimContext): CallPlan {
  const actor = anyActor(context)
  const workspace = maybe(context, 20, () => refTo(context, actor, 'workspace'))
  const name = maybe(context, 60, () => anyName(context, 'template', 9))
  const body = { ...defined({ name, workspace }), ...launchFields(context, actor, workspace ?? actor.workspace_id) }
  const record = recording(context, actor, 'instance_template')
  return { op: 'create_instance_template', actor, body, key: maybeKey(context), record }
}

/** A pool, mostly one that takes instances. */
function poolFor(context: SimContext, actor: SimActor): Resource | undefined {
  return pickResource(context, actor, 'pool', ({ facts }) => facts.kind !== 'originating' || context.choices.chance(5))
}

function createInstance(context: SimContext): CallPlan | undefined {
  const actor = anyActor(context)
  const pool = poolFor(context, actor)
  if (!pool) return undefined
  const fields = launchFields(context, actor, pool.workspace)
  const sku = anySku(context, '_preview_infiniband_partition' in fields)
  const name = maybe(context, 50, () => anyName(context, 'machine', 12))
  const body = { ...defined({ name }), ...fields, pool: context.inventory.ref(pool, context.choices), sku }
  return {
    op: 'create_instance',
    actor,
    body,
    key: maybeKey(context),
    record: recording(context, actor, 'instance'),
    verify: ({ status }) => {
      const image = context.inventory.resources.get(fields.image ?? '')
      return status === 201 && image && !isUsable(image) ? `started from ${image.id}, which is not usable` : undefined
    },
  }
}

function isLiving(resource: Resource): boolean {
  return resource.isAlive && resource.facts.state !== 'terminated'
}

function updateInstance(context: SimContext): CallPlan | undefined {
  const actor = anyActor(context)
  const resource = pickResource(context, actor, 'instance', isLiving)
  if (!resource) return undefined
  const body = defined({
    name: maybe(context, 40, () => anyName(context, 'machine', 12)),
    tags: maybe(context, 40, () => tagsFor(context)),
    priority_level: maybe(context, 50, () => context.choices.pick(levels)),
    _preview_firewall: maybe(context, 35, () => refTo(context, actor, 'firewall')),
  })
  return {
    op: 'update_instance',
    actor,
    body,
    params: { id: context.inventory.ref(resource, context.choices) },
    touches: [resource],
    record: recording(context, { id: resource.account }, 'instance'),
  }
}

function updatePriorities(context: SimContext): CallPlan | undefined {
  const { choices, inventory } = context
  const actor = anyActor(context)
  const resources = Array.from({ length: 1 + choices.integer(4) }, () =>
    pickResource(context, actor, 'instance', isLiving),
  )
  const some = resources.filter((resource) => resource !== undefined)
  if (some.length === 0) return undefined
  const data = some.map((resource) => ({ id: inventory.ref(resource, choices), priority_level: choices.pick(levels) }))
  const record = recording(context, actor, 'instance')
  return {
    op: 'update_instance_priorities',
    actor,
    body: { data },
    touches: some,
    record: (body) => body.data.forEach(record),
  }
}

function terminate(context: SimContext): CallPlan | undefined {
  const actor = anyActor(context)
  const resource = pickResource(context, actor, 'instance', (one) => isLiving(one) || context.choices.chance(10))
  if (!resource) return undefined
  return {
    op: 'terminate_instance',
    actor,
    params: { id: context.inventory.ref(resource, context.choices) },
    touches: [resource],
    record: recording(context, { id: resource.account }, 'instance'),
  }
}

function replace(context: SimContext): CallPlan | undefined {
  const { choices, inventory } = context
  const actor = anyActor(context)
  const resource = pickResource(context, actor, 'instance', (one) => isLiving(one) || choices.chance(10))
  if (!resource) return undefined
  const image = refTo(context, actor, 'image', (one) => isUsable(one) || choices.chance(15))
  if (!image) return undefined
  const own = choices.chance(10) ? (resource.name ?? undefined) : undefined
  const name = own ?? maybe(context, 30, () => anyName(context, 'machine', 12))
  const body = defined({ image, name, cloud_init_user_data: maybe(context, 20, () => userData) })
  const record = recording(context, { id: resource.account }, 'instance')
  const wasReplaced = resource.isReplaced
  return {
    op: 'replace_instance',
    actor,
    body,
    params: { id: inventory.ref(resource, choices) },
    touches: [resource],
    key: maybeKey(context),
    record: (successor) => {
      record(successor)
      resource.facts.state = 'terminated'
      resource.isReplaced = true
    },
    verify: ({ status, replayed }) =>
      status === 201 && !replayed && wasReplaced ? `${resource.id} was replaced a second time` : undefined,
  }
}

function readUserData(context: SimContext): CallPlan | undefined {
  const actor = anyActor(context)
  const resource = pickResource(context, actor, 'instance', ({ facts }) => facts.cloud_init_user_data_used === true)
  if (!resource) return undefined
  return { op: 'get_instance_cloud_init', actor, params: { id: context.inventory.ref(resource, context.choices) } }
}

function createDeployment(context: SimContext): CallPlan | undefined {
  const { choices, inventory, platform } = context
  const actor = choices.chance(5) ? platform : anyActor(context)
  const pool = poolFor(context, actor)
  const poolRef = actor === platform ? context.world.supply_pool : pool && inventory.ref(pool, choices)
  const near = (resource: Resource) => resource.workspace === pool?.workspace
  const template = refTo(context, actor, 'instance_template', near) ?? 'itmpl_0000000000000000000zz'
  if (!poolRef) return undefined
  const price = maybe(context, 5, () => choices.pick(spotPrices))
  const body = {
    ...defined({
      name: maybe(context, 50, () => anyName(context, 'fleet', 6)),
      enabled: maybe(context, 20, () => false),
    }),
    ...defined({ max_buy_price_dollars_per_node_hour: price }),
    pool: poolRef,
    sku: anySku(context, false),
    instance_template: template,
    target_instance_count: choices.integer(4),
  }
  return {
    op: 'create_deployment',
    actor,
    body,
    key: maybeKey(context),
    record: recording(context, actor, 'deployment'),
  }
}

/** Prices around those of traders. */
const spotPrices = ['1.080000', '1.200000', '1.320000', '1.320000']

/** A spot deployment, with a new template if the workspace has none. */
function createSpotDeployment(context: SimContext): CallPlan | undefined {
  const { choices, inventory } = context
  const actor = anyActor(context)
  const isMarket = ({ facts }: Resource) => facts.kind === 'market' || choices.chance(3)
  const pool = pickResource(context, actor, 'pool', isMarket)
  const image = inventory.all('image', (resource) => resource.account === actor.id && isUsable(resource))[0]
  if (!pool?.workspace || !image) return undefined
  const request = {
    kind: 'spot',
    pool: inventory.ref(pool, choices),
    sku: anySku(context, false),
    ...defined({
      enabled: maybe(context, 15, () => false),
      name: maybe(context, 30, () => anyName(context, 'fleet', 6)),
    }),
    max_buy_price_dollars_per_node_hour: choices.pick(spotPrices),
    target_instance_count: choices.integer(4),
  }
  const record = recording(context, actor, 'deployment')
  const make = (instance_template: string): CallPlan => {
    return { op: 'create_deployment', actor, body: { ...request, instance_template }, key: maybeKey(context), record }
  }
  const isNear = (resource: Resource) =>
    resource.isAlive && resource.account === actor.id && resource.workspace === pool.workspace
  const [template] = inventory.all('instance_template', isNear)
  if (template) return make(template.id)
  return {
    op: 'create_instance_template',
    actor,
    body: { image: image.id, workspace: pool.workspace },
    key: maybeKey(context),
    record: recording(context, actor, 'instance_template'),
    next: ({ status, body }) => (status === 201 ? make(body.id) : undefined),
  }
}

function updateDeployment(context: SimContext): CallPlan | undefined {
  const { choices, inventory } = context
  const actor = anyActor(context)
  const resource = pickResource(context, actor, 'deployment')
  if (!resource) return undefined
  const near = (template: Resource) => template.workspace === resource.workspace || choices.chance(10)
  const body = defined({
    name: maybe(context, 25, () => anyName(context, 'fleet', 6)),
    enabled: maybe(context, 25, () => choices.chance(70)),
    target_instance_count: maybe(context, 50, () => choices.integer(5)),
    instance_template: maybe(context, 45, () => refTo(context, actor, 'instance_template', near)),
    max_buy_price_dollars_per_node_hour: maybe(context, 20, () => choices.pick(spotPrices)),
  })
  return {
    op: 'update_deployment',
    actor,
    body,
    params: { id: inventory.ref(resource, choices) },
    touches: [resource],
    record: recording(context, { id: resource.account }, 'deployment'),
  }
}

export const fleetOperations: readonly SimOperation[] = [
  { name: 'create template', weight: 10, plan: createTemplate },
  {
    name: 'delete template',
    weight: 2,
    plan: (context) => removal(context, 'delete_instance_template', 'instance_template'),
  },
  { name: 'create instance', weight: 36, plan: createInstance },
  { name: 'change instance', weight: 7, plan: updateInstance },
  { name: 'change priorities', weight: 5, plan: updatePriorities },
  { name: 'end instance', weight: 5, plan: terminate },
  { name: 'replace instance', weight: 16, plan: replace },
  {
    name: 'delete instance',
    weight: 5,
    plan: (context) => removal(context, 'delete_instance', 'instance', { fits: (resource) => !isLiving(resource) }),
  },
  { name: 'read user data', weight: 2, plan: readUserData },
  { name: 'create deployment', weight: 12, plan: createDeployment },
  { name: 'create spot deployment', weight: 8, plan: createSpotDeployment, is_endless: true },
  { name: 'change deployment', weight: 9, plan: updateDeployment },
  { name: 'delete deployment', weight: 3, plan: (context) => removal(context, 'delete_deployment', 'deployment') },
]
