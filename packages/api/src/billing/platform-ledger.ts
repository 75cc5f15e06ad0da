import { endpoint } from '../kit/endpoint.ts'
import {
  constant,
  dollars,
  id,
  integer,
  oneOf,
  optional,
  resource,
  type Static,
  shortListOf,
  timestamp,
} from '../kit/schema.ts'
import { exportEncodings, exportedRows } from './exports.ts'
import { month } from './statements.ts'

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

export const operations = [listRevenue, exportLedger] as const
