/** Images: added in the sandbox, revoked and reinstated by their owners, published by the platform. */

import {
  anyActor,
  anyName,
  type CallPlan,
  defined,
  maybe,
  pickResource,
  recording,
  refTo,
  removal,
  type SimContext,
  type SimOperation,
} from '../context.ts'
import type { Resource } from '../inventory.ts'

function add(context: SimContext): CallPlan {
  const { choices, platform } = context
  const isPublic = choices.chance(15)
  const actor = isPublic || choices.chance(15) ? platform : anyActor(context)
  const workspace = maybe(context, 25, () => refTo(context, actor, 'workspace'))
  const body = defined({ name: anyName(context, 'image', 9), workspace, is_public: isPublic ? true : undefined })
  return { op: 'create_ready_image', actor, body, record: recording(context, actor, 'image') }
}

const changes = ['revoke_image', 'reinstate_image', 'deprecate_image'] as const

function change(context: SimContext): CallPlan | undefined {
  const { choices } = context
  const actor = anyActor(context)
  const op = choices.pick(changes)
  const wanted = op === 'reinstate_image' ? 'revoked' : 'completed'
  const image = pickResource(context, actor, 'image', ({ facts }) => facts.state === wanted || choices.chance(20))
  if (!image) return undefined
  return {
    op,
    actor,
    params: { id: context.inventory.ref(image, choices) },
    touches: [image],
    ...(op === 'deprecate_image' ? { body: { message: 'Old.' } } : {}),
    record: recording(context, { id: image.account }, 'image'),
  }
}

const publicChanges = [
  'publish_public_image',
  'publish_public_image',
  'revoke_public_image',
  'reinstate_public_image',
  'deprecate_public_image',
] as const

function changePublic(context: SimContext): CallPlan | undefined {
  const { choices, platform, world } = context
  const op = choices.pick(publicChanges)
  const isPublic = (resource: Resource) =>
    resource.facts.is_public === true && resource.workspace === world.platform.workspace_id
  const image = pickResource(context, platform, 'image', op === 'publish_public_image' ? undefined : isPublic)
  if (!image) return undefined
  return {
    op,
    actor: platform,
    params: { id: context.inventory.ref(image, choices) },
    touches: [image],
    ...(op === 'deprecate_public_image' ? { body: {} } : {}),
    record: recording(context, { id: image.account }, 'image'),
  }
}

/** Whether instances can start from the image, by its last recorded state. */
export function isUsable({ isAlive, facts }: Resource): boolean {
  return isAlive && facts.state === 'completed'
}

export const imageOperations: readonly SimOperation[] = [
  { name: 'add image', weight: 11, plan: add },
  { name: 'change image', weight: 7, plan: change },
  { name: 'change public image', weight: 8, plan: changePublic },
  { name: 'delete image', weight: 3, plan: (context) => removal(context, 'delete_image', 'image') },
]
