/**
 * `bourse events list`: the newest events first, with the names of what they are about. The API lists the oldest first,
 * so this reads windows of time that grow into the past.
 */

import { eventActions, reservedEventActions } from '@bourse/api/events/actions.ts'
import { type Event, listEvents } from '@bourse/api/events/events.ts'
import type { Client } from '@bourse/sdk/client.ts'
import type { Query } from '@bourse/sdk/client-types.ts'
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import type { Command } from 'commander'
import { type CommandContext, type GlobalOptions, openSession, type Session } from '../input/session.ts'
import { unknownWord } from '../input/suggestions.ts'
import { readTime } from '../input/times.ts'
import { emptyText } from '../output/empty-lists.ts'
import { namesOf, withNames } from '../output/event-names.ts'
import { type List, printList, requirePrintable } from '../output/output.ts'
import { readRowChoice, styleFor } from './operation-rows.ts'
import { readCount, shapeOf } from './operation-run.ts'

type EventsListOptions = GlobalOptions & {
  readonly oldestFirst?: boolean
  readonly startingAfter?: string
  readonly watch?: boolean
  readonly limit?: string
  readonly all?: boolean
  readonly action?: string
  readonly target?: string
  readonly targetType?: string
  readonly since?: string
  readonly until?: string
  readonly filter?: readonly string[]
  readonly sort?: string
}
type Filters = Omit<Query<'list_events'>, 'limit' | 'since' | 'until' | 'starting_after'>
type Range = { readonly since: number | undefined; readonly until: number | undefined }

const pageRows = 200
/** How far back each window begins, in seconds. What is older is read last, without a beginning. */
const reaches = [60, 600, hourSeconds, 21_600, daySeconds]

/** Adds the option to the command. */
export function addEventOrder(events: Command): void {
  const command = events.commands.find((one) => one.name() === 'list')
  command?.option(
    '--oldest-first',
    'Show the oldest events first; with -o json each has its cursor then. --starting-after does the same.',
  )
}

/** Lists events; undefined where the operation itself does what the options ask for. */
export function listNewestEvents(context: CommandContext, options: EventsListOptions): Promise<void> | undefined {
  const { action, targetType, startingAfter } = options
  warnOfUnknown(context, { action, target_type: targetType })
  if (options.watch || options.curl) return undefined
  const isOldestFirst = options.oldestFirst || startingAfter !== undefined
  const session = openSession(context, options)
  if (isOldestFirst && session.output.format !== 'table') return undefined
  return list(session, options, isOldestFirst ? readOldest : readNewest)
}

const kinds = [...new Set(Object.values(eventActions).map(({ target_type }) => target_type))]
const known = {
  action: Object.keys({ ...eventActions, ...reservedEventActions }),
  target_type: [...kinds, 'workspace', 'pool', 'user'],
}

/** The server takes any action, because newer ones may come; an unknown one is most likely a misspelled one. */
function warnOfUnknown({ terminal }: CommandContext, typed: Partial<Record<keyof typeof known, string | undefined>>) {
  const words = { action: 'action', target_type: 'kind of resource' }
  for (const name of ['action', 'target_type'] as const) {
    const text = typed[name]
    if (text !== undefined && !known[name].includes(text)) terminal.note(unknownWord(words[name], text, known[name]))
  }
}

type Read = (
  session: Session,
  request: { filters: Filters; range: Range; most: number; options: EventsListOptions },
) => Promise<List>

async function list(session: Session, options: EventsListOptions, read: Read): Promise<void> {
  const { terminal, output, lookup } = session
  const shape = shapeOf(listEvents)
  requirePrintable(output, shape)
  const { action, target, targetType: target_type } = options
  const given = Object.entries({ action, target, target_type }).filter(([, value]) => value !== undefined)
  const filters = Object.fromEntries(given) as Filters
  const timeOf = async (text: string | undefined) => (text === undefined ? undefined : readTime(session, text))
  const range = { since: await timeOf(options.since), until: await timeOf(options.until) }
  const choice = await readRowChoice(session, shape, options)
  const most = options.all ? Number.POSITIVE_INFINITY : readCount(options.limit)
  const found = await read(session, { filters, range, most, options })
  const has_filters = choice.isFiltered || given.length > 0 || range.since !== undefined || range.until !== undefined
  const empty = emptyText(listEvents.name, { has_filters, has_cursor: options.startingAfter !== undefined })
  const rows = choice.take(found.data) as readonly Event[]
  const isNamed = output.format === 'table' && !output.exact && !options.ids
  const data = isNamed ? withNames(rows, await namesOf(lookup, rows)) : rows
  printList(terminal, output, { ...found, data }, { ...shape, empty }, await styleFor(session, shape, data))
}

/** Reads windows from the newest to the oldest until there are enough events. Keeps no more than it will show. */
const readNewest: Read = async ({ client, lookup }, { filters, range: { since, until }, most }) => {
  const now = until ?? (await lookup.account.get()).server.now
  let newest: Event[] = []
  let end = until
  for (const reach of [...reaches, undefined]) {
    const isLast = reach === undefined || (since !== undefined && now - reach <= since)
    const start = isLast ? since : now - reach
    const older = await lastOf(client, { filters, range: { since: start, until: end }, most: most + 1 - newest.length })
    newest = [...newest, ...older.reverse()]
    if (isLast || newest.length > most) break
    end = (start as number) - 1
  }
  // Their cursors hold for the windows that were read, so they would be refused everywhere else.
  const data = newest.slice(0, most).map(({ cursor: _, ...event }) => event)
  return { object: 'list', data, has_more: newest.length > most }
}

type Window = { readonly filters: Filters; readonly range: Range; readonly most: number }

/** The last events of a window, oldest first. */
async function lastOf(client: Client, { filters, range, most }: Window): Promise<Event[]> {
  const bounds = Object.fromEntries(Object.entries(range).filter(([, moment]) => moment !== undefined))
  let last: Event[] = []
  for await (const event of client.events.list({ ...filters, ...bounds, limit: pageRows } as Query<'list_events'>)) {
    last.push(event as Event)
    if (last.length >= 2 * most + pageRows) last = last.slice(-most)
  }
  return last.slice(-most)
}

const readOldest: Read = async ({ client }, { filters, range, most, options: { startingAfter } }) => {
  const bounds = Object.fromEntries(Object.entries(range).filter(([, moment]) => moment !== undefined))
  const after = startingAfter === undefined ? {} : { starting_after: startingAfter }
  const query = { ...filters, ...bounds, ...after } as Query<'list_events'>
  let page = await client.events.list({ ...query, limit: Math.min(pageRows, most) })
  const data = [...page.data]
  while (page.has_more && data.length < most) {
    const limit = Math.min(pageRows, most - data.length)
    page = await client.events.list({ ...query, limit, starting_after: page.cursor as `evtc_${string}` })
    data.push(...page.data)
  }
  const { has_more, cursor } = page
  return { object: 'list', data, has_more, ...(cursor === undefined ? {} : { cursor }) }
}
