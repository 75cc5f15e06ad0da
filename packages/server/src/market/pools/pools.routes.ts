import { listPlatformPools } from '@bourse/api/market/platform-lists.ts'
import { createPool, createReadOnlyPool, deletePool, getPool, listPools, updatePool } from '@bourse/api/market/pools.ts'
import { handle } from '../../core/http/routes.ts'
import { createReadOnlyPool as grantPool } from './pool-grants.service.ts'
import * as pools from './pools.service.ts'

export const poolRoutes = [
  handle(createPool, (ctx, { body }) => pools.createPool(ctx, body)),
  handle(listPools, (ctx, { query }) => pools.listPools(ctx, query)),
  handle(getPool, (ctx, { params, query }) => pools.getPool(ctx, params.id, query.schedule_history_minutes)),
  handle(updatePool, (ctx, { params, body }) => pools.updatePool(ctx, params.id, body)),
  handle(deletePool, (ctx, { params }) => pools.deletePool(ctx, params.id)),
]

export const poolAdministrationRoutes = [
  handle(createReadOnlyPool, (ctx, { body }) => grantPool(ctx, body)),
  handle(listPlatformPools, (ctx, { query }) => pools.listPlatformPools(ctx, query)),
]
