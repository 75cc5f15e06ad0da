import { createMarketMaker, listMarketMakers, updateMarketMaker } from '@bourse/api/sandbox/makers.ts'
import { handle, handleRuntime } from '../../core/http/routes.ts'
import * as makers from './makers.service.ts'
import * as opening from './makers-opening.service.ts'

export const makerRoutes = [
  handleRuntime(createMarketMaker, (runtime, input) => opening.createMarketMaker(runtime, input)),
  handle(listMarketMakers, (ctx) => makers.listMarketMakers(ctx)),
  handle(updateMarketMaker, (ctx, { params, body }) => makers.updateMarketMaker(ctx, params.sku, body)),
]
