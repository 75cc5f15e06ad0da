import { endpoint } from '../kit/endpoint.ts'
import {
  boolean,
  constant,
  createdAt,
  dollars,
  givenName,
  id,
  idOrPath,
  integer,
  name,
  newName,
  nullable,
  object,
  ofThis,
  onlyThis,
  optional,
  pageOf,
  pageParameters,
  path,
  priceInput,
  repeated,
  resource,
  type Static,
  updatedAt,
  wordOrInteger,
} from '../kit/schema.ts'
import { automationStatus, poolSummary, skuSummary, workspaceSummary } from '../kit/summaries.ts'

const area = 'procurements'

/** The activity of a procurement, or the reason why it cannot work. */
export const procurementStatusCodes = {
  ok: 'info',
  no_offer_at_price: 'info',
  prices_crossed: 'warning',
  account_frozen: 'warning',
  market_halted: 'warning',
  payment_required: 'error',
  budget_exhausted: 'error',
  limit_exceeded: 'error',
  out_of_range: 'error',
  sku_not_available: 'error',
} as const
/** A code of the status of a procurement. */
export type ProcurementStatusCode = keyof typeof procurementStatusCodes

/** The most nodes that a procurement keeps in its pool. */
export const procuredNodesMax = 10_000
/** The longest window that a procurement covers: 90 days. */
export const managedWindowMinutesMax = 129_600

const target = wordOrInteger('node_count', {
  min: 0,
  max: procuredNodesMax,
  description:
    'How many nodes the pool should have in each minute. `node_count`: as many as it has live instances of the SKU.',
})
const maxPrice =
  'Highest price at which it buys, in dollars per node-hour, such as 20.00. Required for a market pool, not ' +
  'applicable to an originating pool.'
const minPrice = 'Lowest price at which it sells nodes above the target, in dollars per node-hour, such as 24.00.'
const works = {
  description: 'Keep the pool at the target.',
  negative: 'Pause: buy and sell nothing, and cancel its open orders.',
}
const windowMinutes = integer({
  unit: 'minutes',
  min: 1,
  max: managedWindowMinutesMax,
  description: 'Length of its window in minutes, from the next minute on: 1440 is a day.',
})

export const procurement = resource(
  'Procurement',
  'An automation that keeps a pool at a number of nodes, by buying missing nodes and selling surplus ones.',
  {
    object: constant('procurement'),
    id: id('procurement'),
    resource_path: path('procurement'),
    workspace: workspaceSummary,
    name: name(),
    pool: poolSummary,
    sku: skuSummary,
    target,
    min_sell_price_dollars_per_node_hour: dollars({
      description: 'Lowest price at which it sells nodes above the target.',
    }),
    max_buy_price_dollars_per_node_hour: nullable(
      dollars({ description: 'Most that it pays. `null`: its pool is an originating one, which never buys.' }),
    ),
    managed_window_minutes: windowMinutes,
    enabled: boolean({
      description: 'Whether it is enabled. While false nothing is bought or sold, and none of its orders is open.',
    }),
    status: automationStatus,
    created_at: createdAt,
    updated_at: updatedAt,
  },
)
export type Procurement = Static<typeof procurement>

/** The settings of a new procurement. */
export const procurementBody = object({
  name: optional(givenName()),
  pool: idOrPath('pool', {
    description: 'Pool that it fills. A market pool, or an originating one to sell only.',
  }),
  sku: id('sku'),
  target,
  min_sell_price_dollars_per_node_hour: priceInput({ description: minPrice }),
  max_buy_price_dollars_per_node_hour: optional(priceInput({ description: maxPrice })),
  managed_window_minutes: windowMinutes,
  enabled: optional(boolean({ default: true, ...works })),
})

/** A change of a procurement. */
export const procurementChange = object({
  name: optional(newName()),
  sku: optional(id('sku')),
  target: optional(target),
  min_sell_price_dollars_per_node_hour: optional(priceInput({ description: minPrice })),
  max_buy_price_dollars_per_node_hour: optional(priceInput({ description: maxPrice })),
  managed_window_minutes: optional(windowMinutes),
  enabled: optional(boolean(works)),
})

const params = { id: idOrPath('procurement') }

export const createProcurement = endpoint({
  name: 'create_procurement',
  method: 'POST',
  path: '/preview/v2/procurements',
  area,
  summary: 'Create a procurement',
  description:
    'Keeps a pool at a number of nodes: buys missing nodes and sells surplus nodes, at your prices, over a window ' +
    'that moves with time. Its orders rest on the order book and may be filled in part. A pool and SKU have at most ' +
    'one procurement or spot deployment. `create_procurement_estimate` shows beforehand what it would trade.',
  body: procurementBody,
  response: procurement,
  access: 'procurement:create',
  also_access: ['order:create'],
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'spends',
  idempotent: true,
  errors: [
    'not_aligned',
    'forbidden',
    'name_taken',
    'automation_conflict',
    'sku_not_available',
    'pool_kind_not_allowed',
    'not_applicable',
    'reference_not_found',
    'limit_exceeded',
  ],
})

export const listProcurements = endpoint({
  name: 'list_procurements',
  method: 'GET',
  path: '/preview/v2/procurements',
  area,
  summary: 'List procurements',
  description: 'Newest first, disabled ones too, each with its status. Deleted procurements are left out.',
  query: {
    ...pageParameters('procc'),
    workspace: optional(idOrPath('workspace', ofThis('workspace'))),
    pool: optional(idOrPath('pool', ofThis('pool'))),
    sku: repeated(id('sku', ofThis('sku'))),
    id: repeated(idOrPath('procurement', onlyThis)),
  },
  response: pageOf(procurement, 'procc'),
  access: 'procurement:list',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getProcurement = endpoint({
  name: 'get_procurement',
  method: 'GET',
  path: '/preview/v2/procurements/:id',
  area,
  summary: 'Get a procurement',
  description:
    'Shows target, prices, window and status of a procurement; the status says what stops it. `list_orders` with ' +
    '`procurement` shows its orders.',
  params,
  response: procurement,
  access: 'procurement:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const updateProcurement = endpoint({
  name: 'update_procurement',
  method: 'PATCH',
  path: '/preview/v2/procurements/:id',
  area,
  summary: 'Change a procurement',
  description:
    'Open orders that contradict the new prices, SKU or `enabled` are cancelled before the response; other orders ' +
    'follow a moment later. Nodes that it bought stay in the pool. `create_procurement_update_estimate` shows ' +
    'beforehand what the change would trade.',
  params,
  body: procurementChange,
  response: procurement,
  access: 'procurement:write',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'spends',
  conditional_access: [
    {
      permission: 'order:create',
      when:
        'to change the target or the SKU, raise the maximum or lower the minimum price, lengthen the window or ' +
        'enable the procurement',
    },
  ],
  errors: [
    'not_aligned',
    'forbidden',
    'not_found',
    'name_taken',
    'automation_conflict',
    'sku_not_available',
    'not_applicable',
  ],
})

export const deleteProcurement = endpoint({
  name: 'delete_procurement',
  method: 'DELETE',
  path: '/preview/v2/procurements/:id',
  area,
  summary: 'Delete a procurement',
  description: 'Cancels its open orders before the response. Nodes that it bought stay in the pool.',
  params,
  access: 'procurement:delete',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
  errors: ['forbidden', 'not_found'],
})

export const operations = [
  createProcurement,
  listProcurements,
  getProcurement,
  updateProcurement,
  deleteProcurement,
] as const
