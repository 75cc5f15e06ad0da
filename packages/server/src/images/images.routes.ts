import {
  deprecatePublicImage,
  publishPublicImage,
  reinstatePublicImage,
  revokePublicImage,
} from '@bourse/api/images/image-administration.ts'
import {
  deleteImage,
  deprecateImage,
  getImage,
  listImages,
  reinstateImage,
  revokeImage,
} from '@bourse/api/images/images.ts'
import { handle } from '../core/routes.ts'
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
