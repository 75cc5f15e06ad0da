/** Firewalls, subnets and InfiniBand partitions. */
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

type NetworkKind = 'firewall' | 'subnet' | 'infiniband_partition'

function rulesFor({ choices }: SimContext) {
  const rule = (port_from: number) => ({ protocol: choices.pick(['tcp', 'udp']), port_from, source_cidr: '0.0.0.0/0' })
  return [22, 80, 443].slice(0, choices.integer(4)).map(rule)
}

function create(context: SimContext, kind: NetworkKind, own: (actor: SimActor) => object): CallPlan {
  const actor = anyActor(context)
  const name = maybe(context, 70, () => anyName(context, kind === 'infiniband_partition' ? 'fabric' : kind))
  const workspace = maybe(context, 30, () => refTo(context, actor, 'workspace'))
  const body = { ...defined({ name, workspace, tags: maybe(context, 30, () => tagsFor(context)) }), ...own(actor) }
  return { op: `create_${kind}`, actor, body, key: maybeKey(context), record: recording(context, actor, kind) }
}

function update(context: SimContext, kind: NetworkKind): CallPlan | undefined {
  const actor = anyActor(context)
  const resource = pickResource(context, actor, kind)
  if (!resource) return undefined
  const word = kind === 'infiniband_partition' ? 'fabric' : kind
  const name = maybe(context, 60, () => anyName(context, word))
  return {
    op: `update_${kind}`,
    actor,
    params: { id: context.inventory.ref(resource, context.choices) },
    touches: [resource],
    body: defined({ name, tags: maybe(context, 50, () => tagsFor(context)) }),
    record: recording(context, { id: resource.account }, kind),
  }
}

function replaceRules(context: SimContext): CallPlan | undefined {
  const actor = anyActor(context)
  const resource = pickResource(context, actor, 'firewall')
  if (!resource) return undefined
  return {
    op: 'replace_firewall_rules',
    actor,
    params: { id: context.inventory.ref(resource, context.choices) },
    touches: [resource],
    body: { rules: rulesFor(context) },
    record: recording(context, { id: resource.account }, 'firewall'),
  }
}

const cidrs = ['10.0.0.0/28', '10.0.0.0/24', '10.0.1.0/28', '10.0.2.0/28', '172.16.0.0/20']

/** A subnet of eleven addresses, a deployment that takes all of them, and one instance more. */
function crowd(context: SimContext): CallPlan | undefined {
  const actor = anyActor(context)
  const { workspace_id: workspace } = actor
  const inPlace = ({ facts, isAlive, workspace: place }: { facts: any; isAlive: boolean; workspace: string | null }) =>
    isAlive && place === workspace && facts.state !== 'revoked'
  const [pool] = context.inventory.all('pool', (resource) => resource.account === actor.id && inPlace(resource))
  const [image] = context.inventory.all('image', (resource) => resource.account === actor.id && inPlace(resource))
  if (!pool || !image) return undefined
  const { plain: sku } = context.world.skus
  const launch = (subnet: string): CallPlan => ({
    op: 'create_instance',
    actor,
    body: { pool: pool.id, sku, image: image.id, subnet },
    record: recording(context, actor, 'instance'),
  })
  const deploy = (subnet: string, instance_template: string): CallPlan => ({
    op: 'create_deployment',
    actor,
    body: { pool: pool.id, sku, instance_template, target_instance_count: 11 },
    record: recording(context, actor, 'deployment'),
    next: () => ({ op: 'get_subnet', actor, params: { id: subnet }, next: () => launch(subnet) }),
  })
  const template = (subnet: string): CallPlan => ({
    op: 'create_instance_template',
    actor,
    body: { image: image.id, subnet },
    record: recording(context, actor, 'instance_template'),
    next: ({ body }) => body?.id && deploy(subnet, body.id),
  })
  return {
    op: 'create_subnet',
    actor,
    body: { region: 'north', cidr: '10.9.0.0/28' },
    record: recording(context, actor, 'subnet'),
    next: ({ body }) => body?.id && template(body.id),
  }
}

export const networkOperations: readonly SimOperation[] = [
  {
    name: 'create firewall',
    weight: 7,
    plan: (context) =>
      create(context, 'firewall', () => defined({ rules: maybe(context, 50, () => rulesFor(context)) })),
  },
  { name: 'change firewall', weight: 5, plan: (context) => update(context, 'firewall') },
  { name: 'change rules', weight: 5, plan: replaceRules },
  { name: 'delete firewall', weight: 7, plan: (context) => removal(context, 'delete_firewall', 'firewall') },
  {
    name: 'create subnet',
    weight: 6,
    plan: (context) => {
      const region = context.choices.chance(75) ? 'north' : 'south'
      return create(context, 'subnet', () =>
        defined({ region, cidr: maybe(context, 60, () => context.choices.pick(cidrs)) }),
      )
    },
  },
  { name: 'change subnet', weight: 2, plan: (context) => update(context, 'subnet') },
  { name: 'delete subnet', weight: 3, plan: (context) => removal(context, 'delete_subnet', 'subnet') },
  {
    name: 'create partition',
    weight: 5,
    plan: (context) => {
      const infiniband_fabric = context.choices.weighted([
        { weight: 80, name: 'fabric-1' },
        { weight: 10, name: 'fabric-2' },
        { weight: 10, name: 'fabric-9' },
      ]).name
      return create(context, 'infiniband_partition', () => ({ infiniband_fabric }))
    },
  },
  { name: 'change partition', weight: 2, plan: (context) => update(context, 'infiniband_partition') },
  {
    name: 'delete partition',
    weight: 3,
    plan: (context) => removal(context, 'delete_infiniband_partition', 'infiniband_partition'),
  },
  { name: 'crowd a subnet', weight: 2, plan: crowd },
]
