import { endpoint } from '../kit/endpoint.ts'
import { namedChange, namedCreation, namedFilters } from '../kit/named.ts'
import { schedule, scheduleInput } from '../kit/schedule.ts'
import {
  accountId,
  array,
  constant,
  createdAt,
  givenName,
  id,
  idOrPath,
  integer,
  name,
  nullable,
  object,
  oneOf,
  optional,
  pageOf,
  path,
  record,
  resource,
  type Static,
  tags,
} from '../kit/schema.ts'
import { deploymentSummary, procurementSummary, workspaceSummary } from '../kit/summaries.ts'

const area = 'pools'

/** The abilities of each kind of pool. `made_by` names the origin of such pools. */
export const poolKinds = {
  market: {
    made_by: 'customers',
    orders: ['buy', 'sell'],
    instances: true,
    transfers: ['in', 'out'],
    changeable: true,
  },
  originating: { made_by: 'the first host', orders: ['sell'], instances: false, transfers: ['out'], changeable: false },
  read_only: { made_by: 'the operator', orders: [], instances: true, transfers: [], changeable: false },
} as const
/** The kind of a pool. */
export type PoolKind = keyof typeof poolKinds

const kindNames = Object.keys(poolKinds) as PoolKind[]

export const pool = resource(
  'Pool',
  'A container of allocation: the number of nodes of each SKU that a workspace owns over time.',
  {
    object: constant('pool'),
    id: id('pool'),
    resource_path: path('pool'),
    workspace: workspaceSummary,
    name: name(),
    kind: oneOf(kindNames, {
      description:
        '`market`: it buys and sells. `originating`: it gets the nodes of hosts, and only sells. `read_only`: the ' +
        'platform operator granted its nodes, and it does not trade.',
    }),
    allocation_schedule: resource('AllocationSchedule', 'The nodes that a pool owns over time.', {
      total: schedule('Nodes of all SKUs together'),
      by_sku: record(schedule(), { max: 10_000, keys: 'sku', description: 'Nodes over time by SKU id.' }),
    }),
    procurements: array(procurementSummary, {
      max: 10_000,
      description: 'The procurements that keep it at a number of nodes.',
    }),
    deployments: array(deploymentSummary, { max: 10_000, description: 'The deployments whose instances use it.' }),
    tags: nullable(tags()),
    created_at: createdAt,
  },
)
export type Pool = Static<typeof pool>

const params = { id: idOrPath('pool') }

const history = {
  schedule_history_minutes: optional(
    integer({
      unit: 'minutes',
      min: 0,
      max: 1440,
      default: 0,
      description: 'How many minutes of the past the schedules show.',
    }),
  ),
}

export const createPool = endpoint({
  name: 'create_pool',
  method: 'POST',
  path: '/v2/pools',
  area,
  summary: 'Create a pool',
  description:
    'Creates an empty market pool. A pool holds what an account owns of each SKU, minute by minute: orders add to it ' +
    'and take from it, and instances use it. Instances of one pool share its allocation, so separate pools keep ' +
    'teams from using the nodes of other teams.',
  body: namedCreation({}),
  response: pool,
  access: 'pool:create',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  idempotent: true,
  errors: ['forbidden', 'name_taken', 'reference_not_found', 'limit_exceeded'],
})

export const updatePool = endpoint({
  name: 'update_pool',
  method: 'PATCH',
  path: '/v2/pools/:id',
  area,
  summary: 'Change a pool',
  description:
    'Renames a market pool or replaces all of its tags; allocation, orders and instances stay. Read-only pools and ' +
    'originating pools cannot change.',
  params,
  body: namedChange,
  response: pool,
  access: 'pool:write',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  errors: ['forbidden', 'not_found', 'name_taken', 'pool_kind_not_allowed'],
})

export const listPools = endpoint({
  name: 'list_pools',
  method: 'GET',
  path: '/v2/pools',
  area,
  summary: 'List pools',
  description:
    'Shows pools of all kinds with their allocation from now on, newest first. `schedule_history_minutes` adds ' +
    'that much of the past. Deleted pools are left out.',
  query: {
    ...namedFilters('pool', {
      prefix: 'poolc',
      own: {
        kind: optional(oneOf(kindNames, { description: 'Only pools of this kind.' })),
      },
    }),
    ...history,
  },
  response: pageOf(pool, 'poolc'),
  access: 'pool:list',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getPool = endpoint({
  name: 'get_pool',
  method: 'GET',
  path: '/v2/pools/:id',
  area,
  summary: 'Get a pool',
  description:
    'Shows what the pool owns of each SKU from now on. `schedule_history_minutes` adds that much of the past.',
  params,
  query: history,
  response: pool,
  access: 'pool:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const deletePool = endpoint({
  name: 'delete_pool',
  method: 'DELETE',
  path: '/v2/pools/:id',
  area,
  summary: 'Delete a pool',
  description:
    'Deletes a market pool without open orders, allocation from now on, living instances and automations; otherwise ' +
    'it is refused with `in_use`, and `details` names the obstacles. Past orders and instances can still be read.',
  params,
  access: 'pool:delete',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
  errors: ['forbidden', 'not_found', 'in_use', 'pool_kind_not_allowed'],
})

export const createReadOnlyPool = endpoint({
  name: 'create_read_only_pool',
  method: 'POST',
  path: '/preview/v2/admin/pools',
  area: 'administration',
  summary: 'Grant allocation',
  description:
    'Creates a read-only pool for an account, and moves allocation into it out of the free nodes of `from_pool`, ' +
    'an originating pool. This is the only way to give allocation away for nothing. The account can run instances ' +
    'in it, but not trade it.',
  body: object({
    account: accountId({ description: 'Account that gets the pool: its id.' }),
    workspace: idOrPath('workspace', { description: 'Workspace of that account: its id or path.' }),
    name: optional(givenName()),
    from_pool: idOrPath('pool', { description: 'Originating pool that gives the nodes.' }),
    sku: id('sku'),
    allocation_schedule: scheduleInput('Nodes that the pool gets'),
  }),
  response: pool,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  scope: 'account',
  idempotent: true,
  errors: [
    'insufficient_user_authentication',
    'invalid_range',
    'not_aligned',
    'forbidden',
    'not_found',
    'name_taken',
    'pool_kind_not_allowed',
    'in_the_past',
    'reference_not_found',
    'sku_not_available',
    'insufficient_allocation',
    'limit_exceeded',
  ],
})

export const operations = [createPool, listPools, getPool, updatePool, deletePool, createReadOnlyPool] as const
