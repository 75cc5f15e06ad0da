/** Names, addresses and grants that are taken, and cursors that contradict each other. */
import type { OperationName } from '@bourse/api/contract.ts'
import type { Thing, ThingKind } from '../book.ts'
import { type Actor, given, type Keyed, type Plan, type Scene, then } from '../scene.ts'
import { imageIn, type Mistake, owned, policy, some } from './means.ts'
import { keySeconds, lists, placeOf } from './reading.ts'

const isNamed = ({ name }: Thing) => name !== null

/** Another one by the name of one that is there, or of one that is made for it beside one without a name. */
function again(kind: ThingKind, bodyOf: (scene: Scene, like: Thing) => object | undefined): Mistake {
  return (scene, actor) => {
    const named = owned(scene, actor, kind, isNamed)
    const like = some(scene, named.length > 0 ? named : owned(scene, actor, kind))
    const body = like && bodyOf(scene, like)
    if (!like || !body) return simple[kind] && sameTwice(scene, actor, kind)
    const place = like.workspace === null ? {} : { workspace: like.workspace }
    const name = like.name ?? scene.nextKey()
    const one: Plan = { op: `create_${kind}` as OperationName, actor, body: { ...place, name, ...body } }
    return like.name === null ? then(one, () => one) : one
  }
}

/** A successor by the name of another machine of the same pool. */
function replaceByName(scene: Scene, actor: Actor): Plan | undefined {
  const image = imageIn(scene, actor.id)
  const living = owned(scene, actor, 'instance', ({ facts }) => facts.state !== 'terminated')
  const old = some(scene, living)
  const other = living.find((one) => one !== old && isNamed(one) && one.workspace === old?.workspace)
  if (!image || !old) return undefined
  const replace = (name: string | null): Plan => {
    return { op: 'replace_instance', actor, params: { id: old.id }, touches: [old], body: { image, name } }
  }
  if (other) return replace(other.name)
  const name = scene.nextKey()
  const body = { ...inPool(scene, old), name, sku: scene.world.skus.plain, image }
  return then({ op: 'create_instance', actor, body }, () => replace(name))
}

/** A key that an operation was called with, for another body. */
function keyAgain(op: OperationName): Mistake {
  return ({ keyed, now }, { id }) => {
    const isHers = ({ plan, at }: Keyed) => plan.op === op && plan.actor.id === id && now < at + keySeconds
    const plan = keyed.findLast(isHers)?.plan
    if (!plan) return undefined
    const { actor, params, key } = plan
    return { op, actor, key, ...(params ? { params } : {}), body: { ...(plan.body as object), name: 'another-one' } }
  }
}

/** One gets the name of another in the same place. */
function renamed(kind: ThingKind, fits: (thing: Thing) => boolean = () => true): Mistake {
  return (scene, actor) => {
    const all = owned(scene, kind === 'host' ? scene.platform : actor, kind, fits)
    for (const thing of all) {
      const other = all.find((one) => one !== thing && isNamed(one) && one.workspace === thing.workspace)
      if (!other || other.name === thing.name) continue
      const by = kind === 'host' ? scene.platform : actor
      return {
        ...{ op: `update_${kind}` as OperationName, actor: by, params: { id: thing.id }, body: { name: other.name } },
        ...{ touches: [thing] },
      }
    }
    return two(scene, actor, kind)
  }
}

/** Makes two, and gives the second the name of the first. */
function two(scene: Scene, actor: Actor, kind: ThingKind): Plan | undefined {
  if (!simple[kind]) return undefined
  const [name, other] = [scene.nextKey(), scene.nextKey()]
  return then(simplest(scene, actor, kind, name), () =>
    then(simplest(scene, actor, kind, other), ({ id }) => {
      return { op: `update_${kind}` as OperationName, actor, params: { id }, body: { name } }
    }),
  )
}

/** Makes two of one name. */
function sameTwice(scene: Scene, actor: Actor, kind: ThingKind): Plan {
  const name = scene.nextKey()
  return then(simplest(scene, actor, kind, name), () => simplest(scene, actor, kind, name))
}

function simplest(scene: Scene, actor: Actor, kind: ThingKind, name: string): Plan {
  const body = kind === 'user' ? { email: `${scene.nextKey()}@example.org` } : simple[kind]
  return { op: `create_${kind}` as OperationName, actor, body: { ...body, name } }
}

/** What one of a kind needs besides its name. */
const simple: Partial<Record<ThingKind, object>> = {
  ...{ workspace: {}, user: {}, role: { policy }, firewall: {}, pool: {}, subnet: { region: 'north' } },
  infiniband_partition: { infiniband_fabric: 'fabric-1' },
}

/** Inside of a pool: without the workspace, which is the pool's. */
function inPool(scene: Scene, like: Thing): { pool: string; workspace: undefined } | undefined {
  return like.pool === null || !scene.book.things.get(like.pool)?.isAlive
    ? undefined
    : { pool: like.pool, workspace: undefined }
}

function instanceBody(scene: Scene, like: Thing): object | undefined {
  const place = inPool(scene, like)
  const image = imageIn(scene, like.account)
  return place && image !== undefined ? { ...place, sku: scene.world.skus.plain, image } : undefined
}

