import { listPlatformSkus } from '@bourse/api/market/platform-lists.ts'
import {
  createSku,
  deleteSkuOverride,
  listSkuOverrides,
  putSkuOverride,
  putSkuPropertyValue,
  restoreSku,
  retireSku,
  updateSku,
} from '@bourse/api/market/sku-administration.ts'
import { getSku, listSkuProperties, listSkus } from '@bourse/api/market/skus.ts'
import { handle, handleBytes } from '../../core/http/routes.ts'
import * as administration from './sku-administration.service.ts'
import { readSkuPage } from './sku-pages.service.ts'
import * as skus from './skus.service.ts'

export const skuRoutes = [
  handleBytes(listSkus, readSkuPage),
  handle(listSkuProperties, (ctx) => skus.listSkuProperties(ctx)),
  handle(getSku, (ctx, { params }) => skus.getSku(ctx, params.id)),
]

export const skuAdministrationRoutes = [
  handle(listPlatformSkus, (ctx, { query }) => administration.listPlatformSkus(ctx, query)),
  handle(createSku, (ctx, { body }) => administration.createSku(ctx, body)),
  handle(updateSku, (ctx, { params, body }) => administration.updateSku(ctx, params.id, body)),
  handle(retireSku, (ctx, { params }) => administration.retireSku(ctx, params.id)),
  handle(restoreSku, (ctx, { params }) => administration.restoreSku(ctx, params.id)),
  handle(putSkuPropertyValue, (ctx, { params, body }) => administration.putSkuPropertyValue(ctx, params, body)),
  handle(listSkuOverrides, (ctx, { params }) => administration.listSkuOverrides(ctx, params.account)),
  handle(putSkuOverride, (ctx, { params, body }) => administration.putSkuOverride(ctx, params, body)),
  handle(deleteSkuOverride, (ctx, { params }) => administration.deleteSkuOverride(ctx, params)),
]
