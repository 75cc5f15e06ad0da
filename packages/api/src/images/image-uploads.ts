import { endpoint } from '../kit/endpoint.ts'
import {
  constant,
  idOrPath,
  integer,
  name,
  object,
  optional,
  resource,
  type Static,
  shortListOf,
  text,
  timestamp,
} from '../kit/schema.ts'
import { image } from './images.ts'

const area = 'images'

/** Bytes of a whole image at most: 128 GiB. */
export const IMAGE_BYTES_MAX = 128 * 2 ** 30
/** Parts are numbered from 1 to this. */
export const IMAGE_PARTS_MAX = 10_000
/** Bytes of every part but the last at least, and of any part at most: what S3 allows. */
export const PART_BYTES_MIN = 5 * 2 ** 20
export const PART_BYTES_MAX = 5 * 2 ** 30
/** How long a signed URL holds. */
export const URL_LIFE_SECONDS = 3600
/** An upload fails when no part URL was asked for during this. */
export const UPLOAD_LIFE_SECONDS = 86_400

const part_id = integer({
  min: 1,
  max: IMAGE_PARTS_MAX,
  description: 'Where the part stands in the image; from 1 on, without a hole in the end.',
})
const sha256 = text({
  min: 64,
  max: 64,
  pattern: '^[0-9a-f]{64}$',
  form: '64 lower-case hexadecimal digits',
  description: 'SHA-256 of the whole image, in lower-case hexadecimal digits.',
})
const signed_url = text({ max: 8192, description: 'Needs no token; whoever has it may use it.' })

/** Where a part of an upload is sent. */
export const imagePartUrl = resource('ImagePartUrl', {
  object: constant('image_part_url'),
  part_id,
  url: signed_url,
  expires_at: timestamp(),
})
export type ImagePartUrl = Static<typeof imagePartUrl>

/** A part that has arrived. */
export const imagePart = resource('ImagePart', {
  object: constant('image_part'),
  part_id,
  size_bytes: integer({ min: 0 }),
  etag: text({ max: 255, description: 'MD5 of the part in hexadecimal digits, between double quotes.' }),
  uploaded_at: timestamp(),
})
export type ImagePart = Static<typeof imagePart>

/** Where an image is fetched from. */
export const imageDownload = resource('ImageDownload', {
  object: constant('image_download'),
  url: signed_url,
  expires_at: timestamp(),
  sha256,
  size_bytes: integer({ min: 0 }),
})
export type ImageDownload = Static<typeof imageDownload>

const params = { id: idOrPath('image') }

export const createImage = endpoint({
  name: 'create_image',
  method: 'POST',
  path: '/v2/images',
  area,
  summary: 'Begin an image, to be uploaded in parts.',
  description:
    'Ask for a URL for each part (`POST /v2/images/{id}/parts`), PUT its bytes there, then complete the image. It ' +
    'fails when no part URL was asked for during 24 hours.',
  body: object({ name: optional(name()), workspace: optional(idOrPath('workspace')) }),
  response: image,
  access: 'image:create',
  idempotent: true,
  errors: ['forbidden', 'name_taken', 'limit_exceeded', 'reference_not_found'],
})

export const createImagePart = endpoint({
  name: 'create_image_part',
  method: 'POST',
  path: '/v2/images/:id/parts',
  area,
  summary: 'Get a signed URL to which one part of an image is sent.',
  description:
    'PUT the raw bytes of the part there within the hour, with `Content-Length` and without a token; the answer is ' +
    '200 with the `ETag` of what arrived. A header `Content-MD5` is checked. A part that is sent again replaces the ' +
    'former. Every part but the last has at least 5 MiB, none more than 5 GiB.',
  params,
  body: object({ part_id }),
  success: 200,
  response: imagePartUrl,
  access: 'image:write',
  no_store: true,
  errors: ['forbidden', 'not_found', 'invalid_state', 'limit_exceeded'],
})

export const listImageParts = endpoint({
  name: 'list_image_parts',
  method: 'GET',
  path: '/v2/images/:id/parts',
  area,
  summary: 'List the parts of an image that have arrived, by their numbers.',
  description: 'Shows what is still to be sent when an upload is resumed.',
  params,
  response: shortListOf(imagePart),
  access: 'image:read',
  errors: ['forbidden', 'not_found'],
})

export const completeImage = endpoint({
  name: 'complete_image',
  method: 'POST',
  path: '/v2/images/:id/complete',
  area,
  summary: 'Complete an image of the parts that have arrived.',
  description:
    'The parts go from 1 on without a hole and hold 128 GiB at most. The sum is believed here; every host checks it ' +
    'before it starts a machine from the image. Repeated with the same sum it answers 200 again.',
  params,
  body: object({ sha256 }),
  success: 200,
  response: image,
  access: 'image:write',
  errors: [
    'forbidden',
    'not_found',
    'invalid_state',
    'parts_missing',
    'part_too_small',
    'image_too_large',
    'limit_exceeded',
  ],
})

export const getImageDownload = endpoint({
  name: 'get_image_download',
  method: 'GET',
  path: '/v2/images/:id/download',
  area,
  summary: 'Get a signed URL from which a completed image is fetched; public ones are open to everybody.',
  description: 'GET it without a token; ranges are served.',
  params,
  response: imageDownload,
  access: 'image:read',
  no_store: true,
  errors: ['forbidden', 'not_found', 'invalid_state'],
})
