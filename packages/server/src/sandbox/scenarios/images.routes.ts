import { createReadyImage } from '@bourse/api/sandbox/additions.ts'
import { handle } from '../../core/http/routes.ts'
import * as images from './images.service.ts'

export const readyImageRoutes = [handle(createReadyImage, (ctx, { body }) => images.createReadyImage(ctx, body))]
