/** Lists of the market over all accounts, for the platform operator. The rows are those of the customers' lists. */
import { endpoint } from '../kit/endpoint.ts'
import {
  accountId,
  array,
  boolean,
  id,
  oneOf,
  onlyThis,
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
const account = accountId({ description: 'Id of the account that it belongs to.' })
const errors = ['invalid_cursor', 'forbidden', 'not_found', 'mutually_exclusive'] as const
/** The filter by account. */
const ofAccount = optional(accountId({ description: 'Only rows of this account: its id.' }))

export const platformOrder = resource('PlatformOrder', 'An order as the platform operator sees it.', {
  ...order.properties,
  fills: array(platformFill, { max: 100, description: 'The newest 100 fills.' }),
  account,
})
export type PlatformOrder = Static<typeof platformOrder>

export const platformPool = resource('PlatformPool', 'A pool as the platform operator sees it.', {
  ...pool.properties,
  account,
})
export type PlatformPool = Static<typeof platformPool>

const { sort_by: _, ...orderFilters } = listOrders.query.properties

export const listPlatformOrders = endpoint({
  ...onPlatform,
  name: 'list_platform_orders',
  method: 'GET',
  path: '/preview/v2/admin/orders',
  summary: 'List orders of accounts',
  description:
    'Shows the orders of all accounts, with the filters of `list_orders` and `account`. Each fill says whether the ' +
    'two accounts were related.',
  query: {
    ...orderFilters,
    account: ofAccount,
    sort_by: optional(
      oneOf(['-created_at', 'created_at'], {
        description: 'Order of the rows. A minus before the word reverses it. Default `-created_at`: newest first.',
      }),
    ),
  },
  response: pageOf(platformOrder, 'ordrc'),
  errors,
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
})

export const listPlatformPools = endpoint({
  ...onPlatform,
  name: 'list_platform_pools',
  method: 'GET',
  path: '/preview/v2/admin/pools',
  summary: 'List pools of accounts',
  description: 'Shows the pools of all accounts, newest first, with the filters of `list_pools` and `account`.',
  query: { ...listPools.query.properties, account: ofAccount },
  response: pageOf(platformPool, 'poolc'),
  errors,
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
})

export const listPlatformSkus = endpoint({
  ...onPlatform,
  name: 'list_platform_skus',
  method: 'GET',
  path: '/preview/v2/admin/skus',
  summary: 'List all SKUs',
  description:
    'Shows SKUs with their fees, oldest first, also unlisted ones. Retired ones are left out without ' +
    '`include_deleted`. With `account`, only SKUs that this account sees. Properties are shown without overrides.',
  query: {
    ...pageParameters('skuc'),
    id: repeated(id('sku', onlyThis)),
    account: optional(accountId({ description: 'Only SKUs that this account sees: its id.' })),
    listed: optional(
      boolean({
        description: 'Only SKUs that are listed on the market; false: only the others.',
        negative: 'Only SKUs that are not listed.',
      }),
    ),
    include_deleted: optional(boolean({ default: false, description: 'Also show retired SKUs.' })),
  },
  response: pageOf(administeredSku, 'skuc'),
  errors,
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
})

export const operations = [listPlatformOrders, listPlatformPools, listPlatformSkus] as const