function deploymentBody(scene: Scene, like: Thing): object | undefined {
  const place = inPool(scene, like)
  const template = owned(scene, { id: like.account }, 'instance_template').find(
    ({ workspace }) => workspace === like.workspace,
  )
  return (
    place &&
    template && { ...place, sku: scene.world.skus.plain, instance_template: template.id, target_instance_count: 0 }
  )
}

function procurementBody(scene: Scene, like: Thing): object | undefined {
  const place = inPool(scene, like)
  const prices = { min_sell_price_dollars_per_node_hour: '9.000000', max_buy_price_dollars_per_node_hour: '0.600000' }
  return place && { ...place, sku: scene.world.skus.south, target: 0, managed_window_minutes: 5, ...prices }
}

const takenNames: readonly Mistake[] = [
  again('workspace', () => ({})),
  again('user', (scene) => ({ email: `${scene.nextKey()}@example.org` })),
  again('role', () => ({ policy })),
  again('token', () => ({})),
  again('pool', () => ({})),
  again('firewall', () => ({})),
  again('subnet', () => ({ region: 'north' })),
  again('infiniband_partition', () => ({ infiniband_fabric: 'fabric-1' })),
  again('image', () => ({})),
  again('instance_template', (scene, like) => given({ image: imageIn(scene, like.account) })),
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
const takenUsers: readonly Mistake[] = [
  (scene, actor) => {
    const user = some(scene, owned(scene, actor, 'user'))
    return user && { op: 'create_user', actor, body: { email: user.facts.email } }
  },
  (scene, { id }) => {
    const user = some(scene, owned(scene, { id }, 'user'))
    return user && byOperator(scene, id, { email: user.facts.email })
  },
  (scene, { id }) => {
    const user = some(scene, owned(scene, { id }, 'user', isNamed))
    return user && byOperator(scene, id, { email: `${scene.nextKey()}@example.org`, name: user.name })
  },
]

function byOperator({ platform }: Scene, account: string, body: object): Plan {
  return { op: 'create_account_user', actor: platform, params: { account }, body: { ...body, role: 'role_viewer' } }
}

/** The same addresses twice. */
function overlap(_: Scene, actor: Actor): Plan {
  const body = { region: 'south', cidr: '10.77.0.0/28' }
  const subnet: Plan = { op: 'create_subnet', actor, body }
  return { ...subnet, next: () => subnet }
}

/** The same grant twice. */
function grantTwice(scene: Scene, actor: Actor): Plan | undefined {
  const user = some(scene, owned(scene, actor, 'user'))
  if (!user) return undefined
  const grant: Plan = {
    ...{ op: 'create_grant', actor },
    body: { principal_type: 'user', principal_id: user.id, role: 'role_viewer' },
  }
  return { ...grant, next: () => grant }
}

/** A list from both ends at once. */
const bothEnds: readonly Mistake[] = lists.map((endpoint) => (scene, own) => {
  const pattern = (endpoint.query.properties as { starting_after?: { pattern?: string } }).starting_after?.pattern
  const cursor = `${/^\^([a-z]+)_/.exec(pattern ?? '')?.[1]}_AAAA`
  const actor = endpoint.path.includes('/admin/') ? scene.platform : own
  const op = endpoint.name as OperationName
  const query = `starting_after=${cursor}&ending_before=${cursor}`
  const params = placeOf(scene, endpoint.path)
  return { op, actor: ownerOf(scene, params.id) ?? actor, params, query }
})

function ownerOf({ book, actors }: Scene, id: string | undefined): Actor | undefined {
  const account = id && book.things.get(id)?.account
  return actors.find((actor) => actor.id === account)
}

/** The console of a machine, as a stream and newest first. */
function streamBackwards(scene: Scene, actor: Actor): Plan | undefined {
  const machine = some(scene, owned(scene, actor, 'instance'))
  const wish = { query: 'sort_by=-seqnum', accept: 'text/event-stream' }
  return machine && { op: 'list_instance_logs', actor, params: { id: machine.id }, ...wish }
}

function aliasTwice(scene: Scene): Plan {
  const { platform } = scene
  const sku = (alias: string): Plan => {
    const body = { alias, region: 'north', listed: false }
    return { op: 'create_sku', actor: platform, body }
  }
  const alias = scene.nextKey()
  const other = scene.nextKey()
  return then(sku(alias), ({ id }) =>
    then(sku(other), ({ id: second }) =>
      scene.choices.chance(50)
        ? { op: 'update_sku', actor: platform, params: { id: second }, body: { alias } }
        : restoreTaken(scene, { id, alias, second }),
    ),
  )
}

/** Retires one SKU, gives another its alias, and wants the first one back. */
function restoreTaken({ platform }: Scene, { id, alias, second }: Record<'id' | 'alias' | 'second', string>): Plan {
  const retire: Plan = { op: 'retire_sku', actor: platform, params: { id } }
  const take: Plan = { op: 'update_sku', actor: platform, params: { id: second }, body: { alias } }
  return then(retire, () => then(take, () => ({ op: 'restore_sku', actor: platform, params: { id } })))
}

export const nameMistakes: readonly Mistake[] = [
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
