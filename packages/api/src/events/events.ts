import { endpoint } from '../kit/endpoint.ts'
import {
  array,
  constant,
  cursorParameter,
  id,
  idOfAnyKind,
  int64Parameter,
  integer,
  oneOf,
  openOneOf,
  optional,
  pageOf,
  resource,
  type Static,
  text,
  timestamp,
  union,
} from '../kit/schema.ts'
import { eventFill } from '../market/orders.ts'
import { type EventAction, eventActions, reservedEventActions } from './actions.ts'

const area = 'events'

const actions = { ...eventActions, ...reservedEventActions }

/** The actions as a Markdown table, for the reference. */
function actionTable(): string {
  const rows = Object.entries(actions).map(
    ([action, { target_type, meaning }]) => `| \`${action}\` | \`${target_type}\` | ${meaning} |`,
  )
  return ['| Action | Target type | Meaning |', '|---|---|---|', ...rows].join('\n')
}

export const tokenActor = resource('TokenActor', 'The API token whose request caused an event.', {
  type: constant('token'),
  id: id('token'),
})

export const systemActor = resource('SystemActor', 'An automation of the service, or its platform operators.', {
  type: constant('system'),
})

/** The actor of an event. */
export const actor = union('Actor', 'The API token that caused an event, or the service.', {
  variants: [tokenActor, systemActor],
  tag: 'type',
})
export type Actor = Static<typeof actor>

export const eventTarget = resource('EventTarget', 'One resource that an event is about.', {
  type: text({
    min: 1,
    max: 255,
    description: 'Kind of resource: `instance`, `order`, `image`, `account`, `instance_sku`, …',
  }),
  id: text({ min: 1, max: 255, description: 'The id that the rest of the API uses for it.' }),
})
export type EventTarget = Static<typeof eventTarget>

export const event = resource('Event', "One entry of the account's append-only log.", {
  object: constant('event'),
  id: id('event'),
  action: openOneOf(Object.keys(actions) as EventAction[], { description: 'What happened.' }),
  occurred_at: timestamp({ description: 'When it happened, in Unix seconds.' }),
  actor,
  targets: array(eventTarget, {
    min: 1,
    max: 16,
    description: 'The resources that it is about.',
  }),
  fill: optional(eventFill),
  cursor: text({
    max: 2048,
    pattern: '^evtc_[A-Za-z0-9_-]+$',
    description: 'Send it as `starting_after`, with the same filters, to continue right after this event.',
  }),
})
export type Event = Static<typeof event>

const filter = { min: 1, max: 255 }

export const listEvents = endpoint({
  name: 'list_events',
  method: 'GET',
  path: '/preview/v2/events',
  area,
  summary: 'List events',
  description: `Shows the events of the account in the last 7 days, oldest first. Filters combine. Pass the \`cursor\`
of a page as \`starting_after\` to read on. An empty page with \`has_more\` false means that all events so far have been
read: keep the cursor that you sent and poll again. A cursor works only with the filters of its list; with other
filters the response is 400. A cursor that is older than 7 days gives 410: start again without a cursor.

\`stream_events\` sends the same events as they happen, and so does this path with \`Accept: text/event-stream\`.

Events of trades, \`order.partially_filled\` and \`order.filled\`, have the trade as \`fill\`: the fills of all events
of an order add up to its trades.

The list of actions is open: expect actions that are not in this table.

${actionTable()}`,
  query: {
    starting_after: optional(
      cursorParameter(
        'evtc',
        'Start after this event: the cursor of an event or of a page. Default: the oldest event.',
      ),
    ),
    limit: optional(
      integer({ min: 1, max: 200, default: 50, description: 'Events on a page; may change between pages.' }),
    ),
    action: optional(text({ ...filter, description: 'Only events with exactly this action, such as `order.filled`.' })),
    target: optional(idOfAnyKind({ description: 'Only events about this resource: its id.' })),
    target_type: optional(
      text({
        ...filter,
        description:
          'Only events about this kind of resource, such as `instance`. Adds nothing where `action` is given.',
      }),
    ),
    since: optional(
      int64Parameter({ description: 'Only events that happened at this time or later, in Unix seconds.' }),
    ),
    until: optional(
      int64Parameter({ description: 'Only events that happened at this time or earlier, in Unix seconds.' }),
    ),
    on_gap: optional(
      oneOf(['continue'], {
        description:
          'For a stream: if the cursor is too old, continue with the oldest events. Default: such a cursor gets 410.',
      }),
    ),
  },
  response: pageOf(event, 'evtc', {
    has_more: 'Whether more events are available after this page. Never true of an empty page.',
  }),
  access: 'event:list',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  rate: 'events',
  errors: ['invalid_cursor', 'invalid_range', 'gone'],
  also_stream: {
    name: 'stream_events',
    path: '/preview/v2/events/stream',
    summary: 'Stream events',
    description: `The events of \`list_events\`, in its order, each once, as server-sent events with the cursor as
\`id\`. The stream begins after \`Last-Event-ID\`, else after \`starting_after\`, else with the oldest event;
\`limit\` is the number of events that are read at a time. Where \`until\` has passed, it ends with the last event. A
reader that leaves more than 256 KiB unread, or takes nothing for a minute, is disconnected. If its cursor is gone, a
reader that sent \`on_gap=continue\` gets one \`event: gap\`, whose \`id\` is the oldest cursor, and then the oldest
events.

An account may have \`event_streams\` streams open. Filters, rights and the rate are those of \`list_events\`.`,
    own_query: ['on_gap'],
  },
})

export const operations = [listEvents] as const
