/** Estimates of spot deployments and procurements: what they would trade now, and the most that they can cost. */
import { endpoint } from '../kit/endpoint.ts'
import {
  array,
  boolean,
  constant,
  dollars,
  here,
  id,
  idOrPath,
  integer,
  minute,
  nullable,
  openOneOf,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'
import { estimatedOffer, estimatedOffersMax, estimatedRefusal } from '../market/order-estimates.ts'
import { createDeployment, deploymentBody, deploymentChange, updateDeployment } from './deployments.ts'
import { procurementBody, procurementChange, updateProcurement } from './procurements.ts'

/** Why an automation would trade nothing now. */
export const idleReasons = [
  'never_buys',
  'disabled',
  'sku_not_available',
  'market_halted',
  'nothing_missing',
  'no_offer_at_price',
  'refused',
] as const
/** Why an automation would trade nothing now. */
export type IdleReason = (typeof idleReasons)[number]

export const estimatedOrders = resource(
  'EstimatedOrders',
  'The orders of one side that an automation would place, and what they would trade at once.',
  {
    order_count: integer({ min: 0, description: 'How many orders.' }),
    node_minutes: integer({ unit: 'node_minutes', min: 0, description: 'What the orders ask for.' }),
    traded_node_minutes: integer({
      unit: 'node_minutes',
      min: 0,
      description: 'What they trade at once; the rest waits on the order book.',
    }),
    offers: array(estimatedOffer, {
      max: estimatedOffersMax,
      description: 'The price levels that they trade with, best first; the best 100 of them.',
    }),
    offer_count: integer({ min: 0, description: 'How many price levels they trade with.' }),
    total_dollars: dollars({ description: 'The value of what they trade at once.' }),
    average_price_dollars_per_node_hour: nullable(
      dollars({ description: 'Average price of what they trade at once. `null`: nothing.' }),
    ),
    fee_dollars: dollars({ description: 'Paid out of the proceeds of sells; zero for buys.' }),
    worst_case_dollars: dollars({ description: 'The most that the buys can cost, which they hold. Zero for sells.' }),
  },
)
export type EstimatedOrders = Static<typeof estimatedOrders>

export const estimatedIdleReason = resource('EstimatedIdleReason', 'Why nothing would be traded now.', {
  code: openOneOf(idleReasons, { description: 'Why, as a word.' }),
  message: text({ max: 1024, description: 'Why, for people.' }),
})
export type EstimatedIdleReason = Static<typeof estimatedIdleReason>

export const automationEstimate = resource(
  'AutomationEstimate',
  'The next step of an automation, and what it can cost while it runs.',
  {
    object: constant('automation_estimate'),
    pool: id('pool'),
    sku: id('sku'),
    enabled: boolean({ description: 'Whether it is enabled.' }),
    start_at: minute({ description: 'Start of its window now, in Unix seconds.' }),
    end_at: minute({ description: 'End of its window now, not included, in Unix seconds.' }),
    target_node_count: integer({ min: 0, description: 'The nodes that it keeps in each minute.' }),
    max_buy_price_dollars_per_node_hour: nullable(
      dollars({ description: 'The most that it pays. `null`: it never buys.' }),
    ),
    can_trade_more: boolean({
      description: 'Whether it can place orders that it would not place without this creation or change.',
    }),
    buy: estimatedOrders,
    sell: estimatedOrders,
    worst_case_dollars_per_hour: dollars({ description: 'The target for an hour at the maximum price.' }),
    worst_case_dollars_per_day: dollars({ description: 'The target for a day at the maximum price.' }),
    worst_case_dollars_of_window: dollars({ description: 'The target for the whole window at the maximum price.' }),
    available_dollars: nullable(
      dollars({ description: 'What the account can spend now. `null`: the permission `billing:read` is missing.' }),
    ),
    available_after_dollars: nullable(
      dollars({
        description:
          'The available dollars after the trades and the holds of resting orders. `null` like `available_dollars`.',
      }),
    ),
    refusal: nullable(here(estimatedRefusal, 'Why its orders would be refused now. `null`: they would not.')),
    reason: nullable(here(estimatedIdleReason, 'Why it would trade nothing now. `null`: it would.')),
    as_of: timestamp({ description: 'The time of the estimate, in Unix seconds.' }),
  },
)
export type AutomationEstimate = Static<typeof automationEstimate>

export const createDeploymentEstimate = endpoint({
  name: 'create_deployment_estimate',
  method: 'POST',
  is_reading: true,
  path: '/preview/v2/deployment_estimates',
  area: 'deployments',
  summary: 'Estimate a deployment',
  description:
    'Takes the body of `create_deployment`, and says what it would buy in its first hour and the most that it can ' +
    'cost. A generic deployment never buys. Changes and reserves nothing: prices and balances are those of now.',
  body: deploymentBody,
  success: 200,
  response: automationEstimate,
  access: 'deployment:create',
  also_access: ['instance:create'],
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  unconfirmed: 'An estimate changes nothing.',
  conditional_access: createDeployment.conditional_access,
  errors: [
    'not_aligned',
    'forbidden',
    'automation_conflict',
    'reference_not_found',
    'workspace_mismatch',
    'not_applicable',
    'sku_not_available',
    'pool_kind_not_allowed',
  ],
})

export const createDeploymentUpdateEstimate = endpoint({
  name: 'create_deployment_update_estimate',
  method: 'POST',
  is_reading: true,
  path: '/preview/v2/deployments/:id/estimate',
  area: 'deployments',
  summary: 'Estimate a deployment change',
  description:
    'Takes the body of `update_deployment`, and says what the deployment would buy after the change and the most ' +
    'that it can cost. Changes and reserves nothing: prices and balances are those of now.',
  params: { id: idOrPath('deployment') },
  body: deploymentChange,
  success: 200,
  response: automationEstimate,
  access: 'deployment:write',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  unconfirmed: 'An estimate changes nothing.',
  conditional_access: updateDeployment.conditional_access,
  errors: ['not_aligned', 'forbidden', 'not_found', 'reference_not_found', 'workspace_mismatch', 'not_applicable'],
})

export const createProcurementEstimate = endpoint({
  name: 'create_procurement_estimate',
  method: 'POST',
  is_reading: true,
  path: '/preview/v2/procurement_estimates',
  area: 'procurements',
  summary: 'Estimate a procurement',
  description:
    'Takes the body of `create_procurement`, and says what it would buy and sell now and the most that it can ' +
    'cost. Changes and reserves nothing: prices and balances are those of now.',
  body: procurementBody,
  success: 200,
  response: automationEstimate,
  access: 'procurement:create',
  also_access: ['order:create'],
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  unconfirmed: 'An estimate changes nothing.',
  errors: [
    'not_aligned',
    'forbidden',
    'automation_conflict',
    'sku_not_available',
    'pool_kind_not_allowed',
    'not_applicable',
    'reference_not_found',
  ],
})

export const createProcurementUpdateEstimate = endpoint({
  name: 'create_procurement_update_estimate',
  method: 'POST',
  is_reading: true,
  path: '/preview/v2/procurements/:id/estimate',
  area: 'procurements',
  summary: 'Estimate a procurement change',
  description:
    'Takes the body of `update_procurement`, and says what the procurement would buy and sell after the change and ' +
    'the most that it can cost. Changes and reserves nothing: prices and balances are those of now.',
  params: { id: idOrPath('procurement') },
  body: procurementChange,
  success: 200,
  response: automationEstimate,
  access: 'procurement:write',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  unconfirmed: 'An estimate changes nothing.',
  conditional_access: updateProcurement.conditional_access,
  errors: ['not_aligned', 'forbidden', 'not_found', 'automation_conflict', 'sku_not_available', 'not_applicable'],
})

export const operations = [
  createDeploymentEstimate,
  createDeploymentUpdateEstimate,
  createProcurementEstimate,
  createProcurementUpdateEstimate,
] as const
