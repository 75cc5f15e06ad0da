import { endpoint } from '../kit/endpoint.ts'
import { schedule, windowEnd, windowStart } from '../kit/schedule.ts'
import {
  array,
  boolean,
  constant,
  dollars,
  here,
  id,
  idOrPath,
  integer,
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
import { maintenanceFields } from './maintenance-fields.ts'
import { allowPartial, allowStanding, limitPriceText, orderNodes, orderSide } from './orders.ts'
import { requirementsBody } from './sku-requirements.ts'

export const maintenanceNotice = resource(
  'MaintenanceNotice',
  'The announcement of the platform operator for a future window.',
  {
    type: constant('maintenance_window'),
    ...maintenanceFields,
  },
)
export type MaintenanceNotice = Static<typeof maintenanceNotice>

const fee = resource('EstimatedFee', 'The fee of a sale, and its terms.', {
  flat_dollars_per_node_hour: dollars({ description: 'The part for each node-hour.' }),
  percentage_bps: integer({ unit: 'bps', min: 0, max: 10_000, description: 'The part of the value, in basis points.' }),
  total_dollars: dollars({ description: 'The fee of what is traded at once. Zero for a buy.' }),
})

/** The most price levels that an estimate shows. */
export const estimatedOffersMax = 100

export const estimatedOffer = resource(
  'EstimatedOffer',
  'What one price level of the order book contributes to an estimate.',
  {
    price_dollars_per_node_hour: dollars({ description: 'The price of the level.' }),
    allocation_schedule_delta: schedule('Nodes that trade at that price'),
    node_minutes: integer({ unit: 'node_minutes', min: 0, description: 'Node-minutes that trade at that price.' }),
    total_dollars: dollars({ description: 'Their value.' }),
  },
)
export type EstimatedOffer = Static<typeof estimatedOffer>

export const estimatedRefusal = resource(
  'EstimatedRefusal',
  'Why an order would be refused now. Without a pool it is not known.',
  {
    code: text({ max: 64, description: 'The code of the error that placing the order would give.' }),
    message: text({ max: 1024, description: 'The same as a sentence for people.' }),
  },
)
export type EstimatedRefusal = Static<typeof estimatedRefusal>

const estimatedWindow = resource('EstimatedWindow', 'The window of the order.', {
  start_at: windowStart(),
  end_at: windowEnd(),
  node_count: orderNodes,
})

/** The most windows that an unavailable estimate names. */
export const nearestWindowsMax = 3

const nearestWindow = resource(
  'NearestWindow',
  'A window that an order of the same length could have now, at any price.',
  {
    sku: id('sku'),
    start_at: windowStart(),
    end_at: windowEnd(),
    node_count: orderNodes,
  },
)

export const orderEstimate = resource(
  'OrderEstimate',
  'The present cost or revenue of an order. The fields of a quote are present if `type` is `quoted`.',
  {
    object: constant('order_estimate'),
    type: oneOf(['quoted', 'unavailable'], { description: 'Whether it has a price, or a reason why there is none.' }),
    reason: optional(
      oneOf(['no_matching_skus', 'no_availability', 'no_offer_at_price'], {
        description: 'Why there is no price. Present if `type` is `unavailable`.',
      }),
    ),
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
      resource('EstimatedOrderBody', 'A body for `create_order`, to which only the pool may have to be added.', {
        pool: nullable(id('pool', { description: 'Pool id. `null`: the estimate has none.' })),
        side: orderSide,
        sku: id('sku'),
        allocation_schedule_delta: array(estimatedWindow, { max: 1, description: 'The window of the order.' }),
        limit_price_dollars_per_node_hour: dollars({ description: 'The limit, or the worst price that it trades at.' }),
        allow_standing: boolean({ description: 'As in the request.' }),
        allow_partial: boolean({ description: 'As in the request.' }),
      }),
    ),
    simulated: optional(boolean({ description: 'Present and true if hosts of the SKU need not have its hardware.' })),
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
    average_price_dollars_per_node_hour: optional(
      nullable(dollars({ description: 'Average price of what it trades at once. `null`: it only rests.' })),
    ),
    worst_case_dollars: optional(
      dollars({ description: 'The most that a buy can cost, which it holds while it is placed. Zero for a sell.' }),
    ),
    fee: nullable(fee),
    available_dollars: optional(
      nullable(
        dollars({ description: 'What the account can spend now. `null`: the permission `billing:read` is missing.' }),
      ),
    ),
    available_after_dollars: optional(
      nullable(
        dollars({
          description:
            'The available dollars after the trade and the hold of the resting part. `null` like `available_dollars`.',
        }),
      ),
    ),
    refusal: optional(
      nullable(
        here(estimatedRefusal, 'Why the order would be refused now. `null`: it would not be, or that is not known.'),
      ),
    ),
    notices: array(maintenanceNotice, {
      max: 1000,
      description: 'Maintenance that the platform operator has announced for the window.',
    }),
    as_of: timestamp({ description: 'The time of the estimate, in Unix seconds.' }),
  },
)
export type OrderEstimate = Static<typeof orderEstimate>

const createOrderEstimateText = `Says what an order would trade now, on one SKU: the best that can fill all
of it. It reserves nothing. The response has \`type\` \`quoted\` with the price of what would trade at once, or
\`unavailable\`
with the reason. A quote is not a promise: other orders may come first.

Without a limit price every price is accepted, and the worst price of the trade is the limit in \`post_order_body\`.
With \`allow_partial\` an order that can be filled in part has a quote. With \`allow_standing\` an order that only
rests has a quote too.

Without \`sku\` every SKU that fits \`requirements\` is compared: a buy gets the cheapest SKU, a sell the SKU that
pays most.`

export const createOrderEstimate = endpoint({
  name: 'create_order_estimate',
  method: 'POST',
  is_reading: true,
  path: '/preview/v2/order_estimates',
  area: 'order estimates',
  summary: 'Estimate an order',
  description: createOrderEstimateText,
  body: object({
    side: orderSide,
    sku: optional(id('sku', { description: 'SKU. Without it, every SKU that fits the requirements is looked at.' })),
    requirements: optional(requirementsBody()),
    start_at: windowStart(),
    duration_seconds: integer({
      unit: 'seconds',
      min: 60,
      max: 94_694_400,
      description: 'Length of the window, a multiple of 60.',
    }),
    node_count: orderNodes,
    pool: optional(idOrPath('pool', { description: 'Pool of the order. With it, limits and money are checked.' })),
    amends: optional(
      id('order', {
        description:
          'Open order of the same side, SKU and pool that it would amend: money and nodes that the open order holds ' +
          'count as free, and filled nodes are not ordered again.',
      }),
    ),
    limit_price_dollars_per_node_hour: optional(priceInput({ description: `${limitPriceText} Default: any price.` })),
    allow_standing: optional(allowStanding),
    allow_partial: optional(allowPartial),
  }),
  success: 200,
  response: orderEstimate,
  access: 'open',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: [
    'not_aligned',
    'mutually_exclusive',
    'in_the_past',
    'beyond_horizon',
    'sku_not_available',
    'reference_not_found',
    'already_filled',
    'pool_kind_not_allowed',
  ],
})

export const operations = [createOrderEstimate] as const
