import { endpoint } from '../kit/endpoint.ts'
import {
  array,
  constant,
  createdAt,
  here,
  id,
  nullable,
  object,
  oneOf,
  optional,
  pageOf,
  pageParameters,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'
import { principal } from '../kit/summaries.ts'
import { maintenanceFields } from './maintenance-fields.ts'

const byOperator = { area: 'administration', scope: 'account' } as const

const oneHalt = resource('OneHalt', 'A halt of the whole market, or of one SKU.', {
  sku: nullable(id('sku', { description: 'The SKU that is halted. `null`: the whole market.' })),
  message: nullable(
    text({ max: 1024, description: 'The message of the platform operator about the halt. `null`: nothing.' }),
  ),
  halted_at: nullable(timestamp({ description: 'When it was halted, in Unix seconds. `null`: not recorded.' })),
  halted_by: nullable(here(principal, 'Who halted it. `null`: not recorded.')),
})

export const marketHalt = resource('MarketHalt', 'Whether the market, or one SKU of it, accepts orders.', {
  object: constant('market_halt'),
  halted: oneOf(['all', 'some', 'none'], { description: 'Whether the whole market, some SKUs or nothing is halted.' }),
  skus: array(id('sku'), { max: 10_000, description: 'The SKUs that are halted on their own.' }),
  message: nullable(
    text({ max: 1024, description: 'The message of the platform operator about the halt. `null`: nothing.' }),
  ),
  halts: array(oneHalt, { max: 10_001, description: 'Each halt, the halt of the whole market first.' }),
})
export type MarketHalt = Static<typeof marketHalt>

const haltBody = object({
  message: optional(text({ max: 1024, description: 'Reason, shown to everyone whose order is refused.' })),
  sku: optional(id('sku', { description: 'Halt only this SKU. Default: the whole market.' })),
})
const resumeBody = object({
  message: optional(text({ max: 1024, description: 'A note for people.' })),
  sku: optional(id('sku', { description: 'Resume only this SKU. Default: the whole market.' })),
})
const haltErrors = ['forbidden', 'not_found', 'reference_not_found'] as const

export const getMarketHalt = endpoint({
  ...byOperator,
  name: 'get_market_halt',
  method: 'GET',
  path: '/preview/v2/admin/market',
  summary: 'Get market halts',
  description:
    'Shows whether the whole market is halted, and which SKUs are, since when and by whom. `get_orderbook_status` ' +
    'shows what customers read.',
  response: marketHalt,
  access: 'platform:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const haltMarket = endpoint({
  ...byOperator,
  name: 'halt_market',
  method: 'POST',
  path: '/preview/v2/admin/market/halt',
  summary: 'Halt the market',
  description:
    'Halts the whole market or one SKU: new orders and transfers are refused with the message, including orders of ' +
    'procurements and spot deployments, and nothing is matched. Resting orders stay on the order book, expire as ' +
    'usual and can be cancelled. Instances run on, and purchases stay valid. `resume_market` ends the halt, and ' +
    'fills resting orders that can be filled then.',
  body: haltBody,
  success: 200,
  response: marketHalt,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry', unasked: 'It is for emergencies.' },
  consequence: 'destroys',
  errors: haltErrors,
})

export const resumeMarket = endpoint({
  ...byOperator,
  name: 'resume_market',
  method: 'POST',
  path: '/preview/v2/admin/market/resume',
  summary: 'Resume the market',
  description:
    'Ends the halt of the whole market or of one SKU. Resting orders that can be filled are filled, and automations ' +
    'order again. A halt of the whole market and halts of single SKUs end separately.',
  body: resumeBody,
  success: 200,
  response: marketHalt,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry', unasked: 'It ends what a halt has begun.' },
  errors: haltErrors,
})

export const maintenanceWindow = resource(
  'MaintenanceWindow',
  'A planned maintenance of SKUs. Order estimates show it.',
  {
    object: constant('maintenance_window'),
    id: id('maintenance_window'),
    ...maintenanceFields,
    sku: array(id('sku'), { max: 100, description: 'SKUs that it affects. Empty: all.' }),
    created_at: createdAt,
  },
)
export type MaintenanceWindow = Static<typeof maintenanceWindow>

export const createMaintenanceWindow = endpoint({
  ...byOperator,
  name: 'create_maintenance_window',
  method: 'POST',
  path: '/preview/v2/admin/maintenance_windows',
  summary: 'Create a maintenance window',
  description:
    'Announces maintenance of some or all SKUs: order estimates for that time show it as a notice. It stops no ' +
    'orders and no instances.',
  body: object({
    start_at: maintenanceFields.start_at,
    end_at: maintenanceFields.end_at,
    maintenance_type: maintenanceFields.maintenance_type,
    title: text({ min: 1, max: 255, description: 'Title, for customers.' }),
    description: text({ min: 1, max: 4096, description: 'What happens, for customers.' }),
    action_message: optional(text({ max: 1024, description: 'What customers should do.' })),
    sku: optional(array(id('sku'), { max: 100, description: 'SKUs that it affects. Default: all.' })),
  }),
  response: maintenanceWindow,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry', unasked: 'It gives nothing.' },
  idempotent: true,
  errors: ['invalid_range', 'not_aligned', 'forbidden', 'not_found', 'reference_not_found'],
})

export const listMaintenanceWindows = endpoint({
  ...byOperator,
  name: 'list_maintenance_windows',
  method: 'GET',
  path: '/preview/v2/admin/maintenance_windows',
  summary: 'List maintenance windows',
  description: 'Newest first, including windows that have passed. Deleted windows are left out.',
  query: pageParameters('mwinc'),
  response: pageOf(maintenanceWindow, 'mwinc'),
  access: 'platform:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'not_found', 'mutually_exclusive'],
})

export const deleteMaintenanceWindow = endpoint({
  ...byOperator,
  name: 'delete_maintenance_window',
  method: 'DELETE',
  path: '/preview/v2/admin/maintenance_windows/:id',
  summary: 'Delete a maintenance window',
  description: 'Order estimates no longer show it. Nothing else changes.',
  params: { id: id('maintenance_window') },
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry', unasked: 'It gives nothing.' },
  consequence: 'destroys',
  errors: ['forbidden', 'not_found'],
})

export const operations = [
  getMarketHalt,
  haltMarket,
  resumeMarket,
  createMaintenanceWindow,
  listMaintenanceWindows,
  deleteMaintenanceWindow,
] as const
