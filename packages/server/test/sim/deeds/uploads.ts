/** Images that are uploaded: begun, sent part by part to signed URLs, completed; some never come to their end. */
import { createHash } from 'node:crypto'
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
  type Scene,
  then,
} from '../scene.ts'

/** Bytes of a part; only the last one may be so small. */
const partBytes = [1, 100, 4096]

function begin(scene: Scene): Plan {
  const actor = anyActor(scene)
  const workspace = maybe(scene, 25, () => refTo(scene, actor, 'workspace'))
  const body = given({ name: maybe(scene, 60, () => anyName(scene, 'image', 9)), workspace })
  const made: Plan = { op: 'create_image', actor, body, key: maybeKey(scene), learn: learning(scene, actor, 'image') }
  return then(made, ({ id }) => (scene.choices.chance(70) ? sendPart(scene, actor, id) : undefined))
}

/** Asks where a part goes, sends it there, and mostly says that this was all. */
function sendPart(scene: Scene, actor: Actor, image: string): Plan {
  const { choices } = scene
  const part_id = choices.chance(85) ? 1 : 2
  const bytes = Buffer.alloc(choices.pick(partBytes), part_id)
  const ask: Plan = { op: 'create_image_part', actor, params: { id: image }, body: { part_id } }
  return then(ask, ({ url }) => {
    const { pathname, search } = new URL(url)
    const send: Plan = { op: 'create_image_part', actor, transfer: { path: `${pathname}${search}`, bytes } }
    return then(send, () => (choices.chance(80) ? complete(scene, { actor, image, bytes }) : undefined))
  })
}

type Whole = { readonly actor: Actor; readonly image: string; readonly bytes: Buffer }

function complete(scene: Scene, { actor, image, bytes }: Whole): Plan {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const touched = scene.book.things.get(image)
  return {
    ...{ op: 'complete_image', actor, params: { id: image }, body: { sha256 } },
    touches: touched ? [touched] : [],
    learn: learning(scene, actor, 'image'),
    next: ({ status }) => (status === 200 ? { op: 'get_image_download', actor, params: { id: image } } : undefined),
  }
}

/** Whatever is left of an upload: another part, or its end. */
function goOn(scene: Scene): Plan | undefined {
  const { choices } = scene
  const actor = anyActor(scene)
  const image = meant(scene, actor, 'image', ({ facts }) => facts.sha256 === null || choices.chance(20))
  if (!image) return undefined
  if (choices.chance(50)) return sendPart(scene, actor, image.id)
  return complete(scene, { actor, image: image.id, bytes: Buffer.of(1) })
}

function listParts(scene: Scene): Plan | undefined {
  const actor = anyActor(scene)
  const image = meant(scene, actor, 'image')
  return image && { op: 'list_image_parts', actor, params: { id: scene.book.ref(image, scene.choices) } }
}

export const uploadDeeds: readonly Deed[] = [
  { name: 'begin upload', weight: 6, plan: begin },
  { name: 'go on with upload', weight: 4, plan: goOn },
  { name: 'list parts', weight: 2, plan: listParts },
]
