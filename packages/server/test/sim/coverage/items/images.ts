/** Images: complete and invalid uploads, and the actions of the owner and the operator. */
import { createHash } from 'node:crypto'
import type { OperationName } from '@bourse/api/contract.ts'
import { bytesOf } from '../../../support/fixtures/images.ts'
import { absent } from '../../context.ts'
import { done, type Item, type Pass, refusal } from '../item.ts'
import { newImage, newTemplate } from '../parts.ts'

const bytes = bytesOf(1000)
/** The beginning of a qcow2 file that was cut off. */
const damaged = Buffer.from('514649fb00000003', 'hex')
const sha256 = createHash('sha256').update(bytes).digest('hex')

async function begin(pass: Pass): Promise<string> {
  return (await pass.ok('create_image', { body: {} })).id
}

async function sendPart(pass: Pass, id: string, part_id: number, content = bytes): Promise<void> {
  const { url } = await pass.ok('create_image_part', { id, body: { part_id } })
  const { pathname, search } = new URL(url)
  await pass.ok('create_image_part', { transfer: { path: `${pathname}${search}`, bytes: content } })
}

/** Actions on an image of the account, then those on a public one. */
const ownActions = ['revoke_image', 'reinstate_image', 'deprecate_image'] as const
const publicActions = ['publish_public_image', 'revoke_public_image', 'reinstate_public_image'] as const

async function newPublicImage(pass: Pass): Promise<string> {
  const { platform, context } = pass
  const body = { name: pass.unique(), workspace: context.world.platform.workspace_id }
  return (await pass.ok('create_ready_image', { by: platform, body })).id
}

async function beginPublic({ ok, platform, context }: Pass): Promise<string> {
  const body = { workspace: context.world.platform.workspace_id }
  return (await ok('create_image', { by: platform, body })).id
}

export const imageItems: readonly Item[] = [
  {
    name: 'image-upload',
    covers: [
      done('create_image_part'),
      done('list_image_parts'),
      done('complete_image'),
      done('get_image_download'),
      refusal('create_image_part', 'invalid_state'),
      refusal('complete_image', 'invalid_state'),
    ],
    work: async (pass) => {
      const id = await begin(pass)
      await sendPart(pass, id, 1)
      await pass.ok('list_image_parts', { id })
      await pass.ok('complete_image', { id, body: { sha256 } })
      await pass.ok('get_image_download', { id })
      const ready = await newImage(pass)
      await pass.refuse('create_image_part', 'invalid_state', { id: ready, body: { part_id: 1 } })
      await pass.refuse('complete_image', 'invalid_state', { id: ready, body: { sha256 } })
    },
  },
  {
    name: 'unfinished-uploads',
    covers: [refusal('complete_image', 'parts_missing'), refusal('complete_image', 'part_too_small')],
    work: async (pass) => {
      const id = await begin(pass)
      await pass.refuse('complete_image', 'parts_missing', { id, body: { sha256 } })
      await sendPart(pass, id, 1)
      await sendPart(pass, id, 2)
      await pass.refuse('complete_image', 'part_too_small', { id, body: { sha256 } })
    },
  },
  {
    name: 'image-formats',
    covers: [refusal('complete_image', 'image_format_unknown'), refusal('complete_image', 'image_refused')],
    work: async (pass) => {
      const [unknown, refused] = [await begin(pass), await begin(pass)]
      await sendPart(pass, unknown, 1, Buffer.from('abc'))
      await pass.refuse('complete_image', 'image_format_unknown', { id: unknown, body: { sha256 } })
      await sendPart(pass, refused, 1, damaged)
      const body = { sha256, accept_unknown_format: true }
      await pass.refuse('complete_image', 'image_refused', { id: refused, body })
    },
  },
  {
    name: 'image-actions',
    covers: [
      ...ownActions.flatMap((op) => [done(op), refusal(op, 'invalid_state')]),
      'action image.revoked',
      'action image.reinstated',
      'action image.deprecated',
      refusal('get_image_download', 'invalid_state'),
    ],
    work: async (pass) => {
      const [id, unfinished] = [await newImage(pass), await begin(pass)]
      for (const op of ownActions) {
        const own = op === 'deprecate_image' ? { body: { message: 'Old.' } } : {}
        await pass.ok(op, { id, ...own })
        await pass.refuse(op, 'invalid_state', { id: unfinished, ...own })
      }
      await pass.refuse('get_image_download', 'invalid_state', { id: unfinished })
    },
  },
  {
    name: 'image-in-use',
    covers: [refusal('delete_image', 'in_use')],
    work: async (pass) => {
      const id = await newImage(pass)
      await newTemplate(pass, { image: id })
      await pass.refuse('delete_image', 'in_use', { id })
    },
  },
  {
    name: 'public-image-actions',
    covers: [
      ...publicActions.map(done),
      done('deprecate_public_image'),
      refusal('deprecate_public_image', 'invalid_state'),
      ...(publicActions as readonly OperationName[]).map((op) => refusal(op, 'invalid_state')),
      refusal('publish_public_image', 'already_public'),
      'action image.published',
    ],
    work: async (pass) => {
      const { platform: by } = pass
      const [id, unfinished] = [await newPublicImage(pass), await beginPublic(pass)]
      await pass.refuse('publish_public_image', 'invalid_state', { by, id: unfinished })
      await pass.refuse('deprecate_public_image', 'invalid_state', { by, id: unfinished, body: {} })
      await pass.ok('publish_public_image', { by, id })
      await pass.refuse('publish_public_image', 'already_public', { by, id })
      for (const op of ['revoke_public_image', 'reinstate_public_image'] as const) {
        await pass.ok(op, { by, id })
        await pass.refuse(op, 'invalid_state', { by, id })
      }
      await pass.ok('deprecate_public_image', { by, id, body: {} })
    },
  },
  {
    name: 'ready-images',
    covers: [
      done('create_ready_image'),
      refusal('create_ready_image', 'name_taken'),
      refusal('create_ready_image', 'not_applicable'),
    ],
    work: async (pass) => {
      const body = { name: pass.unique() }
      await pass.ok('create_ready_image', { body })
      await pass.refuse('create_ready_image', 'name_taken', { body })
      const placed = { name: pass.unique(), is_public: true, workspace: absent('wksp') }
      await pass.refuse('create_ready_image', 'not_applicable', { by: pass.platform, body: placed })
    },
  },
]
