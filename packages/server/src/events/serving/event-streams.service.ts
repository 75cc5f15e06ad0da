import { throwIfRefused } from '../../core/base/refusal.ts'
import type { StreamPlan, StreamRequest } from '../../core/http/long-responses.ts'
import type { OpenedEventCursor } from '../../core/keys/event-cursor.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { limitValue } from '../../iam/accounts/limits.service.ts'
import { useLog } from '../log/account-logs.service.ts'
import { type LogMoment, readEvents, readMoment } from '../log/event-reading.service.ts'
import { type Gap, gapBehind, rangeOf, refuseGap, refuseRange } from '../log/events.rules.ts'
import {
  askedBy,
  type EventSelection,
  type EventsQuery,
  isLostPlace,
  openCursor,
  visibilityOf,
} from './event-scopes.service.ts'
import { addReader, type ReadingStart } from './reader-catch-up.service.ts'

const defaultLimit = 200

/**
 * Opens a stream of the events that the caller may list: those after the last one that the reader has, else from the
 * oldest on, and all that follow. Undefined if the reader has all events of a range that has passed.
 */
export async function openEventStream(
  ctx: Ctx,
  query: EventsQuery,
  request: StreamRequest,
): Promise<StreamPlan | undefined> {
  const { runtime, query_text } = request
  const caller = callerOf(ctx)
  const { account_id } = caller
  const asked = askedBy(account_id, query, query_text)
  const moment = await readMoment(runtime, account_id)
  throwIfRefused(refuseRange(query, moment.now))
  const cursor = cursorOf(moment, asked, query, request)
  const continues = query.on_gap === 'continue'
  const gap = cursor && (await findGap(request, cursor, { ...moment, account_id }))
  if (!continues) throwIfRefused(refuseGap(gap))
  const start: ReadingStart = {
    ...asked,
    query,
    visibility: visibilityOf(caller),
    limit: query.limit ?? defaultLimit,
    mark: cursor && { position: cursor.position, recorded_at: cursor.recorded_at },
    behind: cursor?.position ?? 0,
    gap,
    moment,
    continues,
  }
  if (!gap && query.until !== undefined && query.until < moment.now && !(await hasMore(ctx, start))) return undefined
  const streams_max = await limitValue(ctx, 'event_streams')
  return { streams_max, source: (stream) => addReader(runtime, start, stream) }
}

/** The id of the last event that the reader has wins over the cursor of the query. */
function cursorOf(
  { generation }: LogMoment,
  { scope }: EventSelection,
  { starting_after }: EventsQuery,
  { last_event_id }: StreamRequest,
): OpenedEventCursor | undefined {
  const log = useLog(generation, scope.account_id)
  if (last_event_id !== undefined) return openCursor(generation, log, scope, last_event_id, 'Last-Event-ID')
  if (starting_after === undefined) return undefined
  return openCursor(generation, log, scope, starting_after, 'starting_after')
}

async function findGap(
  { runtime }: StreamRequest,
  cursor: OpenedEventCursor,
  { generation, now, counter, account_id }: LogMoment & { account_id: string },
): Promise<Gap | undefined> {
  const gap = gapBehind(cursor, now)
  if (gap) return gap
  return (await isLostPlace(runtime, generation, { ...cursor, account_id, counter })) ? 'lost_commits' : undefined
}

function hasMore({ db }: Ctx, { scope, wanted, visibility, query, mark, behind, moment }: ReadingStart) {
  const { generation, now, counter } = moment
  const { account_id } = scope
  const range = rangeOf(query, mark, now)
  const first = { account_id, db, wanted, visibility, limit: 1, now, counter, range, behind }
  return readEvents(generation, useLog(generation, account_id), first, (found) => found !== undefined)
}
