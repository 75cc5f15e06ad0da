/** Bodies that name what is not there, or what this cannot be done to. */
import type { OperationName } from '@bourse/api/contract.ts'
import { type Actor, absent, type Context, type Plan, then } from '../context.ts'
import type { Resource, ResourceKind } from '../inventory.ts'
import { type InvalidOperation, imageIn, owned, policy, some } from './fixtures.ts'

const nowhere = { workspace: absent('wksp') }

/** Makes one in a workspace that is not there. */
function inNoPlace(op: OperationName, body: object = {}): InvalidOperation {
  return (_, actor) => ({ op, actor, body: { ...body, ...nowhere } })
}

function byPlatform(op: OperationName, body: object): InvalidOperation {
  return ({ platform }) => ({ op, actor: platform, body })
}

/** Changes one of a kind so that it would refer to nothing. */
function toNothing(kind: ResourceKind, body: object, fits?: (resource: Resource) => boolean): InvalidOperation {
  return (context, actor) => {
    const resource = some(context, owned(context, actor, kind, fits))
    return (
      resource && {
        op: `update_${kind}` as OperationName,
        actor,
        params: { id: resource.id },
        body,
        touches: [resource],
      }
    )
  }
}

/** The sum of nothing, which no upload here has. */
const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** An image of which nothing was sent, one of which a part is missing, and one whose first part is too small. */
function unfinished(parts: readonly number[]): InvalidOperation {
  return (_, actor) => {
    const made: Plan = { op: 'create_image', actor, body: {} }
    return then(made, ({ id }) => sendAll(actor, id, parts))
  }
}

function sendAll(actor: Actor, id: string, [part_id, ...rest]: readonly number[]): Plan {
  const params = { id }
  if (part_id === undefined) return { op: 'complete_image', actor, params, body: { sha256 } }
  const ask: Plan = { op: 'create_image_part', actor, params, body: { part_id } }
  return then(ask, ({ url }) => {
    const { pathname, search } = new URL(url)
    const send = { path: `${pathname}${search}`, bytes: Buffer.of(part_id) }
    return then({ op: 'create_image_part', actor, transfer: send }, () => sendAll(actor, id, rest))
  })
}

/** Something that is done to an image in a state in which it cannot be. */
function toImage(op: OperationName, isWrong: (state: unknown) => boolean, body?: object): InvalidOperation {
  return (context, actor) => {
    const image = some(
      context,
      owned(context, actor, 'image', ({ facts }) => isWrong(facts.state)),
    )
    return image && { op, actor, params: { id: image.id }, ...(body ? { body } : {}), touches: [image] }
  }
}

const isUnfinished = (state: unknown) => state === 'started' || state === 'uploading' || state === 'failed'

/** What cannot be said of a public image before it is whole. */
function ofUnfinished(op: 'deprecate_public_image' | 'publish_public_image', body?: object): InvalidOperation {
  return ({ platform, world }) => {
    const made: Plan = { op: 'create_image', actor: platform, body: { workspace: world.platform.workspace_id } }
    return then(made, ({ id }) => ({ op, actor: platform, params: { id }, ...(body ? { body } : {}) }))
  }
}

/** An image is published, and again; withdrawn, and again; given back, and again. */
function publishTwice(context: Context): Plan {
  const { platform, world } = context
  const body = { name: context.nextKey(), workspace: world.platform.workspace_id }
  const doAll = (id: string, [op, ...rest]: readonly OperationName[]): Plan | undefined =>
    op && { op, actor: platform, params: { id }, next: () => doAll(id, rest) }
  const twice = ['publish_public_image', 'revoke_public_image', 'reinstate_public_image'] as const
  const made: Plan = { op: 'create_ready_image', actor: platform, body }
  return then(made, ({ id }) =>
    doAll(
      id,
      twice.flatMap((op) => [op, op]),
    ),
  )
}

function grantToNobody(_: Context, actor: Actor): Plan {
  const body = { principal_type: 'token', principal_id: absent('tokn'), role: 'role_viewer' }
  return { op: 'create_grant', actor, body }
}

/** A partition that a template names. */
function removeUsedPartition(context: Context, actor: Actor): Plan | undefined {
  const image = imageIn(context, actor.id)
  if (image === undefined) return undefined
  const body = { infiniband_fabric: 'fabric-1' }
  const made: Plan = { op: 'create_infiniband_partition', actor, body }
  return then(made, ({ id }) => {
    const template: Plan = {
      ...{ op: 'create_instance_template', actor, body: { image, _preview_infiniband_partition: id } },
    }
    return then(template, () => ({ op: 'delete_infiniband_partition', actor, params: { id } }))
  })
}

