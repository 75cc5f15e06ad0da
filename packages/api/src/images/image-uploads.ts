import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import { endpoint } from '../kit/endpoint.ts'
import {
  boolean,
  constant,
  givenName,
  idOrPath,
  integer,
  object,
  optional,
  ownWorkspace,
  resource,
  type Static,
  shortListOf,
  text,
  timestamp,
} from '../kit/schema.ts'
import { imagePartsMax } from './image-parts.rules.ts'
import { image } from './images.ts'

const area = 'images'

/** How long a signed URL is valid. */
export const urlLifeSeconds = hourSeconds
/** An upload fails when no part URL is requested for this long. */
export const uploadLifeSeconds = daySeconds

const part_id = integer({
  min: 1,
  max: imagePartsMax,
  description: 'Number of the part: 1, 2, 3 and so on, without gaps.',
})
const sha256 = text({
  min: 64,
  max: 64,
  pattern: '^[0-9a-f]{64}$',
  form: '64 lower-case hexadecimal digits',
  description: 'SHA-256 of the whole image, in lower-case hexadecimal digits.',
})
const signedUrl = text({ max: 8192, description: 'Signed URL. It needs no token: anyone who has it can use it.' })

export const imagePartUrl = resource('ImagePartUrl', 'The upload URL of a part.', {
  object: constant('image_part_url'),
  part_id,
  url: signedUrl,
  expires_at: timestamp({ description: 'When the URL expires, in Unix seconds.' }),
})
export type ImagePartUrl = Static<typeof imagePartUrl>

export const imagePart = resource('ImagePart', 'An uploaded part.', {
  object: constant('image_part'),
  part_id,
  size_bytes: integer({ unit: 'bytes', min: 0, description: 'Size of the part in bytes.' }),
  etag: text({ max: 255, description: 'MD5 of the part in hexadecimal digits, between double quotes.' }),
  uploaded_at: timestamp({ description: 'When it was uploaded, in Unix seconds.' }),
})
export type ImagePart = Static<typeof imagePart>

export const imageDownload = resource('ImageDownload', 'The download URL of an image.', {
  object: constant('image_download'),
  url: signedUrl,
  expires_at: timestamp({ description: 'When the URL expires, in Unix seconds.' }),
  sha256,
  size_bytes: integer({ unit: 'bytes', min: 0, description: 'Size of the file in bytes.' }),
})
export type ImageDownload = Static<typeof imageDownload>

const params = { id: idOrPath('image') }

export const createImage = endpoint({
  name: 'create_image',
  method: 'POST',
  path: '/v2/images',
  area,
  summary: 'Create an image',
  description:
    'Creates an image without content. Next: request a URL for each part with `create_image_part`, PUT its bytes ' +
    'there, and end the upload with `complete_image`. The image fails when no URL is requested for 24 hours.',
  body: object({ name: optional(givenName()), workspace: optional(ownWorkspace()) }),
  response: image,
  access: 'image:create',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  idempotent: true,
  errors: ['forbidden', 'name_taken', 'limit_exceeded', 'reference_not_found'],
})

export const createImagePart = endpoint({
  name: 'create_image_part',
  method: 'POST',
  path: '/v2/images/:id/parts',
  area,
  summary: 'Create a part URL',
  description:
    'Returns a signed URL for one part. PUT the raw bytes of the part there within one hour, with `Content-Length` ' +
    'and without a token. The response is 200 with the `ETag` of the part. A `Content-MD5` header is checked. ' +
    'Uploading a part again replaces it. Every part except the last has at least 5 MiB; no part has more than 5 GiB.',
  params,
  body: object({ part_id }),
  success: 200,
  response: imagePartUrl,
  access: 'image:write',
  trust: {
    limited: 'any',
    recent_sign_in: 'never',
    trail: 'entry',
    unasked: 'The URL is for a part of an image that the caller uploads, and ends within the hour.',
  },
  no_store: true,
  errors: ['forbidden', 'not_found', 'invalid_state', 'limit_exceeded'],
})

export const listImageParts = endpoint({
  name: 'list_image_parts',
  method: 'GET',
  path: '/v2/images/:id/parts',
  area,
  summary: 'List uploaded parts',
  description: 'Shows the parts of an image that have arrived, by number, so that an upload can be resumed.',
  params,
  response: shortListOf(imagePart, imagePartsMax),
  access: 'image:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const completeImage = endpoint({
  name: 'complete_image',
  method: 'POST',
  path: '/v2/images/:id/complete',
  area,
  summary: 'Complete an image',
  description:
    'Ends the upload and makes an image of the parts. Part numbers must run from 1 without gaps, and the parts have ' +
    'at most 128 GiB. They must be qcow2 without a backing or data file, or a raw disk with a partition table or a ' +
    'known file system; otherwise the call is refused, and the image stays as it is. The server then computes the ' +
    'digest of the received bytes. A small image is `completed` or `failed` in the response; a larger image is ' +
    '`verifying` first. Repeating the call with the same digest is no error.',
  params,
  body: object({
    sha256,
    accept_unknown_format: optional(
      boolean({
        default: false,
        description: 'Use bytes of an unknown format as a raw disk. It never accepts a qcow2 file that is refused.',
      }),
    ),
  }),
  success: 200,
  response: image,
  access: 'image:write',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  errors: [
    'forbidden',
    'not_found',
    'invalid_state',
    'parts_missing',
    'part_too_small',
    'image_too_large',
    'image_format_unknown',
    'image_refused',
    'limit_exceeded',
  ],
})

export const getImageDownload = endpoint({
  name: 'get_image_download',
  method: 'GET',
  is_reading: false,
  path: '/v2/images/:id/download',
  area,
  summary: 'Get a download URL',
  description:
    'Returns a signed URL of the bytes of a completed image. GET it without a token; range requests are supported. ' +
    'Every account can download public images.',
  params,
  response: imageDownload,
  access: 'image:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry', unasked: 'The URL ends within the hour.' },
  no_store: true,
  errors: ['forbidden', 'not_found', 'invalid_state'],
})

export const operations = [createImage, createImagePart, listImageParts, completeImage, getImageDownload] as const
