import { type Db, type Statement, statement } from '../../core/db/db.ts'
import { type EventMark, eventCursorLength } from '../../core/keys/event-cursor.ts'
import type { DayRange } from './event-days.rules.ts'
import type { EventRange, ReadPage, Visibility, WantedEvents } from './events.rules.ts'

const shown = 'position, occurred_at, body'
const inRange =
  'account_id = $1 and (occurred_at, position) > ($2, $3) and occurred_at <= $4 and stored_on between $6 and $7'
const inOrder = 'order by occurred_at, position'
const workspace = "coalesce(workspace_id, '')"

type PageRow = { readonly events: string | null; readonly marks: string | null }

/** The text after a body: blanks for its cursor, and the comma before the next event. */
const room = `'${' '.repeat(eventCursorLength)}"},'`

/** The bytes after a cursor: quote, brace, comma. */
const behindCursor = 3

/**
 * A statement that returns a page as one text, in the layout of the response. Parsing and joining 51 rows of three
 * columns takes half of the server's time for a page.
 */
function pageOf(name: string, text: string, before = ''): Statement<PageRow> {
  const mark = "position || ' ' || occurred_at || ' ' || octet_length(body)"
  return statement(
    name,
    `${before}
     select string_agg(body || ${room}, '') as events, string_agg(${mark}, ',') as marks
     from (
       ${text}
     ) listed`,
  )
}

const listAll = pageOf(
  'events.list_all',
  `select ${shown}
   from events
   where ${inRange}
   ${inOrder}
   limit $5`,
)

/**
 * The events of a range with some values in `columns`. The row comparison makes PostgreSQL use the index that begins
 * with these columns. With `=` instead, the planner estimates one row for each index that begins with the account,
 * because most accounts have few events. For a busy account it can then choose an index that reads all its other
 * events.
 */
function rangeWith(columns: string, values: string, rest = ''): string {
  return `select ${shown}
    from events
    where account_id = $1
      and (${columns}, occurred_at, position) > (${values}, $2, $3)
      and (${columns}, occurred_at) <= (${values}, $4)
      and stored_on between $6 and $7 ${rest}
    order by ${columns}, occurred_at, position
    limit $5`
}

/** Merges the ranges of some workspaces. Reads at most a page of each. */
function mergeWorkspaces(workspaces: string, range: string): string {
  return `select ${shown}
    from ${workspaces} as w(workspace_id)
    cross join lateral (
      ${range}
    ) e
    ${inOrder}
    limit $5`
}

/**
 * Finds the workspaces of events with $10 in `column` in the days from $8 on, whose workspaces are unknown. Each step
 * of the recursion finds the next workspace in the index, which the row comparison chooses as in {@link rangeWith}.
 */
function withWorkspaces(column: string): string {
  const next = (from: string) => `select ${workspace} as w
      from events
      where account_id = $1 and (${column}, ${workspace}) ${from} and ${column} <= $10 and stored_on >= $8
      order by ${column}, ${workspace}
      limit 1`
  return `with recursive found(w) as (
    (
      ${next(`>= ($10, '')`)}
    )
    union all
    select (
      ${next('> ($10, found.w)')}
    )
    from found
    where found.w is not null
  )`
}

const known = 'unnest($8::text[])'
const knownAndFound = `(
      select unnest($9::text[]) as w
      union
      select w from found where w is not null
    )`

/** By action in a workspace. The parameter after `at` is a target type or null. */
function ofAction(at: number, workspaceId: string): string {
  const isOfType = `and ($${at + 1}::text is null or target_type = $${at + 1})`
  return rangeWith(`action, ${workspace}`, `$${at}, ${workspaceId}`, isOfType)
}

/** By target type in a workspace. */
function ofTargetType(at: number, workspaceId: string): string {
  return rangeWith(`target_type, ${workspace}`, `$${at}, ${workspaceId}`)
}

const each = 'w.workspace_id'
const listVisible = pageOf('events.list_visible', mergeWorkspaces(known, rangeWith(workspace, each)))
// The events of one workspace are in order, so they need no merge.
const listActionIn = pageOf('events.list_action_in', ofAction(9, '$8'))
const listTargetTypeIn = pageOf('events.list_target_type_in', ofTargetType(9, '$8'))
const listAction = pageOf('events.list_action', mergeWorkspaces(known, ofAction(9, each)))
const listTargetType = pageOf('events.list_target_type', mergeWorkspaces(known, ofTargetType(9, each)))
const findAction = pageOf(
  'events.find_action',
  mergeWorkspaces(knownAndFound, ofAction(10, each)),
  withWorkspaces('action'),
)
const findTargetType = pageOf(
  'events.find_target_type',
  mergeWorkspaces(knownAndFound, ofTargetType(10, each)),
  withWorkspaces('target_type'),
)
// A target has few events, so the other filters need no index.
const listTarget = pageOf(
  'events.list_target',
  rangeWith(
    'target_id',
    '$8',
    `and ($9::text is null or action = $9) and ($10::text is null or target_type = $10)
     and ($11::text[] is null or ${workspace} = any($11))`,
  ),
)

/** The wanted and visible events of a range in some days, oldest first. Reads few events that it does not return. */
export async function listEvents(
  db: Db,
  accountId: string,
  { after, until }: EventRange,
  { wanted, visibility, limit, days }: { wanted: WantedEvents; visibility: Visibility; limit: number; days: DayRange },
): Promise<ReadPage> {
  const range = [accountId, after.occurred_at, after.position, until, limit, days.from, days.to]
  const read = async (text: Statement<PageRow>, ...more: unknown[]) =>
    readMarks(await db.row(text, [...range, ...more]))
  const seen = visibility === 'all' ? undefined : [...visibility]
  const { target, action, target_type } = wanted
  if (target !== undefined) return read(listTarget, target, action ?? null, target_type ?? null, seen ?? null)
  const isPlain = action === undefined && target_type === undefined
  if (isPlain) return seen ? read(listVisible, seen) : read(listAll)
  const sort = action === undefined ? [target_type] : [action, target_type ?? null]
  const workspaces = days.unknown_from === undefined ? days.workspaces : seen
  if (workspaces?.length === 1) {
    return read(action === undefined ? listTargetTypeIn : listActionIn, workspaces[0], ...sort)
  }
  if (workspaces) return read(action === undefined ? listTargetType : listAction, workspaces, ...sort)
  return read(action === undefined ? findTargetType : findAction, days.unknown_from, days.workspaces, ...sort)
}

/** Reads `position second length,position second length`. */
function readMarks(row: PageRow | undefined): ReadPage {
  const marks: EventMark[] = []
  const lengths: number[] = []
  const { marks: text, events } = row ?? {}
  if (text == null || events == null) return { marks, lengths, text: '' }
  const behind = eventCursorLength + behindCursor
  const figures = [0, 0, 0]
  let which = 0
  // Parses digit by digit, because 51 splits, slices and conversions take as long as the query.
  for (let i = 0; i <= text.length; i++) {
    const digit = text.charCodeAt(i) - 48
    if (digit >= 0 && digit <= 9) figures[which] = (figures[which] as number) * 10 + digit
    else if (which < 2) which++
    else {
      marks.push({ position: figures[0] as number, recorded_at: figures[1] as number })
      lengths.push((figures[2] as number) + behind)
      figures.fill(0)
      which = 0
    }
  }
  return { marks, lengths, text: events }
}
