import { endpoint } from '../kit/endpoint.ts'
import { schedule, scheduleInput } from '../kit/schedule.ts'
import {
  constant,
  createdAt,
  here,
  id,
  idOrPath,
  nullable,
  object,
  ofThis,
  oneOf,
  openOneOf,
  optional,
  pageOf,
  pageParameters,
  repeated,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'
import { principal, skuSummary } from '../kit/summaries.ts'

const area = 'pools'

/** States of a transfer. This server executes before it responds, so clients only see `executed`. */
export const transferStates = ['pending', 'executed', 'rejected'] as const

/** The states that can follow each. */
export const transferTransitions = {
  pending: { next: ['executed', 'rejected'] },
  executed: { next: [] },
  rejected: { next: [] },
} as const satisfies Record<(typeof transferStates)[number], { next: readonly string[] }>

export const poolTransfer = resource('PoolTransfer', 'Allocation moved between two pools of one account.', {
  object: constant('pool_transfer'),
  id: id('pool_transfer'),
  state: openOneOf(transferStates, { description: 'This server executes it before it responds: `executed`.' }),
  from_pool: id('pool', { description: 'Pool that gave the nodes.' }),
  to_pool: id('pool', { description: 'Pool that got them.' }),
  sku: skuSummary,
  allocation_schedule_delta: schedule('Nodes that were moved'),
  rejected_reason: nullable(text({ max: 1024, description: 'Why it could not be executed. `null`: it was.' })),
  created_at: createdAt,
  created_by: here(principal, 'Who requested it.'),
  executed_at: nullable(timestamp({ description: 'When it was executed, in Unix seconds. `null`: it was not.' })),
})
export type PoolTransfer = Static<typeof poolTransfer>

export const createPoolTransfer = endpoint({
  name: 'create_pool_transfer',
  method: 'POST',
  path: '/preview/v2/pool_transfers',
  area,
  summary: 'Transfer allocation',
  description:
    'Moves free nodes between two pools of the account, completely or not at all, before the response. Where less ' +
    'is free in some minute of the window, it is refused with `insufficient_allocation`. It costs nothing. ' +
    'Instances in `from_pool` that no longer fit get notice.',
  body: object({
    from_pool: idOrPath('pool', { description: 'Pool that gives the nodes.' }),
    to_pool: idOrPath('pool', { description: 'Pool that gets them.' }),
    sku: id('sku'),
    allocation_schedule_delta: scheduleInput('Nodes to move'),
  }),
  response: poolTransfer,
  access: 'pool_transfer:create',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  idempotent: true,
  errors: [
    'invalid_range',
    'not_aligned',
    'forbidden',
    'same_pool',
    'pool_kind_not_allowed',
    'in_the_past',
    'reference_not_found',
    'sku_not_available',
    'insufficient_allocation',
  ],
})

export const listPoolTransfers = endpoint({
  name: 'list_pool_transfers',
  method: 'GET',
  path: '/preview/v2/pool_transfers',
  area,
  summary: 'List transfers',
  description: 'Newest first. `pool` finds transfers into or out of one pool.',
  query: {
    ...pageParameters('pxfrc'),
    pool: repeated(idOrPath('pool', ofThis('pool'))),
    state: optional(oneOf(transferStates, { description: 'Only transfers in this state.' })),
  },
  response: pageOf(poolTransfer, 'pxfrc'),
  access: 'pool_transfer:list',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getPoolTransfer = endpoint({
  name: 'get_pool_transfer',
  method: 'GET',
  path: '/preview/v2/pool_transfers/:id',
  area,
  summary: 'Get a transfer',
  description: 'Shows which nodes moved between which pools, and when.',
  params: { id: id('pool_transfer') },
  response: poolTransfer,
  access: 'pool_transfer:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const operations = [createPoolTransfer, listPoolTransfers, getPoolTransfer] as const
