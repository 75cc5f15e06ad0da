/** Templates, instances and deployments: what customers run. */
import type { Thing } from '../book.ts'
import {
  type Actor,
  anyActor,
  anyName,
  type Deed,
  given,
  learning,
  maybe,
  maybeKey,
  meant,
  type Plan,
  refTo,
  removal,
  type Scene,
  tagsFor,
} from '../scene.ts'
import { isUsable } from './images.ts'

const levels = ['yield', 'normal', 'preferred', 'critical']
const userData = Buffer.from('#cloud-config\n').toString('base64')

/** What a machine is started with; most of it in one workspace. */
function launchFields(scene: Scene, actor: Actor, workspace: string | null) {
  const { choices, book, platform } = scene
  const near = (thing: Thing) => thing.workspace === workspace || choices.chance(8)
  const hasAddress = choices.chance(30)
  const common = book.all('image', (thing) => thing.account === platform.id && thing.facts.is_public === true)
  const shared = common.length > 0 && choices.chance(25) ? choices.pick(common).id : undefined
  const image =
    shared ?? refTo(scene, actor, 'image', (thing) => near(thing) && (isUsable(thing) || choices.chance(10)))
  return {
    ...given({
      cloud_init_user_data: maybe(scene, 25, () => userData),
      tags: maybe(scene, 30, () => tagsFor(scene) ?? undefined),
      priority_level: maybe(scene, 60, () => choices.pick(levels)),
      subnet: maybe(scene, 30, () => refTo(scene, actor, 'subnet', near)),
      _preview_enable_public_ipv4: hasAddress || undefined,
      _preview_firewall: maybe(scene, hasAddress ? 60 : 6, () => refTo(scene, actor, 'firewall', near)),
      _preview_infiniband_partition: maybe(scene, 15, () => refTo(scene, actor, 'infiniband_partition', near)),
    }),
    image,
  }
}

function anySku(scene: Scene, hasFabric: boolean): string {
  const { plain, fabric, south } = scene.world.skus
  const skus = [
    { weight: 60, id: plain },
    { weight: hasFabric ? 200 : 25, id: fabric },
    { weight: 12, id: south },
    ...scene.book.all('sku').map(({ id }) => ({ weight: 3, id })),
  ]
  return scene.choices.weighted(skus).id
}

function createTemplate(scene: Scene): Plan {
  const actor = anyActor(scene)
  const workspace = maybe(scene, 20, () => refTo(scene, actor, 'workspace'))
  const name = maybe(scene, 60, () => anyName(scene, 'template', 9))
  const body = { ...given({ name, workspace }), ...launchFields(scene, actor, workspace ?? actor.workspace_id) }
  const learn = learning(scene, actor, 'instance_template')
  return { op: 'create_instance_template', actor, body, key: maybeKey(scene), learn }
}

/** A pool that takes instances, mostly. */
function poolFor(scene: Scene, actor: Actor): Thing | undefined {
  return meant(scene, actor, 'pool', ({ facts }) => facts.kind !== 'originating' || scene.choices.chance(5))
}

function createInstance(scene: Scene): Plan | undefined {
  const actor = anyActor(scene)
  const pool = poolFor(scene, actor)
  if (!pool) return undefined
  const fields = launchFields(scene, actor, pool.workspace)
  const sku = anySku(scene, '_preview_infiniband_partition' in fields)
  const name = maybe(scene, 50, () => anyName(scene, 'machine', 12))
  const body = { ...given({ name }), ...fields, pool: scene.book.ref(pool, scene.choices), sku }
  return {
    ...{ op: 'create_instance', actor, body, key: maybeKey(scene), learn: learning(scene, actor, 'instance') },
    judge: ({ status }) => {
      const image = scene.book.things.get(fields.image ?? '')
      return status === 201 && image && !isUsable(image) ? `started from ${image.id}, which is not usable` : undefined
    },
  }
}

function isLiving(thing: Thing): boolean {
  return thing.isAlive && thing.facts.state !== 'terminated'
}

