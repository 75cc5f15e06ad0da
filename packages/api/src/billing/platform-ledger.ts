import { endpoint } from '../kit/endpoint.ts'
import {
  accountId,
  array,
  constant,
  dollars,
  id,
  integer,
  oneOf,
  optional,
  pageOf,
  pageParameters,
  resource,
  type Static,
  shortListOf,
  timestamp,
} from '../kit/schema.ts'
import { skuSummary } from '../kit/summaries.ts'
import { exportEncodings, exportedRows } from './exports.ts'
import { month } from './statements.ts'
import { usage } from './usage.ts'

/** What a SKU earned the operator in one month, and what was traded of it. */
export const revenue = resource('Revenue', {
  object: constant('revenue'),
  month: month(),
  sku: id('sku'),
  fees_dollars: dollars({ description: 'What sellers paid in fees.' }),
  volume_dollars: dollars({ description: 'The value of all fills.' }),
  node_minutes: integer({ unit: 'node_minutes', min: 0, description: 'Node-minutes that changed hands.' }),
  fill_count: integer({ min: 0 }),
})
export type Revenue = Static<typeof revenue>

const onPlatform = { area: 'administration', scope: 'account', access: 'platform:read' } as const

export const listRevenue = endpoint({
  ...onPlatform,
  name: 'list_revenue',
  method: 'GET',
  path: '/preview/v2/admin/revenue',
  summary: 'List fees, volume and node-minutes by month and SKU.',
  description: 'Months and SKUs without fills are left out.',
  query: {
    from: month(),
    to: optional(month({ description: 'The last month, included. Default `from`. At most 24 months in all.' })),
  },
  response: shortListOf(revenue, 1_000_000),
  errors: ['invalid_range', 'forbidden', 'not_found', 'range_too_long'],
})

export const exportLedger = endpoint({
  ...onPlatform,
  name: 'export_ledger',
  method: 'GET',
  path: '/preview/v2/admin/ledger',
  summary: 'Export what moved between all accounts and the operator.',
  description:
    'The rows are streamed: trades by SKU and time, then postings. The amounts of each trade and of each posting add ' +
    'up to zero.',
  query: {
    from: timestamp({ description: 'Unix seconds, the beginning of a day in UTC.' }),
    to: timestamp({ description: 'Unix seconds, not included, aligned as `from`. At most 400 days later.' }),
    encoding: optional(oneOf(exportEncodings, { description: 'Default csv.' })),
  },
  response: exportedRows,
  media_type: 'text/csv',
  also_media_types: ['application/jsonl', 'application/vnd.apache.parquet'],
  errors: ['invalid_range', 'not_aligned', 'forbidden', 'not_found', 'range_too_long'],
})

const sums = {
  allocated_node_minutes: usage.properties.allocated_node_minutes,
  used_node_minutes: usage.properties.used_node_minutes,
  bought_dollars: usage.properties.bought_dollars,
  sold_dollars: usage.properties.sold_dollars,
  effective_cost_dollars: usage.properties.effective_cost_dollars,
}

/** The usage of one account in a window, by SKU. */
export const platformUsage = resource('PlatformUsage', {
  object: constant('platform_usage'),
  account: accountId(),
  ...sums,
  skus: array(resource('PlatformSkuUsage', { sku: skuSummary, ...sums }), {
    max: 10_000,
    description: 'The same by SKU. Their sums are those of the account.',
  }),
})
export type PlatformUsage = Static<typeof platformUsage>

export const listPlatformUsage = endpoint({
  ...onPlatform,
  name: 'list_platform_usage',
  method: 'GET',
  path: '/preview/v2/admin/usage',
  summary: 'List what accounts used and paid in a window, by account and SKU.',
  description:
    'The newest account first. Accounts without usage have no row, so a page may have fewer rows than its limit, or ' +
    'none, while more follow. A page costs about as much as the usage lists of its accounts.',
  query: {
    ...pageParameters('usagc'),
    account: optional(accountId({ description: 'Only this account.' })),
    from: timestamp({ description: 'Unix seconds, the beginning of a day in UTC.' }),
    to: timestamp({ description: 'Unix seconds, not included, the beginning of a day. At most 400 days later.' }),
  },
  response: pageOf(platformUsage, 'usagc'),
  errors: [
    'invalid_cursor',
    'invalid_range',
    'not_aligned',
    'forbidden',
    'not_found',
    'mutually_exclusive',
    'range_too_long',
  ],
})

export const operations = [listRevenue, exportLedger, listPlatformUsage] as const
