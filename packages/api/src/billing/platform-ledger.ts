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
} from '../kit/schema.ts'
import { skuSummary } from '../kit/summaries.ts'
import { exportEncodings, exportedDays, exportedRows } from './exports.ts'
import { month } from './statements.ts'
import { usage } from './usage.ts'

export const revenue = resource(
  'Revenue',
  'Fees that a SKU earned the platform operator in one month, and the trades of it.',
  {
    object: constant('revenue'),
    month: month(),
    sku: id('sku'),
    fees_dollars: dollars({ description: 'Fees that sellers paid.' }),
    volume_dollars: dollars({ description: 'The value of all fills.' }),
    node_minutes: integer({ unit: 'node_minutes', min: 0, description: 'Node-minutes that changed hands.' }),
    fill_count: integer({ min: 0, description: 'How many fills.' }),
  },
)
export type Revenue = Static<typeof revenue>

const onPlatform = { area: 'administration', scope: 'account', access: 'platform:read' } as const

export const listRevenue = endpoint({
  ...onPlatform,
  name: 'list_revenue',
  method: 'GET',
  path: '/preview/v2/admin/revenue',
  summary: 'List revenue',
  description: 'Shows fees, volume and node-minutes by month and SKU. Months and SKUs without fills are left out.',
  query: {
    from: month({ description: 'First month, such as 2026-01.' }),
    to: optional(month({ description: 'Last month, included. Default: the first one. At most 24 months in all.' })),
  },
  response: shortListOf(revenue, 1_000_000),
  errors: ['invalid_range', 'forbidden', 'not_found', 'range_too_long'],
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
})

export const exportLedger = endpoint({
  ...onPlatform,
  name: 'export_ledger',
  method: 'GET',
  path: '/preview/v2/admin/ledger',
  summary: 'Export the ledger',
  description:
    'Streams all movements between accounts and the platform operator: trades by SKU and time, then postings. The ' +
    'amounts of each trade and of each posting add up to zero. Holds are left out, as they stay in their account.',
  query: {
    ...exportedDays,
    encoding: optional(oneOf(exportEncodings, { description: 'Form of the file. Default `csv`.' })),
  },
  response: exportedRows,
  media_type: 'text/csv',
  also_media_types: ['application/jsonl', 'application/vnd.apache.parquet'],
  errors: ['invalid_range', 'not_aligned', 'forbidden', 'not_found', 'range_too_long'],
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
})

const sums = {
  allocated_node_minutes: usage.properties.allocated_node_minutes,
  used_node_minutes: usage.properties.used_node_minutes,
  bought_dollars: usage.properties.bought_dollars,
  sold_dollars: usage.properties.sold_dollars,
  effective_cost_dollars: usage.properties.effective_cost_dollars,
}

export const platformUsage = resource('PlatformUsage', 'The usage of one account in a window, by SKU.', {
  object: constant('platform_usage'),
  account: accountId({ description: 'Id of the account.' }),
  ...sums,
  skus: array(resource('PlatformSkuUsage', 'The usage of one account and SKU.', { sku: skuSummary, ...sums }), {
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
  summary: 'List usage of accounts',
  description:
    'Shows the usage and costs of accounts in a window, by account and SKU, the newest account first. Accounts ' +
    'without usage have no row, so a page may have fewer rows than its limit, or none, while more follow. A page ' +
    'costs about as much as the usage lists of its accounts.',
  query: {
    ...pageParameters('usagc'),
    account: optional(accountId({ description: 'Only this account: its id.' })),
    ...exportedDays,
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
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
})

export const operations = [listRevenue, exportLedger, listPlatformUsage] as const