function updateInstance(scene: Scene): Plan | undefined {
  const actor = anyActor(scene)
  const thing = meant(scene, actor, 'instance', isLiving)
  if (!thing) return undefined
  const body = given({
    name: maybe(scene, 40, () => anyName(scene, 'machine', 12)),
    tags: maybe(scene, 40, () => tagsFor(scene)),
    priority_level: maybe(scene, 50, () => scene.choices.pick(levels)),
    _preview_firewall: maybe(scene, 35, () => refTo(scene, actor, 'firewall')),
  })
  return {
    ...{ op: 'update_instance', actor, body, params: { id: scene.book.ref(thing, scene.choices) }, touches: [thing] },
    learn: learning(scene, { id: thing.account }, 'instance'),
  }
}

function updatePriorities(scene: Scene): Plan | undefined {
  const { choices, book } = scene
  const actor = anyActor(scene)
  const things = Array.from({ length: 1 + choices.integer(4) }, () => meant(scene, actor, 'instance', isLiving))
  const some = things.filter((thing) => thing !== undefined)
  if (some.length === 0) return undefined
  const data = some.map((thing) => ({ id: book.ref(thing, choices), priority_level: choices.pick(levels) }))
  const learn = learning(scene, actor, 'instance')
  return {
    ...{ op: 'update_instance_priorities', actor, body: { data }, touches: some },
    learn: (body) => body.data.forEach(learn),
  }
}

function terminate(scene: Scene): Plan | undefined {
  const actor = anyActor(scene)
  const thing = meant(scene, actor, 'instance', (one) => isLiving(one) || scene.choices.chance(10))
  if (!thing) return undefined
  return {
    ...{ op: 'terminate_instance', actor, params: { id: scene.book.ref(thing, scene.choices) }, touches: [thing] },
    learn: learning(scene, { id: thing.account }, 'instance'),
  }
}

function replace(scene: Scene): Plan | undefined {
  const { choices, book } = scene
  const actor = anyActor(scene)
  const thing = meant(scene, actor, 'instance', (one) => isLiving(one) || choices.chance(10))
  if (!thing) return undefined
  const image = refTo(scene, actor, 'image', (one) => isUsable(one) || choices.chance(15))
  if (!image) return undefined
  const own = choices.chance(10) ? (thing.name ?? undefined) : undefined
  const name = own ?? maybe(scene, 30, () => anyName(scene, 'machine', 12))
  const body = given({ image, name, cloud_init_user_data: maybe(scene, 20, () => userData) })
  const learn = learning(scene, { id: thing.account }, 'instance')
  const wasReplaced = thing.isReplaced
  return {
    ...{ op: 'replace_instance', actor, body, params: { id: book.ref(thing, choices) }, touches: [thing] },
    key: maybeKey(scene),
    learn: (successor) => {
      learn(successor)
      thing.facts.state = 'terminated'
      thing.isReplaced = true
    },
    judge: ({ status, replayed }) =>
      status === 201 && !replayed && wasReplaced ? `${thing.id} was replaced a second time` : undefined,
  }
}

function readUserData(scene: Scene): Plan | undefined {
  const actor = anyActor(scene)
  const thing = meant(scene, actor, 'instance', ({ facts }) => facts.cloud_init_user_data_used === true)
  if (!thing) return undefined
  return { op: 'get_instance_cloud_init', actor, params: { id: scene.book.ref(thing, scene.choices) } }
}

function createDeployment(scene: Scene): Plan | undefined {
  const { choices, book, platform } = scene
  const actor = choices.chance(5) ? platform : anyActor(scene)
  const pool = poolFor(scene, actor)
  const poolRef = actor === platform ? scene.world.supply_pool : pool && book.ref(pool, choices)
  const near = (thing: Thing) => thing.workspace === pool?.workspace
  const template = refTo(scene, actor, 'instance_template', near) ?? 'itmpl_0000000000000000000zz'
  if (!poolRef) return undefined
  const price = maybe(scene, 5, () => choices.pick(spotPrices))
  const body = {
    ...given({ name: maybe(scene, 50, () => anyName(scene, 'fleet', 6)), enabled: maybe(scene, 20, () => false) }),
    ...given({ max_buy_price_dollars_per_node_hour: price }),
    ...{ pool: poolRef, sku: anySku(scene, false), instance_template: template },
    target_instance_count: choices.integer(4),
  }
  return {
    ...{ op: 'create_deployment', actor, body, key: maybeKey(scene) },
    learn: learning(scene, actor, 'deployment'),
  }
}

