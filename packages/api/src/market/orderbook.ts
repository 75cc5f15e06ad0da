import { endpoint } from '../kit/endpoint.ts'
import { schedule, windowEnd, windowStart } from '../kit/schedule.ts'
import {
  array,
  boolean,
  constant,
  cursorParameter,
  dollars,
  here,
  id,
  integer,
  minute,
  moreRows,
  nullable,
  object,
  ofThis,
  oneOf,
  optional,
  pageCursor,
  pageLengthMax,
  pageLimit,
  pageOf,
  pageParameters,
  resource,
  rowsText,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'
import { requirementsParameter } from './sku-requirements.ts'

/** The most levels of one side of a book. */
const depthMax = 100
const onBook = { area: 'orderbook', access: 'open' } as const

const requirements = nullable(text({ max: 4096, description: 'As in the request. `null`: every SKU.' }))
const window = { start_at: windowStart(), end_at: windowEnd() }
const windowErrors = ['invalid_range', 'not_aligned'] as const
const common = { requirements: optional(requirementsParameter()) }

export const priceLevel = resource('PriceLevel', 'All unfilled nodes at one price, summed over orders.', {
  sku: id('sku'),
  price_dollars_per_node_hour: dollars({ description: 'The price.' }),
  allocation_schedule_delta: schedule('Nodes at that price'),
})
export type PriceLevel = Static<typeof priceLevel>

const bestBid = nullable(here(priceLevel, 'The highest price that a buy offers. `null`: there is none.'))
const bestAsk = nullable(here(priceLevel, 'The lowest price that a sell asks. `null`: there is none.'))

export const bookWindow = resource('OrderbookWindow', 'A delivery window that holds resting orders.', {
  sku: id('sku'),
  ...window,
  duration_minutes: integer({ unit: 'minutes', min: 1, description: 'Length of the window.' }),
  total_bid_order_count: integer({ min: 0, description: 'How many buys have an unfilled node-minute in it.' }),
  total_ask_order_count: integer({ min: 0, description: 'How many sells have an unfilled node-minute in it.' }),
  best_bid: bestBid,
  best_ask: bestAsk,
})
export type BookWindow = Static<typeof bookWindow>

export const bookFill = resource('OrderbookFill', 'One trade, without its parties.', {
  sku: id('sku'),
  price_dollars_per_node_hour: dollars({ description: 'Price of the trade.' }),
  allocation_schedule_delta: schedule('Nodes that were traded'),
  taker_side: oneOf(['buy', 'sell'], {
    description: 'Side of the later of the two orders. It traded at the price of the resting order.',
  }),
  filled_at: timestamp({ description: 'When they traded, in Unix seconds.' }),
})
export type BookFill = Static<typeof bookFill>

const bucket = {
  start_at: minute({ description: 'Start of the row, in Unix seconds.' }),
  end_at: minute({ description: 'Its end, not included, in Unix seconds.' }),
}

export const priceBucket = resource('PriceBucket', 'The trades of one SKU in one bucket of time.', {
  object: constant('price_bucket'),
  sku: id('sku'),
  ...bucket,
  first_price_dollars_per_node_hour: dollars({ description: 'Price of the first trade.' }),
  last_price_dollars_per_node_hour: dollars({ description: 'Price of the last trade.' }),
  low_price_dollars_per_node_hour: dollars({ description: 'Lowest price of a trade.' }),
  high_price_dollars_per_node_hour: dollars({ description: 'Highest price of a trade.' }),
  vwap_price_dollars_per_node_hour: dollars({
    description: 'Average price, weighted by node-minutes and rounded half up.',
  }),
  node_minutes: integer({ unit: 'node_minutes', min: 0, description: 'Node-minutes that were traded.' }),
  total_dollars: dollars({ description: 'Value of the trades.' }),
  fill_count: integer({ min: 1, description: 'How many trades.' }),
})
export type PriceBucket = Static<typeof priceBucket>

function envelopeOf(prefix: string) {
  return {
    object: constant('list'),
    has_more: boolean({ description: moreRows }),
    cursor: optional(pageCursor(prefix)),
  }
}

export const listBookWindows = endpoint({
  ...onBook,
  name: 'list_orderbook_windows',
  method: 'GET',
  path: '/preview/v2/orderbook/windows',
  summary: 'List delivery windows',
  description:
    'Shows the windows in which orders rest, with the number of buys and sells in each. Windows without resting ' +
    'orders are left out. `get_orderbook_depth` shows their prices.',
  query: {
    ...common,
    range_start_at: minute({ description: 'Only windows that start at this time or later, in Unix seconds.' }),
    range_end_at: minute({ description: 'Only windows that end at this time or earlier, in Unix seconds.' }),
    limit: optional(pageLimit),
    starting_after: optional(
      cursorParameter('winc', 'Continue after the page with this cursor. Default: the first page.'),
    ),
  },
  response: object({
    ...envelopeOf('winc'),
    requirements,
    range_start_at: minute({ description: 'As in the request.' }),
    range_end_at: minute({ description: 'As in the request.' }),
    data: array(bookWindow, { max: pageLengthMax, description: rowsText }),
  }),
  errors: [...windowErrors, 'invalid_cursor'],
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const getBookStatus = endpoint({
  ...onBook,
  name: 'get_orderbook_status',
  method: 'GET',
  path: '/preview/v2/orderbook/status',
  summary: 'Get the market status',
  description:
    'Says whether the market, or one SKU of it, is halted. While it is, new orders and transfers are refused with ' +
    'the message, and nothing is matched. Orders can be cancelled, and instances run on. A halt emits no event: poll ' +
    'this operation.',
  query: { sku: optional(id('sku', { description: 'Also whether this SKU is halted on its own. Default: none.' })) },
  response: resource('OrderbookStatus', 'Whether the market, or one SKU of it, is halted.', {
    object: constant('orderbook_status'),
    sku: nullable(id('sku', { description: 'SKU of the request. `null`: none.' })),
    halted: boolean({ description: 'Whether new orders are refused.' }),
    scope: nullable(
      oneOf(['market', 'sku'], { description: 'Whether the whole market is halted or this SKU. `null`: neither is.' }),
    ),
    message: nullable(text({ max: 1024, description: 'The message of the platform operator about the halt.' })),
    halted_at: nullable(
      timestamp({
        description: 'Since when it is halted, in Unix seconds. `null`: it is not halted, or the time is not known.',
      }),
    ),
  }),
  errors: ['sku_not_available'],
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const getBookQuote = endpoint({
  ...onBook,
  name: 'get_orderbook_quote',
  method: 'GET',
  path: '/preview/v2/orderbook/quote',
  summary: 'Get a quote',
  description:
    'Shows the best bid and the best ask for a window. If nobody bids or offers, the side is `null`, not zero. An ' +
    'order counts if it has a node in any minute of the window, so `create_order_estimate` says what a whole ' +
    'window costs.',
  query: { ...common, ...window },
  response: resource('OrderbookQuote', 'The best prices of a window.', {
    object: constant('orderbook_quote'),
    requirements,
    ...window,
    requested_at: timestamp({ description: 'When it was read, in Unix seconds.' }),
    best_bid: bestBid,
    best_ask: bestAsk,
  }),
  errors: windowErrors,
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const getBookDepth = endpoint({
  ...onBook,
  name: 'get_orderbook_depth',
  method: 'GET',
  path: '/preview/v2/orderbook/depth',
  summary: 'Get order book depth',
  description:
    'Shows the prices of both sides of a window, and the nodes at each, best first. An order counts if it has an ' +
    'unfilled node-minute in the window. No account and no order is named.',
  query: {
    ...common,
    ...window,
    depth: optional(integer({ min: 1, max: depthMax, default: 20, description: 'Number of prices of each side.' })),
  },
  response: resource('OrderbookDepth', 'The prices of both sides of a window, and the nodes at each.', {
    object: constant('orderbook_depth'),
    requirements,
    ...window,
    requested_at: timestamp({ description: 'When it was read, in Unix seconds.' }),
    bids: array(priceLevel, { max: depthMax, description: 'Price levels of buys, highest price first.' }),
    asks: array(priceLevel, { max: depthMax, description: 'Price levels of sells, lowest price first.' }),
  }),
  errors: windowErrors,
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const listBookFills = endpoint({
  ...onBook,
  name: 'list_orderbook_fills',
  method: 'GET',
  path: '/preview/v2/orderbook/fills',
  summary: 'List recent trades',
  description:
    'Shows trades whose nodes overlap a window, newest first, from the last 7 days or with `since_at` from the ' +
    'last 30. No account and no order is named.',
  query: {
    ...common,
    start_at: minute({ description: 'Only trades of nodes after this time, in Unix seconds.' }),
    end_at: minute({ description: 'Only trades of nodes before this time, in Unix seconds.' }),
    since_at: optional(
      timestamp({ description: 'Only trades since this time, in Unix seconds. Default: 7 days ago; at most 30.' }),
    ),
    limit: optional(pageLimit),
    starting_after: optional(
      cursorParameter('fillc', 'Continue after the page with this cursor. Default: the first page.'),
    ),
  },
  response: object({
    ...envelopeOf('fillc'),
    requirements,
    ...window,
    data: array(bookFill, { max: pageLengthMax, description: rowsText }),
  }),
  errors: [...windowErrors, 'invalid_cursor', 'too_old'],
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const listPriceHistory = endpoint({
  ...onBook,
  name: 'list_price_history',
  method: 'GET',
  path: '/preview/v2/orderbook/price_history',
  summary: 'List price history',
  description:
    'Shows trades summed by minute, hour or day of the trade, oldest first: prices, node-minutes, value and count. ' +
    'Buckets without trades are left out.',
  also_csv: true,
  query: {
    ...common,
    ...pageParameters('pricc'),
    sku: optional(id('sku', ofThis('sku'))),
    interval: optional(oneOf(['minute', 'hour', 'day'], { description: 'Length of a row. Default `hour`.' })),
    since: optional(
      timestamp({
        description: 'Start: the beginning of a row, in Unix seconds. Default: 7 days ago, with `minute` 1 day ago.',
      }),
    ),
    until: optional(
      timestamp({ description: 'End: the beginning of a row, in Unix seconds. Default: the end of the present one.' }),
    ),
  },
  response: pageOf(priceBucket, 'pricc'),
  errors: [...windowErrors, 'invalid_cursor', 'mutually_exclusive', 'range_too_long'],
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const operations = [
  getBookStatus,
  listBookWindows,
  getBookQuote,
  getBookDepth,
  listBookFills,
  listPriceHistory,
] as const
