/** Uploads of images: begun, sent in parts to signed URLs, completed; some stay unfinished. */
import { createHash } from 'node:crypto'
import { addPartition } from '../../support/fixtures/images.ts'
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
  type SimActor,
  type SimContext,
  type SimOperation,
  then,
} from '../context.ts'

/** Sizes of parts; only the last part may be so small. The largest is a disk with a partition table. */
const partBytes = [1, 100, 4096]
const diskBytes = 4096

function begin(context: SimContext): CallPlan {
  const actor = anyActor(context)
  const workspace = maybe(context, 25, () => refTo(context, actor, 'workspace'))
  const body = defined({ name: maybe(context, 60, () => anyName(context, 'image', 9)), workspace })
  const made: CallPlan = {
    op: 'create_image',
    actor,
    body,
    key: maybeKey(context),
    record: recording(context, actor, 'image'),
  }
  return then(made, ({ id }) => (context.choices.chance(70) ? sendPart(context, actor, id) : undefined))
}

/** Requests the URL of a part, sends the part, and mostly completes the image. */
function sendPart(context: SimContext, actor: SimActor, image: string): CallPlan {
  const { choices } = context
  const part_id = choices.chance(85) ? 1 : 2
  const bytes = Buffer.alloc(choices.pick(partBytes), part_id)
  if (bytes.length === diskBytes) addPartition(bytes)
  const ask: CallPlan = { op: 'create_image_part', actor, params: { id: image }, body: { part_id } }
  return then(ask, ({ url }) => {
    const { pathname, search } = new URL(url)
    const send: CallPlan = { op: 'create_image_part', actor, transfer: { path: `${pathname}${search}`, bytes } }
    return then(send, () =>
      choices.chance(80) ? complete(context, { actor, image, bytes, accepts: bytes.length > 1 }) : undefined,
    )
  })
}

type Whole = { readonly actor: SimActor; readonly image: string; readonly bytes: Buffer; readonly accepts: boolean }

function complete(context: SimContext, { actor, image, bytes, accepts }: Whole): CallPlan {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const touched = context.inventory.resources.get(image)
  return {
    op: 'complete_image',
    actor,
    params: { id: image },
    body: { sha256, accept_unknown_format: accepts },
    touches: touched ? [touched] : [],
    record: recording(context, actor, 'image'),
    next: ({ status }) => (status === 200 ? { op: 'get_image_download', actor, params: { id: image } } : undefined),
  }
}

/** Continues an upload: another part, or its completion. */
function resume(context: SimContext): CallPlan | undefined {
  const { choices } = context
  const actor = anyActor(context)
  const image = pickResource(context, actor, 'image', ({ facts }) => facts.sha256 === null || choices.chance(20))
  if (!image) return undefined
  if (choices.chance(50)) return sendPart(context, actor, image.id)
  return complete(context, { actor, image: image.id, bytes: Buffer.of(1), accepts: true })
}

function listParts(context: SimContext): CallPlan | undefined {
  const actor = anyActor(context)
  const image = pickResource(context, actor, 'image')
  return image && { op: 'list_image_parts', actor, params: { id: context.inventory.ref(image, context.choices) } }
}

export const uploadOperations: readonly SimOperation[] = [
  { name: 'begin upload', weight: 6, plan: begin },
  { name: 'go on with upload', weight: 4, plan: resume },
  { name: 'list parts', weight: 2, plan: listParts },
]