/** Around those at which traders meet. */
const spotPrices = ['1.080000', '1.200000', '1.320000', '1.320000']

/** A fleet that buys what it runs on, with a template that is made for it where there is none yet. */
function createSpotDeployment(scene: Scene): Plan | undefined {
  const { choices, book } = scene
  const actor = anyActor(scene)
  const isMarket = ({ facts }: Thing) => facts.kind === 'market' || choices.chance(3)
  const pool = meant(scene, actor, 'pool', isMarket)
  const image = book.all('image', (thing) => thing.account === actor.id && isUsable(thing))[0]
  if (!pool?.workspace || !image) return undefined
  const wish = {
    ...{ kind: 'spot', pool: book.ref(pool, choices), sku: anySku(scene, false) },
    ...given({ enabled: maybe(scene, 15, () => false), name: maybe(scene, 30, () => anyName(scene, 'fleet', 6)) }),
    max_buy_price_dollars_per_node_hour: choices.pick(spotPrices),
    target_instance_count: choices.integer(4),
  }
  const learn = learning(scene, actor, 'deployment')
  const make = (instance_template: string): Plan => {
    return { op: 'create_deployment', actor, body: { ...wish, instance_template }, key: maybeKey(scene), learn }
  }
  const isNear = (thing: Thing) => thing.isAlive && thing.account === actor.id && thing.workspace === pool.workspace
  const [template] = book.all('instance_template', isNear)
  if (template) return make(template.id)
  return {
    ...{ op: 'create_instance_template', actor, body: { image: image.id, workspace: pool.workspace } },
    ...{ key: maybeKey(scene), learn: learning(scene, actor, 'instance_template') },
    next: ({ status, body }) => (status === 201 ? make(body.id) : undefined),
  }
}

function updateDeployment(scene: Scene): Plan | undefined {
  const { choices, book } = scene
  const actor = anyActor(scene)
  const thing = meant(scene, actor, 'deployment')
  if (!thing) return undefined
  const near = (template: Thing) => template.workspace === thing.workspace || choices.chance(10)
  const body = given({
    name: maybe(scene, 25, () => anyName(scene, 'fleet', 6)),
    enabled: maybe(scene, 25, () => choices.chance(70)),
    target_instance_count: maybe(scene, 50, () => choices.integer(5)),
    instance_template: maybe(scene, 45, () => refTo(scene, actor, 'instance_template', near)),
    max_buy_price_dollars_per_node_hour: maybe(scene, 20, () => choices.pick(spotPrices)),
  })
  return {
    ...{ op: 'update_deployment', actor, body, params: { id: book.ref(thing, choices) }, touches: [thing] },
    learn: learning(scene, { id: thing.account }, 'deployment'),
  }
}

export const fleetDeeds: readonly Deed[] = [
  { name: 'create template', weight: 10, plan: createTemplate },
  {
    name: 'delete template',
    weight: 2,
    plan: (scene) => removal(scene, 'delete_instance_template', 'instance_template'),
  },
  { name: 'create instance', weight: 36, plan: createInstance },
  { name: 'change instance', weight: 7, plan: updateInstance },
  { name: 'change priorities', weight: 5, plan: updatePriorities },
  { name: 'end instance', weight: 5, plan: terminate },
  { name: 'replace instance', weight: 16, plan: replace },
  {
    name: 'delete instance',
    weight: 5,
    plan: (scene) => removal(scene, 'delete_instance', 'instance', { fits: (thing) => !isLiving(thing) }),
  },
  { name: 'read user data', weight: 2, plan: readUserData },
  { name: 'create deployment', weight: 12, plan: createDeployment },
  { name: 'create spot deployment', weight: 8, plan: createSpotDeployment, is_endless: true },
  { name: 'change deployment', weight: 9, plan: updateDeployment },
  { name: 'delete deployment', weight: 3, plan: (scene) => removal(scene, 'delete_deployment', 'deployment') },
]
