import { endpoint } from '../kit/endpoint.ts'
import { schedule, windowEnd, windowStart } from '../kit/schedule.ts'
import {
  array,
  boolean,
  constant,
  createdAt,
  creationFilters,
  dollars,
  here,
  id,
  idOrPath,
  integer,
  minute,
  nullable,
  object,
  ofThis,
  oneOf,
  onlyThis,
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
/** So many of its fills an order shows. `list_order_fills` has all. */
export const fillsShownMax = 100

/** The side of an order in the market. */
export const orderSides = ['buy', 'sell'] as const
/** The side of an order as a field. */
export const orderSide = oneOf(orderSides, { description: 'Whether the order buys or sells.' })
/** What happens to the part of an order that is not filled at once. */
export const allowStanding = boolean({
  default: false,
  description: 'Let the part that is not filled at once wait on the order book.',
  negative: 'Cancel the part that is not filled at once. This is the default.',
})
/** Whether an order may be filled in part. */
export const allowPartial = boolean({
  default: false,
  description: 'Accept a partial fill. Otherwise the order is filled whole or not at all.',
  negative: 'Fill the whole order or nothing. This is the default.',
})
/** The number of nodes of an order. */
export const orderNodes = integer({ min: 1, max: 10_000, description: 'Number of nodes.' })
/** The limit of an order. */
export const limitPriceText = 'Highest price of a buy, lowest of a sell, in dollars per node-hour, such as 18.50.'

/** The side of an order in the market. */
export type OrderSide = (typeof orderSides)[number]

const fillFields = {
  object: constant('fill'),
  id: id('fill'),
  filled_at: timestamp({ description: 'When they traded, in Unix seconds.' }),
  allocation_schedule_delta: schedule('Nodes that were traded'),
  price_dollars_per_node_hour: dollars({ description: 'Price of the trade: the limit of the older order.' }),
  total_dollars: dollars({ description: 'Value of the trade: price times node-hours, rounded down.' }),
  fee_dollars: dollars({ description: 'Fee that the seller pays out of the value. Zero for a buy.' }),
}

export const platformFill = resource('PlatformFill', 'A trade of an order as the platform operator sees it.', {
  ...fillFields,
  related: boolean({ description: 'Whether the accounts shared a person when they traded.' }),
})

export const fill = resource('Fill', 'One trade of an order.', fillFields)
export type Fill = Static<typeof fill>

export const eventFill = resource('EventFill', 'The trade that an event is about, as the order of the event made it.', {
  ...fillFields,
  side: orderSide,
  sku: id('sku'),
  pool: id('pool'),
})
export type EventFill = Static<typeof eventFill>

export const orderManager = resource(
  'OrderManager',
  'The procurement or spot deployment that placed an order. It stays after their deletion.',
  {
    object: oneOf(['procurement', 'spot_deployment'], { description: 'What kind of automation it is.' }),
    id: text({
      max: 26,
      pattern: '^(?:proc|depl)_[0-9a-zA-Z_-]{1,21}$',
      description: 'Id of the procurement or deployment.',
    }),
    name: text({ max: 255, description: 'Its name.' }),
    resource_path: text({
      max: 1024,
      description: 'Its resource path.',
      examples: ['svc:procurement:acme:default:nightly'],
    }),
  },
)

const totalWindow = resource('OrderTotal', 'The window and the nodes that an order asks for, including filled nodes.', {
  start_at: windowStart(),
  end_at: windowEnd(),
  node_count: orderNodes,
})

export const order = resource('Order', 'An order to buy or sell node-hours of one SKU over one window.', {
  object: constant('order'),
  id: id('order'),
  workspace: workspaceSummary,
  pool: nullable(here(poolSummary, 'The pool that it buys for or sells from. `null`: it is deleted.')),
  sku: skuSummary,
  side: orderSide,
  state: openOneOf(states, { description: 'State of the order.' }),
  allow_standing: boolean({ description: 'Whether the part that is not filled at once waits on the order book.' }),
  allow_partial: boolean({ description: 'Whether the order may be filled in part.' }),
  allocation_schedule_delta: schedule('Nodes that the order asks for'),
  filled_allocation_schedule_delta: schedule('Nodes that were filled so far'),
  total: here(totalWindow, 'Nodes that it asks for plus nodes that the orders which it amends had filled.'),
  filled_before_allocation_schedule_delta: schedule('Nodes that the orders which it amends had filled'),
  limit_price_dollars_per_node_hour: dollars({ description: 'Highest price of a buy, lowest of a sell.' }),
  filled_average_price_dollars_per_node_hour: nullable(
    dollars({ description: 'Average price of the filled part, rounded half up. `null`: nothing was filled.' }),
  ),
  held_dollars: dollars({
    description: 'Money set aside for the open part of a buy. Zero for a sell.',
  }),
  fills: array(fill, { max: fillsShownMax, description: `The newest ${fillsShownMax} fills.` }),
  amends: nullable(id('order', { description: 'The order that it amends. `null`: none.' })),
  amended_by: nullable(id('order', { description: 'The order that amends it. `null`: none.' })),
  managed_by: nullable(here(orderManager, 'The automation that placed it. `null`: a request did.')),
  created_by: here(principal, 'Who placed it.'),
  created_at: createdAt,
  filled_at: nullable(timestamp({ description: 'When it was filled completely, in Unix seconds. `null`: it is not.' })),
  cancelled_at: nullable(timestamp({ description: 'When it was cancelled, in Unix seconds. `null`: it is not.' })),
  cancel_reason: nullable(openOneOf(cancelReasons, { description: 'Why it was cancelled. `null`: it is not.' })),
  rejected_reason: nullable(text({ max: 1024, description: 'Why it could not be processed. `null`: it could.' })),
})
export type Order = Static<typeof order>

/** The window of an order: `node_count` nodes from `start_at` until `end_at`. */
export const orderWindow = object({
  start_at: windowStart(),
  end_at: windowEnd(),
  node_count: orderNodes,
})

const params = { id: id('order') }

const createOrderText = `Matching ends before the response, which shows the order after it. A buy takes the
cheapest resting offers of the SKU that cover its window, up to its limit price; a sell takes the best bids. The price
of a trade is that of the older order. A buy sets money aside: its limit price times its node-hours.

Two switches decide what happens to nodes that do not trade at once. \`allow_partial\` lets an order trade less than
all of its nodes;
without it an order trades completely or not at all. \`allow_standing\` leaves the rest on the book, until it is filled,
cancelled or its window has passed; without it the rest is cancelled with \`cancel_reason\` \`unfilled\`.

Call \`create_order_estimate\` first to see the price: its \`post_order_body\` is a body for this operation.`

export const createOrder = endpoint({
  name: 'create_order',
  method: 'POST',
  path: '/v2/orders',
  area,
  summary: 'Create an order',
  description: createOrderText,
  body: object({
    pool: idOrPath('pool', {
      description: 'Pool that gets the bought nodes, or gives the sold nodes.',
    }),
    side: orderSide,
    sku: id('sku'),
    allocation_schedule_delta: array(orderWindow, {
      min: 1,
      max: 1,
      description: 'Times and number of nodes: exactly one window.',
    }),
    limit_price_dollars_per_node_hour: priceInput({ description: limitPriceText }),
    allow_standing: optional(allowStanding),
    allow_partial: optional(allowPartial),
  }),
  response: order,
  access: 'order:create',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'spends',
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
  summary: 'List orders',
  description:
    'Shows open and ended orders, newest first unless `sort_by` says otherwise. Orders of procurements and spot ' +
    'deployments are left out without `procurement`, `deployment` or `include_managed`.',
  query: {
    ...pageParameters('ordrc'),
    id: repeated(id('order', onlyThis)),
    workspace: optional(idOrPath('workspace', ofThis('workspace'))),
    pool: optional(idOrPath('pool', ofThis('pool'))),
    sku: repeated(id('sku', ofThis('sku'))),
    side: optional(oneOf(orderSides, { description: 'Only orders of this side.' })),
    state: repeated(oneOf(states, { description: 'Only orders in this state.' })),
    ...creationFilters,
    procurement: optional(idOrPath('procurement', ofThis('procurement'))),
    deployment: optional(idOrPath('deployment', ofThis('deployment'))),
    include_managed: optional(
      boolean({ default: false, description: 'Also show orders of procurements and spot deployments.' }),
    ),
    sort_by: optional(
      oneOf(['-created_at', 'created_at', 'start_at', '-start_at'], {
        description: 'Order of the rows. A minus before the word reverses it. Default `-created_at`: newest first.',
      }),
    ),
  },
  response: pageOf(order, 'ordrc'),
  access: 'order:list',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getOrder = endpoint({
  name: 'get_order',
  method: 'GET',
  path: '/v2/orders/:id',
  area,
  summary: 'Get an order',
  description:
    'Shows the state of an order, its filled nodes and its hold, with its newest 100 fills. `explain_order` says why ' +
    'it is not filled.',
  params,
  response: order,
  access: 'order:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const listOrderFills = endpoint({
  name: 'list_order_fills',
  method: 'GET',
  path: '/v2/orders/:id/fills',
  area,
  summary: 'List fills of an order',
  description:
    'Shows each trade of the order with its price, value and fee, newest first. Fills of the order that it amends ' +
    '(`amends`) are listed with that order.',
  params,
  query: pageParameters('fillc'),
  response: pageOf(fill, 'fillc'),
  access: 'order:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'not_found', 'mutually_exclusive'],
})

const amendOrderText = `Changes the price, nodes, times or switches of an open order, and returns the order that
continues it. In one step on the order book, the old order ends with \`cancel_reason\` \`amended\` and the new order
is placed. A field that is left out stays as it is. Filled nodes stay and are not ordered again: \`node_count\` is the
total with them, and the new order asks in each minute for the nodes that are missing. Money and nodes that the old
order held count as free for the new order. If the new order is refused, the old order stays as it was.

The new order keeps the place of the old order in the queue at its price if it asks for no more: the price and
\`allow_partial\` are the same, it may rest, and no minute asks for more nodes than were open. Otherwise it goes to
the end of the queue at its price.

Emits \`order.created\` for the new order and \`order.cancelled\` for the old one.`

export const amendOrder = endpoint({
  name: 'amend_order',
  method: 'POST',
  path: '/v2/orders/:id/amend',
  area,
  summary: 'Amend an order',
  description: amendOrderText,
  params,
  body: object({
    node_count: optional(
      integer({
        min: 1,
        max: 10_000,
        description: 'Number of nodes in total, including filled nodes. Default: as before.',
      }),
    ),
    start_at: optional(
      minute({
        description: 'First minute of the window, in Unix seconds. Default: as before, or the running minute.',
      }),
    ),
    end_at: optional(minute({ description: 'End of the window, not included, in Unix seconds. Default: as before.' })),
    limit_price_dollars_per_node_hour: optional(priceInput({ description: `${limitPriceText} Default: as before.` })),
    allow_standing: optional(
      boolean({
        description: 'Let the part that is not filled at once wait on the order book. Default: as before.',
        negative: 'Cancel the part that is not filled at once.',
      }),
    ),
    allow_partial: optional(
      boolean({
        description: 'Accept a partial fill. Default: as before.',
        negative: 'Fill all that is open or nothing.',
      }),
    ),
  }),
  response: order,
  access: 'order:delete',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'spends',
  also_access: ['order:create'],
  idempotent: true,
  errors: [
    'invalid_range',
    'not_aligned',
    'payment_required',
    'budget_exceeded',
    'forbidden',
    'not_found',
    'order_final',
    'order_managed',
    'already_filled',
    'sku_not_available',
    'in_the_past',
    'beyond_horizon',
    'insufficient_allocation',
    'limit_exceeded',
  ],
})

export const cancelOrder = endpoint({
  name: 'cancel_order',
  method: 'DELETE',
  path: '/v2/orders/:id',
  area,
  summary: 'Cancel an order',
  description:
    'Ends the part of the order that is still open, and frees the money or the nodes that it held. Fills made ' +
    'before stand. An order that has ended is refused with `order_final`.',
  params,
  access: 'order:delete',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
  errors: ['forbidden', 'not_found', 'order_final'],
})

export const operations = [createOrder, listOrders, getOrder, listOrderFills, amendOrder, cancelOrder] as const
