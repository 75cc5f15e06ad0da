import { endpoint } from '../kit/endpoint.ts'
import {
  boolean,
  constant,
  createdAt,
  dollars,
  id,
  integer,
  object,
  optional,
  priceInput,
  resource,
  type Static,
  shortListOf,
} from '../kit/schema.ts'
import { skuSummary } from '../kit/summaries.ts'

const onSandbox = { area: 'sandbox', access: 'open', scope: 'account' } as const

export const marketMaker = resource(
  'MarketMaker',
  'Accounts of the sandbox that keep orders on both sides of a book, and buy and sell small amounts.',
  {
    object: constant('market_maker'),
    sku: skuSummary,
    enabled: boolean({ description: 'Whether it trades.' }),
    node_count: integer({ min: 1, description: 'Number of nodes of its own hosts, which it offers.' }),
    base_price_dollars_per_node_hour: dollars({ description: 'Price around which it trades.' }),
    fair_price_dollars_per_node_hour: dollars({ description: 'What it takes the price to be at this minute.' }),
    created_at: createdAt,
  },
)
export type MarketMaker = Static<typeof marketMaker>

export const createMarketMaker = endpoint({
  ...onSandbox,
  name: 'create_market_maker',
  method: 'POST',
  path: '/sandbox/makers',
  summary: 'Let simulated accounts with hosts of their own buy and sell a SKU.',
  body: object({
    sku: id('sku'),
    base_price_dollars_per_node_hour: priceInput({
      description: 'Price around which it trades, in dollars per node-hour, such as 17.00.',
    }),
    node_count: optional(
      integer({ min: 1, max: 512, default: 16, description: 'Number of nodes of its own hosts, which it offers.' }),
    ),
  }),
  response: marketMaker,
  errors: ['forbidden', 'sku_not_available', 'operator_hosts_only', 'invalid_state', 'limit_exceeded'],
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
})

export const listMarketMakers = endpoint({
  ...onSandbox,
  name: 'list_market_makers',
  method: 'GET',
  path: '/sandbox/makers',
  summary: 'List the SKUs that simulated accounts buy and sell.',
  response: shortListOf(marketMaker, 10_000),
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const updateMarketMaker = endpoint({
  ...onSandbox,
  name: 'update_market_maker',
  method: 'PATCH',
  path: '/sandbox/makers/:sku',
  summary: 'Switch a market maker off or on, or move its price.',
  params: { sku: id('sku', { description: 'SKU id.' }) },
  body: object({
    enabled: optional(
      boolean({ description: 'Let it trade.', negative: 'Let it withdraw its offers and trade no more.' }),
    ),
    base_price_dollars_per_node_hour: optional(
      priceInput({
        description:
          'Price around which it trades, in dollars per node-hour, such as 17.00. Its offers follow at once.',
      }),
    ),
  }),
  response: marketMaker,
  errors: ['forbidden', 'not_found'],
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
})

export const operations = [createMarketMaker, listMarketMakers, updateMarketMaker] as const
