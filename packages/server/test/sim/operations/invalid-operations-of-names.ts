/** Names, addresses and grants that are taken, and cursors that contradict each other. */
import type { OperationName } from '@bourse/api/contract.ts'
import { type Actor, type Context, defined, type Keyed, type Plan, then } from '../context.ts'
import type { Resource, ResourceKind } from '../inventory.ts'
import { type InvalidOperation, imageIn, owned, policy, some } from './fixtures.ts'
import { keySeconds, lists, placeOf } from './readers.ts'

const isNamed = ({ name }: Resource) => name !== null

/** Another one by the name of one that is there, or of one that is made for it beside one without a name. */
function again(kind: ResourceKind, bodyOf: (context: Context, like: Resource) => object | undefined): InvalidOperation {
  return (context, actor) => {
    const named = owned(context, actor, kind, isNamed)
    const like = some(context, named.length > 0 ? named : owned(context, actor, kind))
    const body = like && bodyOf(context, like)
    if (!like || !body) return simple[kind] && sameTwice(context, actor, kind)
    const place = like.workspace === null ? {} : { workspace: like.workspace }
    const name = like.name ?? context.nextKey()
    const one: Plan = { op: `create_${kind}` as OperationName, actor, body: { ...place, name, ...body } }
    return like.name === null ? then(one, () => one) : one
  }
}

/** A successor by the name of another machine of the same pool. */
function replaceByName(context: Context, actor: Actor): Plan | undefined {
  const image = imageIn(context, actor.id)
  const living = owned(context, actor, 'instance', ({ facts }) => facts.state !== 'terminated')
  const old = some(context, living)
  const other = living.find((one) => one !== old && isNamed(one) && one.workspace === old?.workspace)
  if (!image || !old) return undefined
  const replace = (name: string | null): Plan => {
    return { op: 'replace_instance', actor, params: { id: old.id }, touches: [old], body: { image, name } }
  }
  if (other) return replace(other.name)
  const name = context.nextKey()
  const body = { ...inPool(context, old), name, sku: context.world.skus.plain, image }
  return then({ op: 'create_instance', actor, body }, () => replace(name))
}

/** A key that an operation was called with, for another body. */
function keyAgain(op: OperationName): InvalidOperation {
  return ({ keyed, now }, { id }) => {
    const isHers = ({ plan, at }: Keyed) => plan.op === op && plan.actor.id === id && now < at + keySeconds
    const plan = keyed.findLast(isHers)?.plan
    if (!plan) return undefined
    const { actor, params, key } = plan
    return { op, actor, key, ...(params ? { params } : {}), body: { ...(plan.body as object), name: 'another-one' } }
  }
}

/** One gets the name of another in the same place. */
function renamed(kind: ResourceKind, fits: (resource: Resource) => boolean = () => true): InvalidOperation {
  return (context, actor) => {
    const all = owned(context, kind === 'host' ? context.platform : actor, kind, fits)
    for (const resource of all) {
      const other = all.find((one) => one !== resource && isNamed(one) && one.workspace === resource.workspace)
      if (!other || other.name === resource.name) continue
      const by = kind === 'host' ? context.platform : actor
      return {
        ...{
          op: `update_${kind}` as OperationName,
          actor: by,
          params: { id: resource.id },
          body: { name: other.name },
        },
        ...{ touches: [resource] },
      }
    }
    return two(context, actor, kind)
  }
}

/** Makes two, and gives the second the name of the first. */
function two(context: Context, actor: Actor, kind: ResourceKind): Plan | undefined {
  if (!simple[kind]) return undefined
  const [name, other] = [context.nextKey(), context.nextKey()]
  return then(simplest(context, actor, kind, name), () =>
    then(simplest(context, actor, kind, other), ({ id }) => {
      return { op: `update_${kind}` as OperationName, actor, params: { id }, body: { name } }
    }),
  )
}

/** Makes two of one name. */
function sameTwice(context: Context, actor: Actor, kind: ResourceKind): Plan {
  const name = context.nextKey()
  return then(simplest(context, actor, kind, name), () => simplest(context, actor, kind, name))
}

function simplest(context: Context, actor: Actor, kind: ResourceKind, name: string): Plan {
  const body = kind === 'user' ? { email: `${context.nextKey()}@example.org` } : simple[kind]
  return { op: `create_${kind}` as OperationName, actor, body: { ...body, name } }
}

/** What one of a kind needs besides its name. */
const simple: Partial<Record<ResourceKind, object>> = {
  ...{ workspace: {}, user: {}, role: { policy }, firewall: {}, pool: {}, subnet: { region: 'north' } },
  infiniband_partition: { infiniband_fabric: 'fabric-1' },
}

/** Inside of a pool: without the workspace, which is the pool's. */
function inPool(context: Context, like: Resource): { pool: string; workspace: undefined } | undefined {
  return like.pool === null || !context.inventory.resources.get(like.pool)?.isAlive
    ? undefined
    : { pool: like.pool, workspace: undefined }
}

function instanceBody(context: Context, like: Resource): object | undefined {
  const place = inPool(context, like)
  const image = imageIn(context, like.account)
  return place && image !== undefined ? { ...place, sku: context.world.skus.plain, image } : undefined
}

function deploymentBody(context: Context, like: Resource): object | undefined {
  const place = inPool(context, like)
  const template = owned(context, { id: like.account }, 'instance_template').find(
    ({ workspace }) => workspace === like.workspace,
  )
  return (
    place &&
    template && { ...place, sku: context.world.skus.plain, instance_template: template.id, target_instance_count: 0 }
  )
}

