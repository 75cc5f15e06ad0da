/**
 * The log for readers inside the server: the whole events of one account behind a place, with the cursors of the list
 * without filters. They come from the tail in memory that polls use where it goes back far enough, else from the
 * database. Not this file's work: who reads, and how far (webhooks).
 */
import { refuse, throwIfRefused } from '../../core/base/refusal.ts'
import { readCommonPosition } from '../../core/db/history.ts'
import { eventCursorKey, eventCursorLength, openEventCursor, sealEventCursors } from '../../core/keys/event-cursor.ts'
import type { CursorKeys } from '../../core/keys/keys.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import {
  type AccountLog,
  advanceLog,
  beginGeneration,
  findGeneration,
  noFilters,
  readBehind,
  tailLength,
  useLog,
} from './account-logs.service.ts'
import { gapBehind, goneCursors, type LogPosition, refuseGap, retentionSeconds } from './events.rules.ts'
import { findLastBefore } from './feed.store.ts'
import { findLogEnd, type LogHeads } from './log-heads.service.ts'
import { covers, type EventTail, findBehind } from './tails.service.ts'

export type { LogPosition }

/** An event of a feed. */
export type FeedEvent = LogPosition & {
  readonly id: string
  readonly action: string
  readonly target_type: string
  readonly target_id: string
  /** The event as JSON up to its cursor. */
  readonly body: string
  readonly cursor: string
}

/** What follows the cursor in the JSON of an event, and what stands before its id (core/work/event-log.ts). */
const ending = '"}'
const beginning = '{"object":"event","id":"'

/** The event as JSON, as the event list shows it without filters. */
export function jsonOf({ body, cursor }: Pick<FeedEvent, 'body' | 'cursor'>): string {
  return body + cursor + ending
}

/**
 * The first `limit` events of an account behind a place, oldest first; if there are fewer, all up to the end of the log
 * in `heads`. Events that are no longer kept are passed over. Undefined where the read was not complete: repeat it.
 */
export async function readFeed(
  runtime: Runtime,
  account_id: string,
  { after, heads, limit }: { after: LogPosition; heads: LogHeads; limit: number },
): Promise<FeedEvent[] | undefined> {
  const generation = findGeneration(runtime, heads.keys_version)
  if (!generation) {
    // The next read finds it.
    await beginGeneration(runtime, heads.keys_version)
    return undefined
  }
  const end = heads.ends.get(account_id)?.position ?? 0
  if (after.position >= end) return []
  const edge = heads.now - retentionSeconds
  const isCut = after.occurred_at < edge
  const from = isCut ? { occurred_at: edge, position: 0 } : after
  const log = useLog(generation, account_id)
  const db = runtime.database.readerOf(account_id)
  if (end - after.position <= tailLength || covers(log.tail, from)) {
    if (log.tail.end < end) await advanceLog(generation, log, db, end)
    if (covers(log.tail, from)) return eventsOfTail(log.tail, from, limit)
  }
  const events = eventsOf(log, await readBehind(db, account_id, from, limit))
  // A day that is closed during the read may look empty.
  const first = isCut ? events[0]?.position : after.position + 1
  const last = events.at(-1)?.position ?? after.position
  const isDense = events.every(({ position }, index) => position === (first as number) + index)
  const isWhole = events.length === limit || last >= end || (isCut && events.length === 0)
  return isDense && isWhole ? events : undefined
}

function eventsOfTail(tail: EventTail, after: LogPosition, limit: number): FeedEvent[] {
  const first = findBehind(tail, after)
  const last = Math.min(tail.positions.length, first + limit)
  const events: FeedEvent[] = []
  for (let i = first; i < last; i++) {
    // Before the comma: body, cursor, ending.
    const to = (tail.offsets[i + 1] as number) - 1 - ending.length
    const body = tail.bytes.toString('utf8', tail.offsets[i], to - eventCursorLength)
    events.push({
      id: idOf(body),
      position: tail.positions[i] as number,
      occurred_at: tail.moments[i] as number,
      action: tail.actions[i] as string,
      target_type: tail.target_types[i] as string,
      target_id: tail.targets[i] as string,
      body,
      cursor: tail.bytes.toString('latin1', to - eventCursorLength, to),
    })
  }
  return events
}

function eventsOf({ key }: AccountLog, rows: readonly Omit<FeedEvent, 'id' | 'cursor'>[]): FeedEvent[] {
  const cursors = sealEventCursors(
    key,
    rows.map(({ position, occurred_at }) => ({ position, recorded_at: occurred_at })),
  )
  return rows.map(({ position, occurred_at, action, target_type, target_id, body }, i) => {
    const about = { id: idOf(body), position, occurred_at, action, target_type, target_id }
    return { ...about, body, cursor: cursors[i] as string }
  })
}

function idOf(body: string): string {
  return body.slice(beginning.length, body.indexOf('"', beginning.length))
}

/** The cursor of a place in the list without filters. */
export function cursorOf(keys: CursorKeys, account_id: string, { position, occurred_at }: LogPosition): string {
  const key = eventCursorKey(keys.current, { account_id, filters: noFilters })
  return sealEventCursors(key, [{ position, recorded_at: occurred_at }])[0] as string
}

/**
 * The place of a cursor of the list without filters, and the end of the log. Refuses 400 `invalid_cursor`, and 410
 * `gone` as the list does.
 */
export async function openPlainCursor(
  ctx: Ctx,
  { account_id, cursor, field }: { account_id: string; cursor: string; field: string },
): Promise<{ place: LogPosition; end: LogPosition }> {
  const keys = ctx.keys.cursors()
  const opened =
    openEventCursor(keys, { account_id, filters: noFilters }, cursor) ??
    refuse('invalid_cursor', 'This is not a cursor of the event list of this account without filters.', field)
  throwIfRefused(refuseGap(gapBehind(opened, ctx.now)))
  const end = await findLogEnd(ctx, account_id)
  const common =
    opened.history === keys.current.history ? undefined : await readCommonPosition(ctx.db, account_id, opened.history)
  if (opened.position > Math.min(common ?? end.position, end.position)) refuse('gone', goneCursors.lost_commits.message)
  return { place: { position: opened.position, occurred_at: opened.recorded_at }, end }
}

/**
 * The place right before the first event of a moment or later, and the end of the log. Events that are no longer kept
 * are passed over.
 */
export async function findPlaceBefore(
  ctx: Ctx,
  account_id: string,
  since: number,
): Promise<{ place: LogPosition; end: LogPosition }> {
  const edge = Math.max(since, ctx.now - retentionSeconds)
  const place = (await findLastBefore(ctx.db, account_id, edge)) ?? { position: 0, occurred_at: edge }
  return { place, end: await findLogEnd(ctx, account_id) }
}
