import { getMarketHalt, haltMarket, resumeMarket } from '@bourse/api/market/market-administration.ts'
import { handle } from '../../core/http/routes.ts'
import * as halts from './halts.service.ts'

export const haltRoutes = [
  handle(getMarketHalt, (ctx) => halts.getMarketHalt(ctx)),
  handle(haltMarket, (ctx, { body }) => halts.haltMarket(ctx, body)),
  handle(resumeMarket, (ctx, { body }) => halts.resumeMarket(ctx, body)),
]
