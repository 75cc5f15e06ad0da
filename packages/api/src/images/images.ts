import { endpoint } from '../kit/endpoint.ts'
import {
  boolean,
  constant,
  createdAt,
  id,
  idOrPath,
  integer,
  name,
  nullable,
  object,
  ofThis,
  oneOf,
  onlyThis,
  openOneOf,
  optional,
  pageOf,
  pageParameters,
  path,
  repeated,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'
import { workspaceSummary } from '../kit/summaries.ts'
import { imageFormats } from './image-format.rules.ts'
import { type ImageState, imageFailures, imageStates } from './image-states.ts'

const area = 'images'

const states = Object.keys(imageStates) as ImageState[]

export const image = resource('Image', 'A disk image that instances start from.', {
  object: constant('image'),
  id: id('image'),
  resource_path: path('image'),
  workspace: workspaceSummary,
  name: name(),
  is_public: boolean({ description: 'Whether every account can use it.' }),
  state: openOneOf(states, { description: 'Whether instances can start from it.' }),
  failure_reason: nullable(
    openOneOf(imageFailures, { description: 'Why the image has failed. `null` in other states.' }),
  ),
  sha256: nullable(
    text({
      max: 64,
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the whole image, in hexadecimal digits. `null`: the upload is not complete.',
    }),
  ),
  size_bytes: nullable(
    integer({ unit: 'bytes', min: 0, description: 'Size of the file in bytes. `null`: the upload is not complete.' }),
  ),
  format: nullable(
    openOneOf(imageFormats, { description: 'How hosts read it. `null` until the image is complete, or if not known.' }),
  ),
  virtual_size_bytes: nullable(
    integer({ unit: 'bytes', min: 0, description: 'Size of the disk that an instance sees, if it is known.' }),
  ),
  deprecated_at: nullable(
    timestamp({ description: 'When it was marked as outdated, in Unix seconds. `null`: it is not.' }),
  ),
  deprecation_message: nullable(text({ max: 1024, description: 'Message for people, such as what to use instead.' })),
  revoked_at: nullable(timestamp({ description: 'When it was revoked, in Unix seconds. `null`: it is not.' })),
  created_at: createdAt,
})
export type Image = Static<typeof image>

/** Body of a deprecation, by the owner or by the platform operator. */
export const deprecation = object({
  message: optional(text({ max: 1024, description: 'Message for people, such as what to use instead.' })),
})

const params = { id: idOrPath('image') }

export const listImages = endpoint({
  name: 'list_images',
  method: 'GET',
  path: '/v2/images',
  area,
  summary: 'List images',
  description:
    'Newest first. Without `workspace` this lists your own images, and with `public` the images that every account ' +
    'can use. Deleted images are left out.',
  query: {
    ...pageParameters('imagec'),
    workspace: optional(idOrPath('workspace', ofThis('workspace'))),
    id: repeated(idOrPath('image', onlyThis)),
    state: repeated(oneOf(states, { description: 'Only images in this state.' })),
    public: optional(
      boolean({
        default: false,
        description:
          'List the public images instead, which the platform operator offers to every account. Without `workspace`.',
      }),
    ),
  },
  response: pageOf(image, 'imagec'),
  access: 'image:list',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getImage = endpoint({
  name: 'get_image',
  method: 'GET',
  path: '/v2/images/:id',
  area,
  summary: 'Get an image',
  description: 'Shows state, format, size and digest of an image. Every account can read public images.',
  params,
  response: image,
  access: 'image:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const revokeImage = endpoint({
  name: 'revoke_image',
  method: 'POST',
  path: '/v2/images/:id/revoke',
  area,
  summary: 'Revoke an image',
  description:
    'No new instance starts from the image; running instances are not affected. `reinstate_image` ends it. Emits ' +
    '`image.revoked`.',
  params,
  success: 200,
  response: image,
  access: 'image:write',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
  errors: ['forbidden', 'not_found', 'invalid_state'],
})

export const reinstateImage = endpoint({
  name: 'reinstate_image',
  method: 'POST',
  path: '/v2/images/:id/reinstate',
  area,
  summary: 'Reinstate an image',
  description: 'New instances can start from the revoked image again. Emits `image.reinstated`.',
  params,
  success: 200,
  response: image,
  access: 'image:write',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  errors: ['forbidden', 'not_found', 'invalid_state'],
})

export const deprecateImage = endpoint({
  name: 'deprecate_image',
  method: 'POST',
  path: '/v2/images/:id/deprecate',
  area,
  summary: 'Deprecate an image',
  description:
    'Marks the image as outdated, with a message for people. Instances can still start from it, and the mark ' +
    'cannot be removed. A repeated call only changes the message. Emits `image.deprecated`.',
  params,
  body: deprecation,
  success: 200,
  response: image,
  access: 'image:write',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  errors: ['forbidden', 'not_found', 'invalid_state'],
})

export const deleteImage = endpoint({
  name: 'delete_image',
  method: 'DELETE',
  path: '/v2/images/:id',
  area,
  summary: 'Delete an image',
  description:
    'Deletes the image with its uploaded parts. Refused with `in_use` while a template or a living instance uses it. ' +
    'To stop new instances only, use `revoke_image`.',
  params,
  access: 'image:delete',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
  errors: ['forbidden', 'not_found', 'in_use'],
})

export const operations = [listImages, getImage, revokeImage, reinstateImage, deprecateImage, deleteImage] as const
