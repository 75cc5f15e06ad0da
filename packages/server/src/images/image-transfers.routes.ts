import type { TransferRoute } from '../core/http/transfer.ts'
import * as transfers from './image-transfers.service.ts'
import { contentPath, partPath } from './image-urls.service.ts'

/** Where the bytes of images lie in files, this server takes and gives them itself. */
export const imageTransferRoutes: readonly TransferRoute[] = [
  { name: 'put_image_part', method: 'PUT', path: partPath, run: transfers.takePart },
  { name: 'get_image_content', method: 'GET', path: contentPath, run: transfers.giveImage },
]
