import { endpoint } from '../kit/endpoint.ts'
import {
  constant,
  dollars,
  integer,
  nullable,
  oneOf,
  optional,
  pageOf,
  pageParameters,
  record,
  repeated,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'

/** The periods that usage is summed by. */
export const usageGranularities = ['hour', 'day', 'month'] as const

/** The most ways to group usage at once. */
export const usageGroupsMax = 3

export const usage = resource('Usage', 'The usage of one period and group.', {
  object: constant('usage'),
  period_start: timestamp({ unit: 'period', description: 'Start of the hour, day or month, in Unix seconds.' }),
  period_end: timestamp({ unit: 'period', description: 'Its end, not included, in Unix seconds.' }),
  group: record(nullable(text({ max: 256 })), {
    max: usageGroupsMax,
    description: 'What the rows are grouped by, and its value. `null`: the pool does not have the tag.',
  }),
  allocated_node_minutes: integer({ unit: 'node_minutes', min: 0, description: 'Node-minutes that the pools own.' }),
  used_node_minutes: integer({
    unit: 'node_minutes',
    min: 0,
    description: 'Node-minutes in which instances were running or failed; never more than are allocated.',
  }),
  bought_dollars: dollars({ description: 'Purchases that were filled in the period.' }),
  sold_dollars: dollars({ description: 'Proceeds of sales that were filled in the period, less their fees.' }),
  effective_cost_dollars: dollars({ description: 'Cost of the node-minutes of the period that were kept.' }),
})
export type Usage = Static<typeof usage>

export const listUsage = endpoint({
  name: 'list_usage',
  method: 'GET',
  path: '/preview/v2/billing/usage',
  area: 'billing',
  summary: 'List usage',
  description:
    'Shows node-minutes and cost by hour, day or month, oldest first. Periods and groups without any usage have no ' +
    'row. Minutes to come count with the nodes that are owned in them now.',
  query: {
    ...pageParameters('usagc'),
    from: timestamp({ description: 'First hour, day or month: its beginning in UTC, in Unix seconds.' }),
    to: timestamp({
      description: 'End, not included: the beginning of an hour, day or month. At most 400 days later, 31 by hour.',
    }),
    granularity: optional(oneOf(usageGranularities, { description: 'Length of a row. Default `day`.' })),
    group_by: repeated(
      text({
        max: 132,
        pattern: '^(?:sku|pool|workspace|tag:[^_,= ][^,= ]{0,127})$',
        form: '`sku`, `pool`, `workspace` or `tag:` and the key of a tag',
      }),
      {
        max: usageGroupsMax,
        description:
          'Split rows: `sku`, `pool`, `workspace`, or a tag of pools such as `tag:team`. Tags are the present tags ' +
          'of the pools. Default: rows are not split.',
      },
    ),
  },
  response: pageOf(usage, 'usagc'),
  access: 'billing:list',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: [
    'invalid_cursor',
    'invalid_range',
    'not_aligned',
    'duplicate_entry',
    'forbidden',
    'mutually_exclusive',
    'range_too_long',
  ],
})

export const operations = [listUsage] as const
