import type { Notes } from '../kit/annotations.ts'
import { endpoint } from '../kit/endpoint.ts'
import { constant, integer, nullable, oneOf, resource, type Static, shortListOf, text } from '../kit/schema.ts'

const area = 'limits'

/** The trust levels of accounts, lowest first. The platform operator sets them. An account starts with `basic`. */
export const trustLevels = ['untrusted', 'basic', 'trusted', 'partner'] as const
/** How far an account is trusted. */
export function trustLevel(notes: Notes = {}) {
  return oneOf(trustLevels, { description: 'How far the account is trusted. Its limits depend on it.', ...notes })
}
/** A level of trust. */
export type TrustLevel = (typeof trustLevels)[number]

type LimitUnit = 'count' | 'bytes' | 'node_hours'
type Scope = 'account' | 'each'
type LimitRow = {
  readonly unit: LimitUnit
  readonly scope: Scope
  readonly values: Readonly<Record<TrustLevel, number>>
}

const gib = 1024 ** 3

function counted(untrusted: number, basic: number, trusted: number, partner: number): LimitRow {
  return { unit: 'count', scope: 'account', values: { untrusted, basic, trusted, partner } }
}

/**
 * Every limit with its value for each trust level. `each` limits apply to one resource and have no usage to report. The
 * platform operator may override any of them for an account.
 */
export const limits = {
  workspaces: counted(2, 10, 50, 200),
  users: counted(3, 25, 200, 1000),
  tokens: counted(10, 100, 500, 2000),
  roles: counted(5, 50, 200, 500),
  grants: counted(50, 500, 5000, 20_000),
  pools: counted(2, 20, 200, 1000),
  images: counted(2, 20, 200, 1000),
  instance_templates: counted(5, 50, 500, 2000),
  image_bytes: {
    unit: 'bytes',
    scope: 'account',
    values: { untrusted: 128 * gib, basic: 1024 * gib, trusted: 10 * 1024 * gib, partner: 100 * 1024 * gib },
  },
  instances: counted(2, 50, 1000, 10_000),
  deployments: counted(1, 20, 200, 1000),
  procurements: counted(1, 10, 100, 500),
  firewalls: counted(2, 20, 200, 1000),
  subnets: counted(2, 20, 100, 500),
  infiniband_partitions: counted(1, 5, 20, 100),
  firewall_rules: { unit: 'count', scope: 'each', values: { untrusted: 50, basic: 50, trusted: 50, partner: 50 } },
  open_orders: counted(5, 100, 1000, 10_000),
  reserved_node_hours: {
    unit: 'node_hours',
    scope: 'account',
    values: { untrusted: 100, basic: 10_000, trusted: 1_000_000, partner: 10_000_000 },
  },
  webhooks: counted(1, 5, 20, 100),
  budgets: counted(5, 20, 100, 500),
  event_streams: counted(2, 10, 20, 50),
  hosts: counted(0, 0, 0, 1000),
} as const satisfies Record<string, LimitRow>

/** The name of a limit. */
export type LimitName = keyof typeof limits

/** All limits, in the order in which they are listed. */
export const limitNames = Object.keys(limits) as LimitName[]

/** The highest value that a limit allows. */
export const limitValue = nullable(integer({ min: 0, description: 'The most that is allowed. `null`: no limit.' }))
/** The name of a limit in a path. */
export const limitName = text({ min: 1, max: 64, description: 'Name of the limit, such as `instances`.' })

export const limit = resource('Limit', 'One limit of an account and its usage.', {
  object: constant('limit'),
  name: text({ max: 64, description: 'Name of the limit, such as `instances`.' }),
  unit: oneOf(['count', 'bytes', 'node_hours'], { description: 'Unit of the value and the usage.' }),
  value: limitValue,
  used: nullable(
    integer({ min: 0, description: 'How much of the limit is used now. `null`: the limit holds for each resource.' }),
  ),
  scope: oneOf(['account', 'each'], {
    description: '`account`: all of the account together. `each`: each resource, such as the rules of one firewall.',
  }),
  source: oneOf(['trust_level', 'override'], {
    description:
      'Whether it follows from the trust level of the account, or the platform operator set it for this account.',
  }),
})
export type Limit = Static<typeof limit>

export const listLimits = endpoint({
  name: 'list_limits',
  method: 'GET',
  path: '/preview/v2/limits',
  area,
  summary: 'List limits',
  description:
    'Shows each limit of your account, how much of it is used, and whether its trust level or the platform operator ' +
    'set it. A limit that holds for each resource, such as the rules of one firewall, shows no usage. Lowering a ' +
    'limit removes nothing; further resources are refused with `limit_exceeded`.',
  response: shortListOf(limit, limitNames.length),
  access: 'open',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
})

export const getLimit = endpoint({
  name: 'get_limit',
  method: 'GET',
  path: '/preview/v2/limits/:name',
  area,
  summary: 'Get a limit',
  description:
    'Shows the value of one limit of your account, and how much of it is used. `list_limits` names all of them.',
  params: { name: limitName },
  response: limit,
  access: 'open',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['not_found'],
})

export const operations = [listLimits, getLimit] as const
