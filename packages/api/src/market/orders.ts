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
  openOneOf,
  optional,
  pageOf,
  pageParameters,
  priceInput,
  repeated,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'
import { poolSummary, principal, skuSummary, workspaceSummary } from '../kit/summaries.ts'
import { cancelReasons, type OrderState, orderStates } from './order-states.ts'

const area = 'orders'

const states = Object.keys(orderStates) as OrderState[]

/** The side of an order in the market. */
export const orderSides = ['buy', 'sell'] as const
/** The side of an order in the market. */
export type OrderSide = (typeof orderSides)[number]

const fillFields = {
  object: constant('fill'),
  id: id('fill'),
  filled_at: timestamp(),
  allocation_schedule_delta: schedule(),
  price_dollars_per_node_hour: dollars(),
  total_dollars: dollars(),
  fee_dollars: dollars({ description: 'Paid by the seller; zero for a buy.' }),
}

/** A trade of an order as the operator of the platform sees it. */
export const platformFill = resource('PlatformFill', {
  ...fillFields,
  related: boolean({ description: 'The accounts shared a person when they traded.' }),
})

/** One trade of an order. */
export const fill = resource('Fill', fillFields)
export type Fill = Static<typeof fill>

/** The trade that an event is about, as the order of the event made it. */
export const eventFill = resource('EventFill', {
  ...fillFields,
  side: oneOf(orderSides),
  sku: id('sku'),
  pool: id('pool'),
})
export type EventFill = Static<typeof eventFill>

/** The procurement or spot deployment that placed an order. It stays after their deletion. */
export const orderManager = resource('OrderManager', {
  object: oneOf(['procurement', 'spot_deployment']),
  id: text({ max: 26, pattern: '^(?:proc|depl)_[0-9a-zA-Z_-]{1,21}$' }),
  name: text({ max: 255 }),
  resource_path: text({ max: 1024, examples: ['svc:procurement:acme:default:nightly'] }),
})

/** An order to buy or sell node-hours of one SKU over one window. */
export const order = resource('Order', {
  object: constant('order'),
  id: id('order'),
  workspace: workspaceSummary,
  pool: nullable(poolSummary),
  sku: skuSummary,
  side: oneOf(orderSides),
  state: openOneOf(states),
  allow_standing: boolean(),
  allow_partial: boolean(),
  allocation_schedule_delta: schedule(),
  filled_allocation_schedule_delta: schedule(),
  limit_price_dollars_per_node_hour: dollars(),
  filled_average_price_dollars_per_node_hour: nullable(dollars()),
  held_dollars: dollars(),
  fills: array(fill, { max: 100, description: 'The newest 100.' }),
  managed_by: nullable(orderManager),
  created_by: principal,
  created_at: timestamp(),
  filled_at: nullable(timestamp()),
  cancelled_at: nullable(timestamp()),
  cancel_reason: nullable(openOneOf(cancelReasons)),
  rejected_reason: nullable(text({ max: 1024 })),
})
export type Order = Static<typeof order>

/** The window of an order: `node_count` nodes from `start_at` until `end_at`. */
export const orderWindow = object({
  start_at: minute(),
  end_at: minute(),
  node_count: integer({ min: 1, max: 10_000 }),
})

const params = { id: id('order') }

const createOrderText = `A buy takes the cheapest resting offers of the SKU that cover its window, up to its limit
price; a sell takes the best bids. The price of a trade is that of the older order. A buy sets money aside: its limit
price times its node-hours.

What does not trade at once follows two switches. \`allow_partial\` lets an order trade less than all of its nodes;
without it an order trades completely or not at all. \`allow_standing\` leaves the rest on the book, until it is
filled, cancelled or its window has passed; without it the rest is cancelled with \`cancel_reason\` \`unfilled\`.

Send \`create_order_estimate\` before, to see what it would cost: its \`post_order_body\` is a body for this
operation.`

export const createOrder = endpoint({
  name: 'create_order',
  method: 'POST',
  path: '/v2/orders',
  area,
  summary: 'Place an order to buy or sell node-hours. The answer is the order after matching.',
  description: createOrderText,
  body: object({
    pool: idOrPath('pool'),
    side: oneOf(orderSides),
    sku: id('sku'),
    allocation_schedule_delta: array(orderWindow, { min: 1, max: 1, description: 'Exactly one window.' }),
    limit_price_dollars_per_node_hour: priceInput({
      description: 'The greatest price of a buy, the least price of a sell. Never rounded.',
    }),
    allow_standing: optional(
      boolean({ default: false, description: 'False: the part that does not match at once is cancelled.' }),
    ),
    allow_partial: optional(
      boolean({ default: false, description: 'False: the order is filled completely or not at all.' }),
    ),
  }),
  response: order,
  access: 'order:create',
  idempotent: true,
  errors: [
    'invalid_range',
    'not_aligned',
    'payment_required',
    'budget_exceeded',
    'forbidden',
    'sku_not_available',
    'pool_kind_not_allowed',
    'in_the_past',
    'beyond_horizon',
    'insufficient_allocation',
    'reference_not_found',
    'limit_exceeded',
  ],
})

export const listOrders = endpoint({
  name: 'list_orders',
  method: 'GET',
  path: '/v2/orders',
  area,
  summary: 'List orders.',
  description:
    'Lists orders of procurements and spot deployments only with `procurement`, `deployment` or `include_managed`.',
  query: {
    ...pageParameters('ordrc'),
    id: repeated(id('order')),
    workspace: optional(idOrPath('workspace')),
    pool: optional(idOrPath('pool')),
    sku: repeated(id('sku')),
    side: optional(oneOf(orderSides, { description: 'Only orders of this side.' })),
    state: repeated(oneOf(states, { description: 'Only orders in this state.' })),
    created_after: optional(timestamp({ description: 'Unix seconds, included.' })),
    created_before: optional(timestamp({ description: 'Unix seconds, included.' })),
    procurement: optional(idOrPath('procurement')),
    deployment: optional(idOrPath('deployment')),
    include_managed: optional(
      boolean({ default: false, description: 'Also orders of procurements and spot deployments.' }),
    ),
    sort_by: optional(
      oneOf(['-created_at', 'created_at', 'start_at', '-start_at'], {
        description: 'Sort key; `-` means descending. Default `-created_at`.',
      }),
    ),
  },
  response: pageOf(order, 'ordrc'),
  access: 'order:list',
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getOrder = endpoint({
  name: 'get_order',
  method: 'GET',
  path: '/v2/orders/:id',
  area,
  summary: 'Read one order.',
  params,
  response: order,
  access: 'order:read',
  errors: ['forbidden', 'not_found'],
})

export const listOrderFills = endpoint({
  name: 'list_order_fills',
  method: 'GET',
  path: '/v2/orders/:id/fills',
  area,
  summary: 'List the fills of an order, newest first.',
  params,
  query: pageParameters('fillc'),
  response: pageOf(fill, 'fillc'),
  access: 'order:read',
  errors: ['invalid_cursor', 'forbidden', 'not_found', 'mutually_exclusive'],
})

export const cancelOrder = endpoint({
  name: 'cancel_order',
  method: 'DELETE',
  path: '/v2/orders/:id',
  area,
  summary: 'Cancel an order. Earlier fills stand.',
  params,
  access: 'order:delete',
  errors: ['forbidden', 'not_found', 'order_final'],
})

export const operations = [createOrder, listOrders, getOrder, listOrderFills, cancelOrder] as const