function procurementBody(context: Context, like: Resource): object | undefined {
  const place = inPool(context, like)
  const prices = { min_sell_price_dollars_per_node_hour: '9.000000', max_buy_price_dollars_per_node_hour: '0.600000' }
  return place && { ...place, sku: context.world.skus.south, target: 0, managed_window_minutes: 5, ...prices }
}

const takenNames: readonly InvalidOperation[] = [
  again('workspace', () => ({})),
  again('user', (context) => ({ email: `${context.nextKey()}@example.org` })),
  again('role', () => ({ policy })),
  again('token', () => ({})),
  again('pool', () => ({})),
  again('firewall', () => ({})),
  again('subnet', () => ({ region: 'north' })),
  again('infiniband_partition', () => ({ infiniband_fabric: 'fabric-1' })),
  again('image', () => ({})),
  again('instance_template', (context, like) => defined({ image: imageIn(context, like.account) })),
  again('instance', instanceBody),
  again('deployment', deploymentBody),
  again('procurement', procurementBody),
  ...(['workspace', 'user', 'role', 'subnet', 'infiniband_partition'] as const).map((kind) => renamed(kind)),
  ...(['deployment', 'procurement', 'host'] as const).map((kind) => renamed(kind)),
  renamed('pool', ({ facts }) => facts.kind === 'market'),
  renamed('firewall', ({ facts }) => facts.is_default !== true),
  renamed('instance', ({ facts }) => facts.state !== 'terminated'),
]

/** A second user with the address of a first, by the account itself and by the operator; and one with its name. */
const takenUsers: readonly InvalidOperation[] = [
  (context, actor) => {
    const user = some(context, owned(context, actor, 'user'))
    return user && { op: 'create_user', actor, body: { email: user.facts.email } }
  },
  (context, { id }) => {
    const user = some(context, owned(context, { id }, 'user'))
    return user && byOperator(context, id, { email: user.facts.email })
  },
  (context, { id }) => {
    const user = some(context, owned(context, { id }, 'user', isNamed))
    return user && byOperator(context, id, { email: `${context.nextKey()}@example.org`, name: user.name })
  },
]

function byOperator({ platform }: Context, account: string, body: object): Plan {
  return { op: 'create_account_user', actor: platform, params: { account }, body: { ...body, role: 'role_viewer' } }
}

/** The same addresses twice. */
function overlap(_: Context, actor: Actor): Plan {
  const body = { region: 'south', cidr: '10.77.0.0/28' }
  const subnet: Plan = { op: 'create_subnet', actor, body }
  return { ...subnet, next: () => subnet }
}

/** The same grant twice. */
function grantTwice(context: Context, actor: Actor): Plan | undefined {
  const user = some(context, owned(context, actor, 'user'))
  if (!user) return undefined
  const grant: Plan = {
    ...{ op: 'create_grant', actor },
    body: { principal_type: 'user', principal_id: user.id, role: 'role_viewer' },
  }
  return { ...grant, next: () => grant }
}

/** A list from both ends at once. */
const bothEnds: readonly InvalidOperation[] = lists.map((endpoint) => (context, own) => {
  const pattern = (endpoint.query.properties as { starting_after?: { pattern?: string } }).starting_after?.pattern
  const cursor = `${/^\^([a-z]+)_/.exec(pattern ?? '')?.[1]}_AAAA`
  const actor = endpoint.path.includes('/admin/') ? context.platform : own
  const op = endpoint.name as OperationName
  const query = `starting_after=${cursor}&ending_before=${cursor}`
  const params = placeOf(context, endpoint.path)
  return { op, actor: ownerOf(context, params.id) ?? actor, params, query }
})

function ownerOf({ inventory, actors }: Context, id: string | undefined): Actor | undefined {
  const account = id && inventory.resources.get(id)?.account
  return actors.find((actor) => actor.id === account)
}

/** The console of a machine, as a stream and newest first. */
function streamBackwards(context: Context, actor: Actor): Plan | undefined {
  const machine = some(context, owned(context, actor, 'instance'))
  const wish = { query: 'sort_by=-seqnum', accept: 'text/event-stream' }
  return machine && { op: 'list_instance_logs', actor, params: { id: machine.id }, ...wish }
}

function aliasTwice(context: Context): Plan {
  const { platform } = context
  const sku = (alias: string): Plan => {
    const body = { alias, region: 'north', listed: false }
    return { op: 'create_sku', actor: platform, body }
  }
  const alias = context.nextKey()
  const other = context.nextKey()
  return then(sku(alias), ({ id }) =>
    then(sku(other), ({ id: second }) =>
      context.choices.chance(50)
        ? { op: 'update_sku', actor: platform, params: { id: second }, body: { alias } }
        : restoreTaken(context, { id, alias, second }),
    ),
  )
}

/** Retires one SKU, gives another its alias, and wants the first one back. */
function restoreTaken({ platform }: Context, { id, alias, second }: Record<'id' | 'alias' | 'second', string>): Plan {
  const retire: Plan = { op: 'retire_sku', actor: platform, params: { id } }
  const take: Plan = { op: 'update_sku', actor: platform, params: { id: second }, body: { alias } }
  return then(retire, () => then(take, () => ({ op: 'restore_sku', actor: platform, params: { id } })))
}

export const invalidNameOperations: readonly InvalidOperation[] = [
  ...takenNames,
  ...takenUsers,
  replaceByName,
  keyAgain('create_instance'),
  keyAgain('replace_instance'),
  grantTwice,
  aliasTwice,
  overlap,
  streamBackwards,
  ...bothEnds,
]
