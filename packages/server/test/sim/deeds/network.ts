/** Firewalls, subnets and InfiniBand partitions. */
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

type Named = 'firewall' | 'subnet' | 'infiniband_partition'

function rulesFor({ choices }: Scene) {
  const rule = (port_from: number) => ({ protocol: choices.pick(['tcp', 'udp']), port_from, source_cidr: '0.0.0.0/0' })
  return [22, 80, 443].slice(0, choices.integer(4)).map(rule)
}

function create(scene: Scene, kind: Named, own: (actor: Actor) => object): Plan {
  const actor = anyActor(scene)
  const name = maybe(scene, 70, () => anyName(scene, kind === 'infiniband_partition' ? 'fabric' : kind))
  const workspace = maybe(scene, 30, () => refTo(scene, actor, 'workspace'))
  const body = { ...given({ name, workspace, tags: maybe(scene, 30, () => tagsFor(scene)) }), ...own(actor) }
  return { op: `create_${kind}`, actor, body, key: maybeKey(scene), learn: learning(scene, actor, kind) }
}

function update(scene: Scene, kind: Named): Plan | undefined {
  const actor = anyActor(scene)
  const thing = meant(scene, actor, kind)
  if (!thing) return undefined
  const word = kind === 'infiniband_partition' ? 'fabric' : kind
  const name = maybe(scene, 60, () => anyName(scene, word))
  return {
    ...{ op: `update_${kind}`, actor, params: { id: scene.book.ref(thing, scene.choices) }, touches: [thing] },
    body: given({ name, tags: maybe(scene, 50, () => tagsFor(scene)) }),
    learn: learning(scene, { id: thing.account }, kind),
  }
}

function replaceRules(scene: Scene): Plan | undefined {
  const actor = anyActor(scene)
  const thing = meant(scene, actor, 'firewall')
  if (!thing) return undefined
  return {
    ...{ op: 'replace_firewall_rules', actor, params: { id: scene.book.ref(thing, scene.choices) }, touches: [thing] },
    body: { rules: rulesFor(scene) },
    learn: learning(scene, { id: thing.account }, 'firewall'),
  }
}

const cidrs = ['10.0.0.0/28', '10.0.0.0/24', '10.0.1.0/28', '10.0.2.0/28', '172.16.0.0/20']

/** A subnet of eleven addresses, a fleet that takes all of them, and one machine more. */
function crowd(scene: Scene): Plan | undefined {
  const actor = anyActor(scene)
  const { workspace_id: workspace } = actor
  const inPlace = ({ facts, isAlive, workspace: place }: { facts: any; isAlive: boolean; workspace: string | null }) =>
    isAlive && place === workspace && facts.state !== 'revoked'
  const [pool] = scene.book.all('pool', (thing) => thing.account === actor.id && inPlace(thing))
  const [image] = scene.book.all('image', (thing) => thing.account === actor.id && inPlace(thing))
  if (!pool || !image) return undefined
  const { plain: sku } = scene.world.skus
  const launch = (subnet: string): Plan => ({
    ...{ op: 'create_instance', actor, body: { pool: pool.id, sku, image: image.id, subnet } },
    learn: learning(scene, actor, 'instance'),
  })
  const deploy = (subnet: string, instance_template: string): Plan => ({
    op: 'create_deployment',
    actor,
    body: { pool: pool.id, sku, instance_template, target_instance_count: 11 },
    learn: learning(scene, actor, 'deployment'),
    next: () => ({ op: 'get_subnet', actor, params: { id: subnet }, next: () => launch(subnet) }),
  })
  const template = (subnet: string): Plan => ({
    ...{ op: 'create_instance_template', actor, body: { image: image.id, subnet } },
    learn: learning(scene, actor, 'instance_template'),
    next: ({ body }) => body?.id && deploy(subnet, body.id),
  })
  return {
    ...{ op: 'create_subnet', actor, body: { region: 'north', cidr: '10.9.0.0/28' } },
    learn: learning(scene, actor, 'subnet'),
    next: ({ body }) => body?.id && template(body.id),
  }
}

export const networkDeeds: readonly Deed[] = [
  {
    name: 'create firewall',
    weight: 7,
    plan: (scene) => create(scene, 'firewall', () => given({ rules: maybe(scene, 50, () => rulesFor(scene)) })),
  },
  { name: 'change firewall', weight: 5, plan: (scene) => update(scene, 'firewall') },
  { name: 'change rules', weight: 5, plan: replaceRules },
  { name: 'delete firewall', weight: 7, plan: (scene) => removal(scene, 'delete_firewall', 'firewall') },
  {
    name: 'create subnet',
    weight: 6,
    plan: (scene) => {
      const region = scene.choices.chance(75) ? 'north' : 'south'
      return create(scene, 'subnet', () => given({ region, cidr: maybe(scene, 60, () => scene.choices.pick(cidrs)) }))
    },
  },
  { name: 'change subnet', weight: 2, plan: (scene) => update(scene, 'subnet') },
  { name: 'delete subnet', weight: 3, plan: (scene) => removal(scene, 'delete_subnet', 'subnet') },
  {
    name: 'create partition',
    weight: 5,
    plan: (scene) => {
      const infiniband_fabric = scene.choices.weighted([
        { weight: 80, name: 'fabric-1' },
        { weight: 10, name: 'fabric-2' },
        { weight: 10, name: 'fabric-9' },
      ]).name
      return create(scene, 'infiniband_partition', () => ({ infiniband_fabric }))
    },
  },
  { name: 'change partition', weight: 2, plan: (scene) => update(scene, 'infiniband_partition') },
  {
    name: 'delete partition',
    weight: 3,
    plan: (scene) => removal(scene, 'delete_infiniband_partition', 'infiniband_partition'),
  },
  { name: 'crowd a subnet', weight: 2, plan: crowd },
]
