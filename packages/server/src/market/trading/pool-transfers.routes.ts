import { createPoolTransfer, getPoolTransfer, listPoolTransfers } from '@bourse/api/market/pool-transfers.ts'
import { handle } from '../../core/http/routes.ts'
import * as transfers from './pool-transfers.service.ts'

export const poolTransferRoutes = [
  handle(createPoolTransfer, (ctx, input) => transfers.createPoolTransfer(ctx, input)),
  handle(listPoolTransfers, (ctx, { query }) => transfers.listPoolTransfers(ctx, query)),
  handle(getPoolTransfer, (ctx, { params }) => transfers.getPoolTransfer(ctx, params.id)),
]
