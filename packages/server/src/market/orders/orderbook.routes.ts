import { explainOrder } from '@bourse/api/market/explanations.ts'
import {
  createMaintenanceWindow,
  deleteMaintenanceWindow,
  listMaintenanceWindows,
} from '@bourse/api/market/market-administration.ts'
import { getBookCurve, getBookHeatmap } from '@bourse/api/market/market-charts.ts'
import { createOrderEstimate } from '@bourse/api/market/order-estimates.ts'
import {
  getBookDepth,
  getBookQuote,
  getBookStatus,
  listBookFills,
  listBookWindows,
  listPriceHistory,
} from '@bourse/api/market/orderbook.ts'
import { getBookBoard } from '@bourse/api/market/orderbook-board.ts'
import { getSkuAvailability, listSkuAvailability } from '@bourse/api/market/sku-availability.ts'
import { handle } from '../../core/http/routes.ts'
import { getStatus } from './book-status.service.ts'
import * as windows from './maintenance-windows.service.ts'
import * as charts from './market-charts.service.ts'
import { estimateOrder } from './order-estimates.service.ts'
import * as explanations from './order-explanations.service.ts'
import * as orderbook from './orderbook.service.ts'
import { getBoard } from './orderbook-board.service.ts'
import * as availability from './sku-availability.service.ts'

export const orderbookRoutes = [
  handle(listSkuAvailability, (ctx, { query }) => availability.listSkuAvailability(ctx, query)),
  handle(getSkuAvailability, (ctx, { params, query }) => availability.getSkuAvailability(ctx, params.id, query)),
  handle(createOrderEstimate, (ctx, { body }) => estimateOrder(ctx, body)),
  handle(listBookWindows, (ctx, { query }) => orderbook.listWindows(ctx, query)),
  handle(getBookStatus, (ctx, { query }) => getStatus(ctx, query)),
  handle(getBookQuote, (ctx, { query }) => orderbook.getQuote(ctx, query)),
  handle(getBookDepth, (ctx, { query }) => orderbook.getDepth(ctx, query)),
  handle(getBookCurve, (ctx, { query }) => charts.getCurve(ctx, query)),
  handle(getBookHeatmap, (ctx, { query }) => charts.getHeatmap(ctx, query)),
  handle(getBookBoard, (ctx, { query }) => getBoard(ctx, query)),
  handle(listBookFills, (ctx, { query }) => orderbook.listFills(ctx, query)),
  handle(listPriceHistory, (ctx, { query }) => orderbook.listPriceHistory(ctx, query)),
  handle(explainOrder, (ctx, { params }) => explanations.explainOrder(ctx, params.id)),
]

export const marketNoticeRoutes = [
  handle(createMaintenanceWindow, (ctx, { body }) => windows.createMaintenanceWindow(ctx, body)),
  handle(listMaintenanceWindows, (ctx, { query }) => windows.listMaintenanceWindows(ctx, query)),
  handle(deleteMaintenanceWindow, (ctx, { params }) => windows.deleteMaintenanceWindow(ctx, params.id)),
]
