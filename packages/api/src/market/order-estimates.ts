import { endpoint } from '../kit/endpoint.ts'
import { schedule } from '../kit/schedule.ts'
import {
  array,
  boolean,
  constant,
  dollars,
  id,
  idOrPath,
  integer,
  minute,
  nullable,
  object,
  oneOf,
  optional,
  priceInput,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'
import { orderSides } from './orders.ts'
import { requirementsBody } from './sku-requirements.ts'

/** The announcement of the operator for a future window. */
export const maintenanceNotice = resource('MaintenanceNotice', {
  type: constant('maintenance_window'),
  start_at: minute(),
  end_at: minute(),
  maintenance_type: oneOf(['info', 'degraded_performance', 'unavailable']),
  title: text({ max: 255 }),
  description: text({ max: 4096 }),
  action_message: nullable(text({ max: 1024 })),
})
export type MaintenanceNotice = Static<typeof maintenanceNotice>

const fee = resource('EstimatedFee', {
  flat_dollars_per_node_hour: dollars(),
  percentage_bps: integer({ unit: 'bps', min: 0, max: 10_000 }),
  total_dollars: dollars({ description: 'Zero for a buy.' }),
})

/** The most price levels that an estimate shows. */
export const estimatedOffersMax = 100

/** What one price level of the order book contributes to an estimate. */
export const estimatedOffer = resource('EstimatedOffer', {
  price_dollars_per_node_hour: dollars(),
  allocation_schedule_delta: schedule(),
  node_minutes: integer({ unit: 'node_minutes', min: 0 }),
  total_dollars: dollars(),
})
export type EstimatedOffer = Static<typeof estimatedOffer>

/** Why an order would be refused now. Without a pool it is not known. */
export const estimatedRefusal = resource('EstimatedRefusal', {
  code: text({ max: 64, description: 'The code of the error that placing the order would give.' }),
  message: text({ max: 1024 }),
})
export type EstimatedRefusal = Static<typeof estimatedRefusal>

const estimatedWindow = resource('EstimatedWindow', {
  start_at: minute(),
  end_at: minute(),
  node_count: integer({ min: 1, max: 10_000 }),
})

/** The most windows that an unavailable estimate names. */
export const nearestWindowsMax = 3

/** A window that an order of the same length could have now, at any price. */
const nearestWindow = resource('NearestWindow', {
  sku: id('sku'),
  start_at: minute(),
  end_at: minute(),
  node_count: integer({ min: 1, max: 10_000 }),
})

/** The present cost or revenue of an order. The fields of a quote are present if `type` is `quoted`. */
export const orderEstimate = resource('OrderEstimate', {
  object: constant('order_estimate'),
  type: oneOf(['quoted', 'unavailable']),
  reason: optional(oneOf(['no_matching_skus', 'no_availability', 'no_offer_at_price'])),
  message: optional(text({ max: 1024, description: 'The reason for people. Present if `type` is `unavailable`.' })),
  free_node_count: optional(
    integer({
      min: 0,
      max: 10_000,
      description: 'How many nodes an order for the same window could have now, at any price.',
    }),
  ),
  nearest_windows: optional(
    array(nearestWindow, {
      max: nearestWindowsMax,
      description: 'The nearest windows of the same length that have all nodes now, by start, up to 14 days later.',
    }),
  ),
  post_order_body: optional(
    resource('EstimatedOrderBody', {
      pool: nullable(id('pool')),
      side: oneOf(orderSides),
      sku: id('sku'),
      allocation_schedule_delta: array(estimatedWindow, { max: 1 }),
      limit_price_dollars_per_node_hour: dollars(),
      allow_standing: boolean(),
      allow_partial: boolean(),
    }),
  ),
  simulated: optional(boolean({ description: 'Only if hosts of the SKU need not have its hardware.' })),
  node_minutes: optional(integer({ unit: 'node_minutes', min: 1, description: 'What the order asks for.' })),
  traded_node_minutes: optional(integer({ unit: 'node_minutes', min: 0, description: 'What it trades at once.' })),
  offers: optional(
    array(estimatedOffer, {
      max: estimatedOffersMax,
      description: 'The price levels that it trades with, best first; the best 100 of them.',
    }),
  ),
  offer_count: optional(integer({ min: 0, description: 'How many price levels it trades with.' })),
  total_dollars: optional(dollars({ description: 'The value of what it trades at once.' })),
  average_price_dollars_per_node_hour: optional(nullable(dollars({ description: '`null` if it only rests.' }))),
  worst_case_dollars: optional(
    dollars({ description: 'The most that a buy can cost, which it holds while it is placed. Zero for a sell.' }),
  ),
  fee: nullable(fee),
  available_dollars: optional(nullable(dollars({ description: '`null` without the permission billing:read.' }))),
  available_after_dollars: optional(
    nullable(dollars({ description: 'After the trade and the hold of what rests. `null` like `available_dollars`.' })),
  ),
  refusal: optional(nullable(estimatedRefusal)),
  notices: array(maintenanceNotice, { max: 1000 }),
  as_of: timestamp(),
})
export type OrderEstimate = Static<typeof orderEstimate>

const createOrderEstimateText = `The answer has \`type\` \`quoted\` with the price of what would trade at once, or
\`unavailable\` with the reason. A quote is not a promise: other orders may come first.

Without a limit price it is that of any price, and the worst price of the trade is the limit in \`post_order_body\`.
With \`allow_partial\` an order that can be filled in part has a quote, with \`allow_standing\` also one that only
rests.

Without \`sku\` every SKU that fits \`requirements\` is looked at, and the cheapest to buy or the dearest to sell is
chosen.`

export const createOrderEstimate = endpoint({
  name: 'create_order_estimate',
  method: 'POST',
  path: '/preview/v2/order_estimates',
  area: 'order estimates',
  summary: 'Estimate an order on the best single SKU that can fill all of it. Reserves nothing.',
  description: createOrderEstimateText,
  body: object({
    side: oneOf(orderSides),
    sku: optional(id('sku')),
    requirements: optional(requirementsBody()),
    start_at: minute(),
    duration_seconds: integer({ unit: 'seconds', min: 60, max: 94_694_400, description: 'A multiple of 60.' }),
    node_count: integer({ min: 1, max: 10_000 }),
    pool: optional(idOrPath('pool')),
    limit_price_dollars_per_node_hour: optional(
      priceInput({ description: 'The greatest price of a buy, the least price of a sell.' }),
    ),
    allow_standing: optional(boolean({ default: false, description: 'As for the order.' })),
    allow_partial: optional(boolean({ default: false, description: 'As for the order.' })),
  }),
  success: 200,
  response: orderEstimate,
  access: 'open',
  errors: [
    'not_aligned',
    'mutually_exclusive',
    'in_the_past',
    'beyond_horizon',
    'sku_not_available',
    'reference_not_found',
    'pool_kind_not_allowed',
  ],
})

export const operations = [createOrderEstimate] as const
