import { endpoint } from '../kit/endpoint.ts'
import {
  boolean,
  constant,
  createdAt,
  dollars,
  id,
  integer,
  minute,
  nullable,
  object,
  optional,
  priceInput,
  resource,
  type Static,
  shortListOf,
} from '../kit/schema.ts'
import { skuSummary } from '../kit/summaries.ts'

const onSandbox = { area: 'sandbox', access: 'open', scope: 'account' } as const

const weatherText = `Whether its prices and nodes differ by hour: nights and weekends are cheap, working hours dear, one
day is scarce, one supplier fails and a new one arrives.`

const forecast = object(
  {
    utc_offset_minutes: integer({
      min: -1_440,
      max: 1_440,
      unit: 'minutes',
      description: 'Offset of its days and hours from UTC. There is no summer time.',
    }),
    scarce_start_at: minute({
      description: 'Start of the scarce day, in Unix seconds. It comes again every four weeks.',
    }),
    scarce_end_at: minute({ description: 'End of the scarce day, in Unix seconds.' }),
    supplier_fails_at: minute({
      description: 'When one supplier withdraws its offers, in Unix seconds. What it has sold stays sold.',
    }),
    supplier_arrives_at: minute({
      description: 'From when on a new supplier offers nodes below the prices of the others, in Unix seconds.',
    }),
  },
  { description: 'When its weather changes. `null`: it has none.' },
)

export const marketMaker = resource(
  'MarketMaker',
  'Accounts of the sandbox that keep orders on both sides of a book, and buy and sell small amounts.',
  {
    object: constant('market_maker'),
    sku: skuSummary,
    enabled: boolean({ description: 'Whether it trades.' }),
    node_count: integer({ min: 1, description: 'Number of nodes of its own hosts, which it offers.' }),
    base_price_dollars_per_node_hour: dollars({ description: 'Price around which it trades.' }),
    fair_price_dollars_per_node_hour: dollars({ description: 'Price that it regards as fair at this minute.' }),
    weather: boolean({ description: weatherText }),
    forecast: nullable(forecast),
    created_at: createdAt,
  },
)
export type MarketMaker = Static<typeof marketMaker>

export const createMarketMaker = endpoint({
  ...onSandbox,
  name: 'create_market_maker',
  method: 'POST',
  path: '/sandbox/makers',
  summary: 'Create a market maker',
  description:
    'Adds simulated accounts with hosts of their own, which keep offers on both sides of the order book of a SKU and ' +
    'trade small amounts. A SKU has at most one market maker; `update_market_maker` changes or stops it.',
  body: object({
    sku: id('sku'),
    base_price_dollars_per_node_hour: priceInput({
      description: 'Price around which it trades, in dollars per node-hour, such as 17.00.',
    }),
    node_count: optional(
      integer({ min: 1, max: 512, default: 16, description: 'Number of nodes of its own hosts, which it offers.' }),
    ),
    weather: optional(
      boolean({
        default: true,
        description: 'Let its prices and nodes differ by hour.',
        negative: 'Let it offer every hour alike.',
      }),
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
  summary: 'List market makers',
  description:
    'Shows the SKUs that simulated accounts trade, oldest first, with their prices and when their weather changes.',
  response: shortListOf(marketMaker, 10_000),
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const updateMarketMaker = endpoint({
  ...onSandbox,
  name: 'update_market_maker',
  method: 'PATCH',
  path: '/sandbox/makers/:sku',
  summary: 'Change a market maker',
  description:
    'Switches the market maker or its weather on or off, or moves its price; its offers follow at once. Nodes that ' +
    'it has sold stay sold.',
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
    weather: optional(
      boolean({
        description: 'Let its prices and nodes differ by hour, with the events of its forecast from now on.',
        negative: 'Let it offer every hour alike.',
      }),
    ),
  }),
  response: marketMaker,
  errors: ['forbidden', 'not_found'],
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
})

export const operations = [createMarketMaker, listMarketMakers, updateMarketMaker] as const
