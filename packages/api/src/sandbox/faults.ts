import { endpoint } from '../kit/endpoint.ts'
import {
  boolean,
  constant,
  createdAt,
  id,
  idOrPath,
  integer,
  integerOneOf,
  object,
  oneOf,
  optional,
  resource,
  type Static,
  shortListOf,
  text,
} from '../kit/schema.ts'

const onSandbox = { area: 'sandbox', access: 'open', scope: 'account' } as const

/** The fields that distinguish the kinds of faults. */
export type FaultField =
  | 'status'
  | 'milliseconds'
  | 'moment'
  | 'operation'
  | 'probability_percent'
  | 'host'
  | 'instance'
  | 'pool'
  | 'sku'
  | 'node_count'
  | 'webhook'

type FaultMeaning = {
  readonly meaning: string
  /** Sets of fields. One set must be given completely. */
  readonly one_of: readonly (readonly FaultField[])[]
  readonly also: readonly FaultField[]
}

const calls = ['operation', 'probability_percent'] as const

/** The kinds of faults, with the required and optional fields of each. */
export const faultKinds = {
  http_error: { meaning: 'Calls get a response with this status.', one_of: [['status']], also: calls },
  http_latency: { meaning: 'Responses are delayed.', one_of: [['milliseconds']], also: calls },
  connection_cut: { meaning: 'The connection breaks before or after the work.', one_of: [['moment']], also: calls },
  database_down: { meaning: 'The database cannot be reached.', one_of: [[]], also: [] },
  market_halt: { meaning: 'The market is halted: no orders, no transfers, no matching.', one_of: [[]], also: [] },
  host_silent: { meaning: 'A host stops reporting; its instances run on.', one_of: [['host']], also: [] },
  host_crash: { meaning: 'A host is lost with its instances, then it comes back.', one_of: [['host']], also: [] },
  start_failure: { meaning: 'An instance does not start.', one_of: [['host'], ['instance']], also: [] },
  checksum_mismatch: { meaning: 'A downloaded image is damaged.', one_of: [['host'], ['instance']], also: [] },
  instance_unhealthy: {
    meaning: 'The host of an instance reports it as unhealthy: it becomes `failed`.',
    one_of: [['instance']],
    also: [],
  },
  webhook_failure: {
    meaning: 'Attempts to deliver to a webhook fail with this status, without a request to its receiver.',
    one_of: [['webhook', 'status']],
    also: [],
  },
  preempt: {
    meaning:
      'Allocation is sold off at once: enough to end this instance, or so many nodes of a pool. Nodes that cannot be ' +
      'sold, as in a read-only pool or a halted market, go back to an originating pool.',
    one_of: [['instance'], ['pool', 'sku', 'node_count']],
    also: [],
  },
} as const satisfies Record<string, FaultMeaning>

/** A kind of fault. */
export type FaultKind = keyof typeof faultKinds

const kindNames = Object.keys(faultKinds) as FaultKind[]

const faultText =
  'Makes something go wrong from now on, until its times or seconds have passed or `delete_fault` ends it. Calls of ' +
  '`/sandbox` and `/healthz` are never affected.'

const kindList = Object.entries(faultKinds).map(([kind, { meaning }]) => `- \`${kind}\`: ${meaning}`)

const targets = {
  host: optional(idOrPath('host', { description: 'Host that it hits.' })),
  instance: optional(idOrPath('instance', { description: 'Instance that it hits.' })),
  pool: optional(idOrPath('pool', { description: 'Pool that it hits.' })),
  webhook: optional(id('webhook', { description: 'Webhook that it hits.' })),
}

const shownTargets = {
  host: optional(id('host')),
  instance: optional(id('instance')),
  pool: optional(id('pool')),
  webhook: optional(id('webhook')),
}

const fields = {
  kind: oneOf(kindNames, { description: 'What goes wrong.' }),
  status: optional(
    integerOneOf([410, 429, 500, 503], { description: 'Status of the responses. 410 only with `webhook_failure`.' }),
  ),
  milliseconds: optional(
    integer({ unit: 'milliseconds', min: 1, max: 60_000, description: 'By how much responses are delayed.' }),
  ),
  moment: optional(
    oneOf(['before', 'after'], { description: 'Whether the connection breaks before or after the work.' }),
  ),
  operation: optional(
    text({ min: 1, max: 64, description: 'Operation that it hits, such as `list_skus`. Default: every operation.' }),
  ),
  probability_percent: optional(
    integer({
      unit: 'percent',
      min: 1,
      max: 100,
      default: 100,
      description: 'How many of the calls it hits, in percent.',
    }),
  ),
  sku: optional(id('sku', { description: 'SKU of the nodes that are sold off.' })),
  node_count: optional(integer({ min: 1, max: 10_000, description: 'Number of nodes that are sold off.' })),
  times: optional(
    integer({ min: 0, max: 1_000_000, default: 1, description: 'How often it happens. 0: until it is removed.' }),
  ),
  for_seconds: optional(
    integer({ unit: 'seconds', min: 1, max: 315_360_000, description: 'End it after this time of the sandbox clock.' }),
  ),
}

export const fault = resource('Fault', 'An injected fault.', {
  object: constant('fault'),
  id: id('sandbox_fault'),
  ...fields,
  ...shownTargets,
  hits: integer({ min: 0, description: 'How often it has happened.' }),
  active: boolean({ description: 'Whether it can still happen.' }),
  created_at: createdAt,
})
export type Fault = Static<typeof fault>

export const createFault = endpoint({
  ...onSandbox,
  name: 'create_fault',
  method: 'POST',
  path: '/sandbox/faults',
  summary: 'Create a fault',
  description: `${faultText}\n\n${kindList.join('\n')}`,
  body: object({ ...fields, ...targets }),
  response: fault,
  errors: ['forbidden', 'mutually_exclusive', 'not_applicable', 'reference_not_found', 'instance_terminated'],
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
})

export const listFaults = endpoint({
  ...onSandbox,
  name: 'list_faults',
  method: 'GET',
  path: '/sandbox/faults',
  summary: 'List faults',
  description:
    'Newest first, each with how often it has hit. Faults that have ended stay in the list until `delete_fault`.',
  response: shortListOf(fault, 10_000),
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const deleteFault = endpoint({
  ...onSandbox,
  name: 'delete_fault',
  method: 'DELETE',
  path: '/sandbox/faults/:id',
  summary: 'Remove a fault',
  description: 'The fault no longer happens. Its effects stay: a failed instance stays failed.',
  params: { id: id('sandbox_fault') },
  errors: ['forbidden', 'not_found'],
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
  unconfirmed: 'It ends a fault of the sandbox, which can be created again.',
})

export const operations = [createFault, listFaults, deleteFault] as const
