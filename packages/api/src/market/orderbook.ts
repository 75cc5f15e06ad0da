import { endpoint } from '../kit/endpoint.ts'
import { schedule } from '../kit/schedule.ts'
import {
  array,
  boolean,
  constant,
  cursorParameter,
  dollars,
  id,
  integer,
  minute,
  nullable,
  object,
  oneOf,
  optional,
  pageCursor,
  pageLengthMax,
  pageOf,
  pageParameters,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'
import { requirementsParameter } from './sku-requirements.ts'

/** The most levels of one side of a book. */
const depthMax = 100
const onBook = { area: 'orderbook', access: 'open' } as const

const requirements = nullable(text({ max: 4096 }))
const window = { start_at: minute(), end_at: minute() }
const windowErrors = ['invalid_range', 'not_aligned'] as const
const common = { requirements: optional(requirementsParameter()) }

/** All unfilled nodes at one price, summed over orders. */
export const priceLevel = resource('PriceLevel', {
  sku: id('sku'),
  price_dollars_per_node_hour: dollars(),
  allocation_schedule_delta: schedule(),
})
export type PriceLevel = Static<typeof priceLevel>

/** A delivery window that holds resting orders. */
export const bookWindow = resource('OrderbookWindow', {
  sku: id('sku'),
  ...window,
  duration_minutes: integer({ unit: 'minutes', min: 1 }),
  total_bid_order_count: integer({ min: 0 }),
  total_ask_order_count: integer({ min: 0 }),
  best_bid: nullable(priceLevel),
  best_ask: nullable(priceLevel),
})
export type BookWindow = Static<typeof bookWindow>

/** One trade, without its parties. */
export const bookFill = resource('OrderbookFill', {
  sku: id('sku'),
  price_dollars_per_node_hour: dollars(),
  allocation_schedule_delta: schedule(),
  filled_at: timestamp(),
})
export type BookFill = Static<typeof bookFill>

/** The trades of one SKU in one bucket of time. */
export const priceBucket = resource('PriceBucket', {
  object: constant('price_bucket'),
  sku: id('sku'),
  ...window,
  first_price_dollars_per_node_hour: dollars(),
  last_price_dollars_per_node_hour: dollars(),
  low_price_dollars_per_node_hour: dollars(),
  high_price_dollars_per_node_hour: dollars(),
  vwap_price_dollars_per_node_hour: dollars({ description: 'Volume-weighted average, rounded half up.' }),
  node_minutes: integer({ unit: 'node_minutes', min: 0 }),
  total_dollars: dollars(),
  fill_count: integer({ min: 1 }),
})
export type PriceBucket = Static<typeof priceBucket>

function envelopeOf(prefix: string) {
  return { object: constant('list'), has_more: boolean(), cursor: optional(pageCursor(prefix)) }
}

export const listBookWindows = endpoint({
  ...onBook,
  name: 'list_orderbook_windows',
  method: 'GET',
  path: '/preview/v2/orderbook/windows',
  summary: 'List the delivery windows that hold resting orders.',
  query: {
    ...common,
    range_start_at: minute(),
    range_end_at: minute(),
    limit: optional(integer({ min: 1, max: pageLengthMax, default: 50, description: 'Rows on a page.' })),
    starting_after: optional(cursorParameter('winc', 'Continue behind the page that gave this cursor.')),
  },
  response: object({
    ...envelopeOf('winc'),
    requirements,
    range_start_at: minute(),
    range_end_at: minute(),
    data: array(bookWindow, { max: pageLengthMax }),
  }),
  errors: [...windowErrors, 'invalid_cursor'],
})

export const getBookStatus = endpoint({
  ...onBook,
  name: 'get_orderbook_status',
  method: 'GET',
  path: '/preview/v2/orderbook/status',
  summary: 'Read whether the market, or a SKU of it, is halted.',
  description:
    'While it is halted, new orders and transfers get 503 with the message, and nothing is matched. Orders can be ' +
    'cancelled, and instances run on. No event tells of a halt: read this again.',
  query: { sku: optional(id('sku', { description: 'Also whether this SKU is halted on its own.' })) },
  response: resource('OrderbookStatus', {
    object: constant('orderbook_status'),
    sku: nullable(id('sku')),
    halted: boolean(),
    scope: nullable(
      oneOf(['market', 'sku'], { description: 'Whether the whole market is halted or this SKU. `null`: neither is.' }),
    ),
    message: nullable(text({ max: 1024, description: 'What the operator says about the halt.' })),
  }),
  errors: ['sku_not_available'],
})

export const getBookQuote = endpoint({
  ...onBook,
  name: 'get_orderbook_quote',
  method: 'GET',
  path: '/preview/v2/orderbook/quote',
  summary: 'Read the best bid and the best ask for a window.',
  query: { ...common, ...window },
  response: resource('OrderbookQuote', {
    object: constant('orderbook_quote'),
    requirements,
    ...window,
    requested_at: timestamp(),
    best_bid: nullable(priceLevel),
    best_ask: nullable(priceLevel),
  }),
  errors: windowErrors,
})

export const getBookDepth = endpoint({
  ...onBook,
  name: 'get_orderbook_depth',
  method: 'GET',
  path: '/preview/v2/orderbook/depth',
  summary: 'Read the price levels of both sides of a window.',
  query: {
    ...common,
    ...window,
    depth: optional(integer({ min: 1, max: depthMax, default: 20, description: 'Price levels of each side.' })),
  },
  response: resource('OrderbookDepth', {
    object: constant('orderbook_depth'),
    requirements,
    ...window,
    requested_at: timestamp(),
    bids: array(priceLevel, { max: depthMax, description: 'High to low.' }),
    asks: array(priceLevel, { max: depthMax, description: 'Low to high.' }),
  }),
  errors: windowErrors,
})

export const listBookFills = endpoint({
  ...onBook,
  name: 'list_orderbook_fills',
  method: 'GET',
  path: '/preview/v2/orderbook/fills',
  summary: 'List trades that overlap a window, newest first.',
  query: {
    ...common,
    ...window,
    since_at: optional(timestamp({ description: 'Default 7 days back, at most 30.' })),
    limit: optional(integer({ min: 1, max: pageLengthMax, default: 50, description: 'Rows on a page.' })),
    starting_after: optional(cursorParameter('fillc', 'Continue behind the page that gave this cursor.')),
  },
  response: object({ ...envelopeOf('fillc'), requirements, ...window, data: array(bookFill, { max: pageLengthMax }) }),
  errors: [...windowErrors, 'invalid_cursor', 'too_old'],
})

export const listPriceHistory = endpoint({
  ...onBook,
  name: 'list_price_history',
  method: 'GET',
  path: '/preview/v2/orderbook/price_history',
  summary: 'List trades by bucket of fill time, oldest first.',
  also_csv: true,
  query: {
    ...common,
    ...pageParameters('pricc'),
    sku: optional(id('sku')),
    interval: optional(oneOf(['minute', 'hour', 'day'], { description: 'Default `hour`.' })),
    since: optional(timestamp({ description: 'Aligned to the bucket; default 7 days back, 1 day with `minute`.' })),
    until: optional(timestamp({ description: 'Aligned to the bucket; default the end of the current one.' })),
  },
  response: pageOf(priceBucket, 'pricc'),
  errors: [...windowErrors, 'invalid_cursor', 'mutually_exclusive', 'range_too_long'],
})

export const operations = [
  getBookStatus,
  listBookWindows,
  getBookQuote,
  getBookDepth,
  listBookFills,
  listPriceHistory,
] as const
