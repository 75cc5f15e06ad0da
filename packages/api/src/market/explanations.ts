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

export const orderExplanation = resource(
  'OrderExplanation',
  'Why an order is not filled, or what ended it. It shows no other participant.',
  {
    object: constant('order_explanation'),
    order: id('order'),
    state: openOneOf(Object.keys(orderStates) as OrderState[]),
    as_of: timestamp({ description: 'The time of the explanation, in Unix seconds.' }),
    summary: text({ max: 1024, description: 'The first reason, for people.' }),
    reasons: array(
      resource('OrderExplanationReason', 'One reason why an order is in its state.', {
        code: openOneOf(orderReasons, { description: 'Why, as a word.' }),
        message: text({ max: 1024, description: 'Why, for people.' }),
      }),
      {
        max: 32,
        description: 'All reasons that apply, the most important first.',
      },
    ),
    nearest: nullable(
      resource('NearestLevel', 'The best price of the other side beyond the limit.', {
        price_dollars_per_node_hour: dollars({ description: 'The best price of the other side.' }),
        gap_dollars_per_node_hour: dollars({ description: 'How far it is from the limit of the order.' }),
        allocation_schedule_delta: schedule('Nodes at that price'),
      }),
    ),
    fillable_node_minutes: integer({
      unit: 'node_minutes',
      min: 0,
      description: 'Node-minutes of the open part that the book offers at the limit now.',
    }),
    open_node_minutes: integer({
      unit: 'node_minutes',
      min: 0,
      description: 'Node-minutes that can still be filled. Zero for an order that has ended.',
    }),
    ahead: resource('OrdersAhead', 'The orders of the same side that come first, by price or by age.', {
      order_count: integer({ min: 0, description: 'How many orders.' }),
      node_minutes: integer({ unit: 'node_minutes', min: 0, description: 'Their node-minutes.' }),
    }),
  },
)
export type OrderExplanation = Static<typeof orderExplanation>

export const explainOrder = endpoint({
  name: 'explain_order',
  method: 'GET',
  path: '/preview/v2/explain/orders/:id',
  area: 'orders',
  summary: 'Explain an order',
  description:
    'Says why an order is not filled, or what ended it: the nearest offers, the part that could be filled, and the ' +
    'orders before it. It changes nothing; `create_order_estimate` shows what another price would do.',
  params: { id: id('order') },
  response: orderExplanation,
  access: 'order:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const operations = [explainOrder] as const