/** A role that somebody holds. */
function removeHeldRole(context: Context, actor: Actor): Plan | undefined {
  const token = some(context, owned(context, actor, 'token'))
  const body = { name: context.nextKey(), policy }
  const made: Plan = { op: 'create_role', actor, body }
  return (
    token &&
    then(made, ({ id }) => {
      const held = { principal_type: 'token', principal_id: token.id, role: id }
      const grant: Plan = { op: 'create_grant', actor, body: held }
      return then(grant, () => ({ op: 'delete_role', actor, params: { id } }))
    })
  )
}

/** A firewall that a template names. */
function removeUsedFirewall(context: Context, actor: Actor): Plan | undefined {
  const image = imageIn(context, actor.id)
  if (image === undefined) return undefined
  const made: Plan = { op: 'create_firewall', actor, body: {} }
  return then(made, ({ id }) => {
    const body = { image, _preview_enable_public_ipv4: true, _preview_firewall: id }
    const template: Plan = { op: 'create_instance_template', actor, body }
    return then(template, () => ({ op: 'delete_firewall', actor, params: { id } }))
  })
}

function announceNowhere({ platform, now }: Context): Plan {
  const start_at = now - (now % 60)
  const words = { maintenance_type: 'info', title: 'Work', description: 'Nowhere.' }
  const body = { start_at, end_at: start_at + 600, ...words, sku: [absent('sku')] }
  return { op: 'create_maintenance_window', actor: platform, body }
}

function twoTargets({ world, platform }: Context): Plan {
  const body = { kind: 'start_failure', host: world.hosts[0], instance: absent('inst') }
  return { op: 'create_fault', actor: platform, body }
}

function otherEntity({ platform }: Context, { id }: Actor): Plan {
  const be = (entity_type: string): Plan => {
    return { op: 'update_account', actor: platform, params: { account: id }, body: { entity_type } }
  }
  return { ...be('personal'), next: () => be('business') }
}

export const invalidReferenceOperations: readonly InvalidOperation[] = [
  inNoPlace('create_firewall'),
  inNoPlace('create_subnet', { region: 'north' }),
  inNoPlace('create_infiniband_partition', { infiniband_fabric: 'fabric-1' }),
  inNoPlace('create_image'),
  inNoPlace('create_ready_image', { name: 'nowhere' }),
  inNoPlace('create_pool'),
  inNoPlace('create_token'),
  inNoPlace('check_permissions', { actions: ['instance:create'] }),
  ({ platform, world }) => {
    return { op: 'create_host_enrolment', actor: platform, body: { sku: world.skus.plain, ...nowhere } }
  },
  byPlatform('create_host_enrolment', { sku: absent('sku') }),
  byPlatform('create_simulated_hosts', { sku: absent('sku'), count: 1, slots: 1 }),
  ({ platform, world }) => {
    const body = { account: 'nobody', sku: world.skus.plain, count: 1, slots: 1 }
    return { op: 'create_simulated_hosts', actor: platform, body }
  },
  byPlatform('create_fault', { kind: 'start_failure', instance: absent('inst') }),
  byPlatform('halt_market', { sku: absent('sku') }),
  byPlatform('resume_market', { sku: absent('sku') }),
  byPlatform('create_ready_image', { name: 'public', is_public: true, workspace: 'svc:workspace:bourse:default' }),
  grantToNobody,
  toNothing(
    'instance',
    { _preview_firewall: absent('frwl') },
    ({ facts }) => facts.state !== 'terminated' && facts._preview_enable_public_ipv4 === true,
  ),
  toNothing('deployment', { instance_template: absent('itmpl') }),
  toNothing('procurement', { sku: absent('sku') }),
  toNothing('pool', { name: 'taken' }, ({ facts }) => facts.kind === 'originating'),
  unfinished([]),
  unfinished([2]),
  unfinished([1, 2]),
  toImage('create_image_part', (state) => !isUnfinished(state), { part_id: 1 }),
  toImage('complete_image', (state) => !isUnfinished(state), { sha256 }),
  toImage('deprecate_image', isUnfinished, {}),
  toImage('revoke_image', isUnfinished),
  toImage('get_image_download', isUnfinished),
  ofUnfinished('deprecate_public_image', {}),
  ofUnfinished('publish_public_image'),
  publishTwice,
  removeUsedPartition,
  removeUsedFirewall,
  removeHeldRole,
  announceNowhere,
  twoTargets,
  otherEntity,
]
