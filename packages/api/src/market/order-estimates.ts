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
  percentage_bps: integer({ min: 0, max: 10_000 }),
  total_dollars: dollars({ description: 'Zero for a buy.' }),
})

/** The present cost or revenue of an order. The fields of a quote are present if `type` is `quoted`. */
export const orderEstimate = resource('OrderEstimate', {
  object: constant('order_estimate'),
  type: oneOf(['quoted', 'unavailable']),
  reason: optional(oneOf(['no_matching_skus', 'no_availability'])),
  post_order_body: optional(
    resource('EstimatedOrderBody', {
      pool: nullable(id('pool')),
      side: oneOf(orderSides),
      sku: id('sku'),
      allocation_schedule_delta: schedule(),
      limit_price_dollars_per_node_hour: dollars(),
      allow_standing: boolean(),
      allow_partial: boolean(),
    }),
  ),
  total_dollars: optional(dollars()),
  average_price_dollars_per_node_hour: optional(dollars()),
  fee: nullable(fee),
  available_after_dollars: optional(nullable(dollars({ description: '`null` without the permission billing:read.' }))),
  notices: array(maintenanceNotice, { max: 1000 }),
  as_of: timestamp(),
})
export type OrderEstimate = Static<typeof orderEstimate>

export const createOrderEstimate = endpoint({
  name: 'create_order_estimate',
  method: 'POST',
  path: '/preview/v2/order_estimates',
  area: 'order estimates',
  summary: 'Estimate an order on the best single SKU that can fill all of it. Reserves nothing.',
  body: object({
    side: oneOf(orderSides),
    sku: optional(id('sku')),
    requirements: optional(requirementsBody()),
    start_at: minute(),
    duration_seconds: integer({ min: 60, max: 94_694_400, description: 'A multiple of 60.' }),
    node_count: integer({ min: 1, max: 10_000 }),
    pool: optional(idOrPath('pool')),
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
