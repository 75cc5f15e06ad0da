/** Lists of the market over all accounts, for the platform operator. The rows are those of the customers' lists. */
import { endpoint } from '../kit/endpoint.ts'
import {
  accountId,
  array,
  boolean,
  id,
  oneOf,
  optional,
  pageOf,
  pageParameters,
  repeated,
  resource,
  type Static,
} from '../kit/schema.ts'
import { listOrders, order, platformFill } from './orders.ts'
import { listPools, pool } from './pools.ts'
import { administeredSku } from './skus.ts'

const onPlatform = { area: 'administration', scope: 'account', access: 'platform:read' } as const
const account = accountId({ description: 'The account that it belongs to.' })
const errors = ['invalid_cursor', 'forbidden', 'not_found', 'mutually_exclusive'] as const
/** The filter by account. */
const ofAccount = optional(accountId({ description: 'Only those of this account.' }))

/** An order as the operator sees it. */
export const platformOrder = resource('PlatformOrder', {
  ...order.properties,
  fills: array(platformFill, { max: 100, description: 'The newest 100.' }),
  account,
})
export type PlatformOrder = Static<typeof platformOrder>

/** A pool as the operator sees it. */
export const platformPool = resource('PlatformPool', { ...pool.properties, account })
export type PlatformPool = Static<typeof platformPool>

const { sort_by: _, ...orderFilters } = listOrders.query.properties

export const listPlatformOrders = endpoint({
  ...onPlatform,
  name: 'list_platform_orders',
  method: 'GET',
  path: '/preview/v2/admin/orders',
  summary: 'List the orders of all accounts.',
  description: 'The filters are those of the list of an account, and `account`.',
  query: {
    ...orderFilters,
    account: ofAccount,
    sort_by: optional(
      oneOf(['-created_at', 'created_at'], { description: 'Sort key; `-` means descending. Default `-created_at`.' }),
    ),
  },
  response: pageOf(platformOrder, 'ordrc'),
  errors,
})

export const listPlatformPools = endpoint({
  ...onPlatform,
  name: 'list_platform_pools',
  method: 'GET',
  path: '/preview/v2/admin/pools',
  summary: 'List the pools of all accounts, newest first.',
  description: 'The filters are those of the list of an account, and `account`.',
  query: { ...listPools.query.properties, account: ofAccount },
  response: pageOf(platformPool, 'poolc'),
  errors,
})

export const listPlatformSkus = endpoint({
  ...onPlatform,
  name: 'list_platform_skus',
  method: 'GET',
  path: '/preview/v2/admin/skus',
  summary: 'List all SKUs with their fees, unlisted ones too, oldest first.',
  description: 'With `account`, only those that this account sees. Properties are those without overrides.',
  query: {
    ...pageParameters('skuc'),
    id: repeated(id('sku')),
    account: optional(accountId({ description: 'Only those that this account sees.' })),
    listed: optional(boolean({ description: 'Only listed ones, or only the others.' })),
    include_deleted: optional(boolean({ default: false, description: 'Include retired SKUs.' })),
  },
  response: pageOf(administeredSku, 'skuc'),
  errors,
})

export const operations = [listPlatformOrders, listPlatformPools, listPlatformSkus] as const
