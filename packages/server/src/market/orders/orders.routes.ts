import {
  amendOrder,
  cancelOrder,
  createOrder,
  getOrder,
  listOrderFills,
  listOrders,
} from '@bourse/api/market/orders.ts'
import { listPlatformOrders } from '@bourse/api/market/platform-lists.ts'
import { handle, handleBatched } from '../../core/http/routes.ts'
import { orderQueueOf, prepareAmendment, prepareOrder, readOrderRequest } from './order-batches.service.ts'
import * as orders from './orders.service.ts'

export const orderRoutes = [
  handleBatched(createOrder, { read: readOrderRequest, prepare: prepareOrder, queueOf: orderQueueOf }),
  handle(listOrders, (ctx, { query }) => orders.listOrders(ctx, query)),
  handle(listPlatformOrders, (ctx, { query }) => orders.listPlatformOrders(ctx, query)),
  handle(getOrder, (ctx, { params }) => orders.getOrder(ctx, params.id)),
  handle(listOrderFills, (ctx, { params, query }) => orders.listOrderFills(ctx, params.id, query)),
  handleBatched(amendOrder, { prepare: prepareAmendment, queueOf: orderQueueOf }),
  handle(cancelOrder, (ctx, { params }) => orders.cancelOrder(ctx, params.id)),
]
