import { endpoint } from '../kit/endpoint.ts'
import { windowEnd, windowStart } from '../kit/schedule.ts'
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
import { skuSummary } from '../kit/summaries.ts'
import { requirementsParameter } from './sku-requirements.ts'

/** The most windows of a curve, and the most cells of a SKU. */
export const chartWindowsMax = 336
/** The most minutes of all windows of a curve together: 336 windows of a day, or 10 of a month. */
export const curveMinutesMax = chartWindowsMax * 1_440
/** The most SKUs of a heat map. */
export const heatmapSkusMax = 16
/** The most days from the first window to the last one. */
export const chartDaysMax = 366

const onBook = { area: 'orderbook', access: 'open' } as const
const minutesMax = 44_640
const edges = {
  from: optional(minute({ description: 'Start of the first window, in Unix seconds. Default: the current minute.' })),
  to: optional(minute({ description: 'No window starts at or after it, in Unix seconds. Default: 48 windows later.' })),
}
const step_minutes = integer({
  unit: 'minutes',
  min: 1,
  max: minutesMax,
  default: 60,
  description: 'From the start of a window to the next one.',
})
const prices = {
  best_ask_dollars_per_node_hour: nullable(dollars({ description: 'The best offer in any minute of the window.' })),
  offered_node_count: integer({
    min: 0,
    description: 'How many nodes other accounts offer in every minute of the window, at any price.',
  }),
}

export const curvePoint = resource('OrderbookCurvePoint', 'What nodes cost in one delivery window.', {
  start_at: windowStart(),
  end_at: windowEnd(),
  average_price_dollars_per_node_hour: nullable(
    dollars({
      description:
        'Average price that an order for all nodes would pay now, rounded half up. `null`: not all nodes are offered.',
    }),
  ),
  limit_price_dollars_per_node_hour: nullable(
    dollars({ description: 'The lowest limit price at which an order for all nodes would be filled now.' }),
  ),
  best_bid_dollars_per_node_hour: nullable(dollars({ description: 'The best bid in any minute of the window.' })),
  ...prices,
})
export type CurvePoint = Static<typeof curvePoint>

const cell = resource('OrderbookHeatmapCell', 'A cell of the heat map: one SKU in one window.', {
  start_at: windowStart(),
  end_at: windowEnd(),
  ...prices,
  last_price_dollars_per_node_hour: nullable(
    dollars({
      description:
        'Price of the newest trade that overlaps the cell, out of the last 500 trades of the SKU in 30 days.',
    }),
  ),
})
export type HeatmapCell = Static<typeof cell>

const row = resource('OrderbookHeatmapRow', 'One SKU of the heat map.', {
  sku: skuSummary,
  cells: array(cell, { max: chartWindowsMax, description: 'Its windows, one after the other.' }),
})
export type HeatmapRow = Static<typeof row>

const windowErrors = ['invalid_range', 'not_aligned', 'range_too_long'] as const

export const getBookCurve = endpoint({
  ...onBook,
  name: 'get_orderbook_curve',
  method: 'GET',
  path: '/preview/v2/orderbook/curve',
  summary: 'Get the forward curve',
  description:
    'Shows what nodes cost in windows of one length that start one after the other. Each point is the price that ' +
    '`create_order_estimate` gives for a buy without a limit in its window. A window that has begun, or for which ' +
    'not all nodes are offered, has no price. At most 336 windows, which start within 366 days and are together at ' +
    'most 483,840 minutes long.',
  query: {
    sku: id('sku'),
    ...edges,
    step_minutes: optional(step_minutes),
    length_minutes: optional(
      integer({ unit: 'minutes', min: 1, max: minutesMax, default: 60, description: 'Length of each window.' }),
    ),
    node_count: optional(
      integer({ min: 1, max: 10_000, default: 1, description: 'How many nodes the order would have.' }),
    ),
  },
  response: resource('OrderbookCurve', 'What nodes of a SKU cost in windows of one length.', {
    object: constant('orderbook_curve'),
    sku: id('sku'),
    from: minute({ description: 'Start of the first window, in Unix seconds.' }),
    to: minute({ description: 'No window starts at or after it, in Unix seconds.' }),
    step_minutes,
    length_minutes: integer({ unit: 'minutes', min: 1, max: minutesMax, description: 'Length of each window.' }),
    node_count: integer({ min: 1, max: 10_000, description: 'Number of nodes of the order.' }),
    requested_at: timestamp({ description: 'When it was read, in Unix seconds.' }),
    points: array(curvePoint, { max: chartWindowsMax, description: 'The windows, one after the other.' }),
  }),
  errors: [...windowErrors, 'sku_not_available'],
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const getBookHeatmap = endpoint({
  ...onBook,
  name: 'get_orderbook_heatmap',
  method: 'GET',
  path: '/preview/v2/orderbook/heatmap',
  summary: 'Get the heat map',
  description:
    'Shows the best ask, the offered nodes and the last price of several SKUs over time: a row for each SKU, a ' +
    'cell for each window of `step_minutes`. The cell of the current time covers only the time that is left; a ' +
    'cell that has passed has no offers. At most 336 cells of 16 SKUs.',
  query: {
    requirements: optional(requirementsParameter()),
    sku: repeated(id('sku', ofThis('sku')), {
      max: heatmapSkusMax,
      description: 'Only these SKUs: their ids. Default: the SKUs that fit the requirements, the first 16 by id.',
    }),
    ...edges,
    step_minutes: optional(step_minutes),
  },
  response: resource('OrderbookHeatmap', 'Best offers, offered nodes and last prices of several SKUs over time.', {
    object: constant('orderbook_heatmap'),
    from: minute({ description: 'Start of the first window, in Unix seconds.' }),
    to: minute({ description: 'No window starts at or after it, in Unix seconds.' }),
    step_minutes,
    requested_at: timestamp({ description: 'When it was read, in Unix seconds.' }),
    rows: array(row, { max: heatmapSkusMax, description: 'The SKUs, by id.' }),
    has_more: boolean({ description: 'Whether more SKUs fit.' }),
  }),
  errors: windowErrors,
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const operations = [getBookCurve, getBookHeatmap] as const
