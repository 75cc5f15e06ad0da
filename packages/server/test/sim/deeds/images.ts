/** Images: added ready in the sandbox, withdrawn and given back by their owners, published by the platform. */
import type { Thing } from '../book.ts'
import {
  anyActor,
  anyName,
  type Deed,
  given,
  learning,
  maybe,
  meant,
  type Plan,
  refTo,
  removal,
  type Scene,
} from '../scene.ts'

function add(scene: Scene): Plan {
  const { choices, platform } = scene
  const isPublic = choices.chance(15)
  const actor = isPublic || choices.chance(15) ? platform : anyActor(scene)
  const workspace = maybe(scene, 25, () => refTo(scene, actor, 'workspace'))
  const body = given({ name: anyName(scene, 'image', 9), workspace, is_public: isPublic ? true : undefined })
  return { op: 'create_ready_image', actor, body, learn: learning(scene, actor, 'image') }
}

const changes = ['revoke_image', 'reinstate_image', 'deprecate_image'] as const

function change(scene: Scene): Plan | undefined {
  const { choices } = scene
  const actor = anyActor(scene)
  const op = choices.pick(changes)
  const wanted = op === 'reinstate_image' ? 'revoked' : 'completed'
  const image = meant(scene, actor, 'image', ({ facts }) => facts.state === wanted || choices.chance(20))
  if (!image) return undefined
  return {
    ...{ op, actor, params: { id: scene.book.ref(image, choices) }, touches: [image] },
    ...(op === 'deprecate_image' ? { body: { message: 'Old.' } } : {}),
    learn: learning(scene, { id: image.account }, 'image'),
  }
}

const publicChanges = [
  'publish_public_image',
  'publish_public_image',
  'revoke_public_image',
  'reinstate_public_image',
  'deprecate_public_image',
] as const

function changePublic(scene: Scene): Plan | undefined {
  const { choices, platform, world } = scene
  const op = choices.pick(publicChanges)
  const isPublic = (thing: Thing) => thing.facts.is_public === true && thing.workspace === world.platform.workspace_id
  const image = meant(scene, platform, 'image', op === 'publish_public_image' ? undefined : isPublic)
  if (!image) return undefined
  return {
    ...{ op, actor: platform, params: { id: scene.book.ref(image, choices) }, touches: [image] },
    ...(op === 'deprecate_public_image' ? { body: {} } : {}),
    learn: learning(scene, { id: image.account }, 'image'),
  }
}

/** Whether somebody may start machines from it, as far as is known. */
export function isUsable({ isAlive, facts }: Thing): boolean {
  return isAlive && facts.state === 'completed'
}

export const imageDeeds: readonly Deed[] = [
  { name: 'add image', weight: 11, plan: add },
  { name: 'change image', weight: 7, plan: change },
  { name: 'change public image', weight: 8, plan: changePublic },
  { name: 'delete image', weight: 3, plan: (scene) => removal(scene, 'delete_image', 'image') },
]
