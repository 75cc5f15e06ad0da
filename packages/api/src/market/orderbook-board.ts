import { endpoint } from '../kit/endpoint.ts'
import {
  array,
  boolean,
  constant,
  dollars,
  id,
  integer,
  minute,
  nullable,
  ofThis,
  optional,
  repeated,
  resource,
  type Static,
  timestamp,
} from '../kit/schema.ts'
import { requirementsParameter } from './sku-requirements.ts'
import { sku } from './skus.ts'

/** The most SKUs of a board. */
export const boardSkusMax = 32
/** The most hours of a board before the current one, and the most from it on. */
export const boardHoursMax = 168

const hours = integer({
  min: 1,
  max: boardHoursMax,
  default: boardHoursMax,
  description: 'How many hours before the current one are shown, and how many from it on.',
})

const boardRow = resource('OrderbookBoardRow', 'One SKU of the board.', {
  sku,
  halted: boolean({ description: 'Whether new orders for it are refused.' }),
  best_bid_dollars_per_node_hour: nullable(dollars({ description: 'The best bid in any of the next 60 minutes.' })),
  best_ask_dollars_per_node_hour: nullable(dollars({ description: 'The best offer in any of the next 60 minutes.' })),
  spread_dollars_per_node_hour: nullable(
    dollars({ description: 'The best offer less the best bid. `null`: one of them is missing.' }),
  ),
  last_price_dollars_per_node_hour: nullable(
    dollars({ description: 'Price of the newest trade of the last seven days.' }),
  ),
  change_bps: nullable(
    integer({
      unit: 'bps',
      min: -10_000,
      description: `Change of the last price in hundredths of a percent, against the last trade that is in an hour which
ended at least 24 hours ago. \`null\`: there was no trade in one of the six days before, or none since.`,
    }),
  ),
  free_node_count: integer({
    min: 0,
    description: 'How many nodes other accounts offer in every minute of the rest of the current hour, at any price.',
  }),
  traded_dollars_per_node_hour: array(nullable(dollars({ description: 'The average. `null`: no trade.' })), {
    max: boardHoursMax + 1,
    description: 'Average price of the trades of each past hour and of the current one, oldest first, by volume.',
  }),
  asked_dollars_per_node_hour: array(nullable(dollars({ description: 'The price. `null`: nothing is offered.' })), {
    max: boardHoursMax,
    description: 'The best offer for delivery in the current hour and each one after it: the forward curve.',
  }),
  offered_node_counts: array(integer({ min: 0, description: 'The number of nodes.' }), {
    max: boardHoursMax,
    description: 'How many nodes other accounts offer in every minute of these hours, at any price.',
  }),
})
export type BoardRow = Static<typeof boardRow>

export const getBookBoard = endpoint({
  area: 'orderbook',
  access: 'open',
  name: 'get_orderbook_board',
  method: 'GET',
  path: '/preview/v2/orderbook/board',
  summary: 'Get the price board',
  description: `Shows prices, past and ahead, and free nodes of several SKUs: a row for each SKU that is not retired, in
the order of \`list_skus\`. Hours are hours of UTC. The current hour is the last hour of
\`traded_dollars_per_node_hour\`, and the first hour of the lists ahead. There only its remaining time counts. At most
32 SKUs with 168 hours before and 168 from now on. In a book of 1,000 resting orders or more, the lists ahead and the
best prices may be older than \`requested_at\`: by 40 ms for each 1,000 orders.`,
  query: {
    requirements: optional(requirementsParameter()),
    sku: repeated(id('sku', ofThis('sku')), {
      max: boardSkusMax,
      description: 'Only these SKUs: their ids. Default: the SKUs that fit the requirements, the first 32.',
    }),
    hours: optional(hours),
  },
  response: resource('OrderbookBoard', 'Prices, past and ahead, and free nodes of several SKUs.', {
    object: constant('orderbook_board'),
    from: minute({ description: 'Start of the first past hour, in Unix seconds.' }),
    current_hour_at: minute({ description: 'Start of the current hour, in Unix seconds.' }),
    to: minute({ description: 'End of the last hour ahead, in Unix seconds.' }),
    hours,
    requested_at: timestamp({ description: 'When it was read, in Unix seconds.' }),
    rows: array(boardRow, { max: boardSkusMax, description: 'The SKUs, in the order of `list_skus`.' }),
    has_more: boolean({ description: 'Whether more SKUs fit.' }),
  }),
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const operations = [getBookBoard] as const
