import {
  deprecatePublicImage,
  publishPublicImage,
  reinstatePublicImage,
  revokePublicImage,
} from '@bourse/api/images/image-administration.ts'
import {
  completeImage,
  createImage,
  createImagePart,
  getImageDownload,
  listImageParts,
} from '@bourse/api/images/image-uploads.ts'
import {
  deleteImage,
  deprecateImage,
  getImage,
  listImages,
  reinstateImage,
  revokeImage,
} from '@bourse/api/images/images.ts'
import { handle, handleRuntime } from '../core/http/routes.ts'
import * as uploads from './image-uploads.service.ts'
import * as images from './images.service.ts'

export const imageRoutes = [
  handle(listImages, (ctx, { query }) => images.listImages(ctx, query)),
  handle(getImage, (ctx, { params }) => images.getImage(ctx, params.id)),
  handle(revokeImage, (ctx, { params }) => images.changeOwnImage(ctx, params.id, 'revoke')),
  handle(reinstateImage, (ctx, { params }) => images.changeOwnImage(ctx, params.id, 'reinstate')),
  handle(deprecateImage, (ctx, { params, body }) => images.changeOwnImage(ctx, params.id, 'deprecate', body.message)),
  handle(deleteImage, (ctx, { params }) => images.deleteImage(ctx, params.id)),
]

export const imageAdministrationRoutes = [
  handle(publishPublicImage, (ctx, { params }) => images.administerImage(ctx, params.id, 'publish')),
  handle(revokePublicImage, (ctx, { params }) => images.administerImage(ctx, params.id, 'revoke')),
  handle(reinstatePublicImage, (ctx, { params }) => images.administerImage(ctx, params.id, 'reinstate')),
  handle(deprecatePublicImage, (ctx, { params, body }) =>
    images.administerImage(ctx, params.id, 'deprecate', body.message),
  ),
]

export const imageUploadRoutes = [
  handle(createImage, (ctx, { body }) => uploads.createImage(ctx, body)),
  handleRuntime(createImagePart, uploads.createImagePart),
  handleRuntime(listImageParts, (runtime, { params }, request) => uploads.listImageParts(runtime, params.id, request)),
  handleRuntime(completeImage, uploads.completeImage),
  handle(getImageDownload, (ctx, { params }) => uploads.getImageDownload(ctx, params.id)),
]
