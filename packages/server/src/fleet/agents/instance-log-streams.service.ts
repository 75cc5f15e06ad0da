/** Streams console output as it is written. All streams of a process share one query for new chunks. */
import type { LogChunk, listInstanceLogs as listContract } from '@bourse/api/fleet/instance-access.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import type { Log } from '../../core/base/log.ts'
import { createNotifier, type Notifier } from '../../core/base/notifier.ts'
import { refuse } from '../../core/base/refusal.ts'
import type { Database, Db } from '../../core/db/db.ts'
import { pulled, type StreamEntry } from '../../core/http/event-stream.ts'
import type { StreamPlan, StreamRequest } from '../../core/http/long-responses.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { allow } from '../../iam/access/permissions.service.ts'
import { limitValue } from '../../iam/accounts/limits.service.ts'
import { loadInstance } from '../instances/instances.service.ts'
import { hasEndedLogs, listChangedLogs } from './instance-log-streams.store.ts'
import { readChunks } from './instance-logs.service.ts'

type LogsQuery = Input<typeof listContract>['query']
type LogReading = { readonly db: Db; readonly id: Id<'instance'>; readonly from: number; readonly query: LogsQuery }

/** Chunks per read by default, and the most chunks of a slow reader that are kept in memory. */
const stepByDefault = 100
const stepMax = 250

/**
 * Opens a stream of the console after the last chunk that the reader has, else at the start of the range. The stream
 * ends with the last chunk of the range, or of a machine that is gone; undefined if the reader already has that chunk.
 */
export async function openLogStream(
  ctx: Ctx,
  ref: Ref<'instance'>,
  query: LogsQuery,
  { runtime, last_event_id }: StreamRequest,
): Promise<StreamPlan | undefined> {
  const instance = await loadInstance(ctx, ref)
  await allow(ctx, 'instance:read', instance)
  if (query.sort_by === '-seqnum') refuse('mutually_exclusive', 'A stream is always oldest first.', 'sort_by')
  const resumed = last_event_id === undefined ? undefined : readEventId(last_event_id) + 1
  const reading = { db: ctx.db, id: instance.id, from: resumed ?? query.seqnum_after ?? 0, query }
  if (resumed !== undefined && (await isOver(runtime, reading)) && (await readStep(reading)).length === 0) {
    return undefined
  }
  const streams_max = await limitValue(ctx, 'event_streams')
  return { streams_max, source: pulled((signal) => followLogs(runtime, reading, signal)) }
}

async function* followLogs(
  runtime: Runtime,
  start: LogReading,
  signal: AbortSignal,
): AsyncGenerator<readonly StreamEntry[], void, void> {
  let reading = start
  while (!signal.aborted) {
    // Checked before the read, so that the read includes everything that was written before the end.
    const ends = await isOver(runtime, reading)
    const chunks = await readStep(reading)
    const last = chunks.at(-1)
    if (last) {
      yield chunks.map((chunk) => ({ id: String(chunk.seqnum), data: JSON.stringify(chunk) }))
      reading = { ...reading, from: last.seqnum + 1 }
      continue
    }
    if (ends) return
    await runtime.services.log_notifier.wait(reading.id, reading.from - 1, signal)
  }
}

async function readStep({ db, id, from, query }: LogReading): Promise<LogChunk[]> {
  const { seqnum_before = null, logged_after = null, logged_before = null, limit = stepByDefault } = query
  return readChunks(db, id, {
    sort_by: 'seqnum',
    seqnum_after: from,
    seqnum_before,
    logged_after,
    logged_before,
    limit: Math.min(limit, stepMax),
  })
}

/** Whether no further chunk of the range can be written. */
async function isOver(runtime: Runtime, { db, id, from, query }: LogReading): Promise<boolean> {
  if (query.seqnum_before !== undefined && from > query.seqnum_before) return true
  if (query.logged_before !== undefined && (await runtime.services.readSnapshot()).now > query.logged_before)
    return true
  return hasEndedLogs(db, id)
}

declare module '../../core/work/services.ts' {
  interface Services {
    /** Wakes the readers of consoles when one has new lines. */
    readonly log_notifier: Notifier
  }
}

/** Makes the notifier of a server: it polls for new console lines while readers wait. */
export function createLogNotifier({ database, log }: { database: Database; log: Log }): Notifier {
  return createNotifier({
    findChanged: (waiting) => listChangedLogs(database.reader, waiting.all()),
    onFailure: (err) => log.debug({ err }, 'New console lines could not be read; the read is repeated.'),
  })
}

function readEventId(text: string): number {
  const seqnum = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(seqnum)) return seqnum
  refuse('invalid_format', 'Event ids of this stream are sequence numbers.', 'Last-Event-ID')
}
