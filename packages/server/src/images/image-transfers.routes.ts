import type { TransferRoute } from '../core/http/transfer.ts'
import * as transfers from './image-transfers.service.ts'
import { contentPath, partPath } from './image-urls.service.ts'

/** If images are stored in files, this server itself transfers their bytes. */
export const imageTransferRoutes: readonly TransferRoute[] = [
  { name: 'put_image_part', method: 'PUT', path: partPath, run: transfers.takePart },
  { name: 'get_image_content', method: 'GET', path: contentPath, run: transfers.giveImage },
]
