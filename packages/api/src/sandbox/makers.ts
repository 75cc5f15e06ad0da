import { endpoint } from '../kit/endpoint.ts'
import {
  boolean,
  constant,
  dollars,
  id,
  integer,
  object,
  optional,
  priceInput,
  resource,
  type Static,
  shortListOf,
  timestamp,
} from '../kit/schema.ts'
import { skuSummary } from '../kit/summaries.ts'

const onSandbox = { area: 'sandbox', access: 'open', scope: 'account' } as const

/** Accounts of the sandbox that keep orders on both sides of a book, and buy and sell small amounts. */
export const marketMaker = resource('MarketMaker', {
  object: constant('market_maker'),
  sku: skuSummary,
  enabled: boolean(),
  node_count: integer({ min: 1, description: 'Nodes of its own hosts.' }),
  base_price_dollars_per_node_hour: dollars({ description: 'What its prices drift around.' }),
  fair_price_dollars_per_node_hour: dollars({ description: 'What it takes the price to be at this minute.' }),
  created_at: timestamp(),
})
export type MarketMaker = Static<typeof marketMaker>

export const createMarketMaker = endpoint({
  ...onSandbox,
  name: 'create_market_maker',
  method: 'POST',
  path: '/sandbox/makers',
  summary: 'Let simulated accounts with hosts of their own buy and sell a SKU.',
  body: object({
    sku: id('sku'),
    base_price_dollars_per_node_hour: priceInput({ description: 'What its prices drift around.' }),
    node_count: optional(integer({ min: 1, max: 512, default: 16, description: 'Nodes of its own hosts.' })),
  }),
  response: marketMaker,
  errors: ['forbidden', 'sku_not_available', 'operator_hosts_only', 'invalid_state', 'limit_exceeded'],
})

export const listMarketMakers = endpoint({
  ...onSandbox,
  name: 'list_market_makers',
  method: 'GET',
  path: '/sandbox/makers',
  summary: 'List the SKUs that simulated accounts buy and sell.',
  response: shortListOf(marketMaker, 10_000),
})

export const updateMarketMaker = endpoint({
  ...onSandbox,
  name: 'update_market_maker',
  method: 'PATCH',
  path: '/sandbox/makers/:sku',
  summary: 'Switch a market maker off or on, or move its price.',
  params: { sku: id('sku', { description: 'SKU id.' }) },
  body: object({
    enabled: optional(boolean({ description: 'False: it withdraws its offers and trades no more.' })),
    base_price_dollars_per_node_hour: optional(priceInput({ description: 'Its offers follow at once.' })),
  }),
  response: marketMaker,
  errors: ['forbidden', 'not_found'],
})

export const operations = [createMarketMaker, listMarketMakers, updateMarketMaker] as const
