import { endpoint } from '../kit/endpoint.ts'
import { schedule } from '../kit/schedule.ts'
import {
  array,
  constant,
  dollars,
  id,
  integer,
  nullable,
  openOneOf,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'
import { type OrderState, orderStates } from './order-states.ts'

/** Why an order is in its state. */
export const orderReasons = [
  'no_opposite_orders',
  'price_gap',
  'not_enough_nodes',
  'window_not_covered',
  'blocked_by_all_or_nothing',
  'own_orders_skipped',
  'queued_behind',
  'pending',
  'market_halted',
  'filled',
  'cancelled',
  'rejected',
] as const
/** Why an order is in its state. */
export type OrderReason = (typeof orderReasons)[number]

/** Why an order is not filled, or what ended it. It shows no other participant. */
export const orderExplanation = resource('OrderExplanation', {
  object: constant('order_explanation'),
  order: id('order'),
  state: openOneOf(Object.keys(orderStates) as OrderState[]),
  as_of: timestamp(),
  summary: text({ max: 1024 }),
  reasons: array(resource('OrderExplanationReason', { code: openOneOf(orderReasons), message: text({ max: 1024 }) }), {
    max: 32,
  }),
  nearest: nullable(
    resource('NearestLevel', {
      price_dollars_per_node_hour: dollars(),
      gap_dollars_per_node_hour: dollars(),
      allocation_schedule_delta: schedule(),
    }),
  ),
  fillable_node_minutes: integer({ unit: 'node_minutes', min: 0 }),
  open_node_minutes: integer({ unit: 'node_minutes', min: 0 }),
  ahead: resource('OrdersAhead', {
    order_count: integer({ min: 0 }),
    node_minutes: integer({ unit: 'node_minutes', min: 0 }),
  }),
})
export type OrderExplanation = Static<typeof orderExplanation>

export const explainOrder = endpoint({
  name: 'explain_order',
  method: 'GET',
  path: '/preview/v2/explain/orders/:id',
  area: 'orders',
  summary: 'Explain why an order is not filled, or what ended it.',
  params: { id: id('order') },
  response: orderExplanation,
  access: 'order:read',
  errors: ['forbidden', 'not_found'],
})

export const operations = [explainOrder] as const
