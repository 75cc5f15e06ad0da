/** Groups of readers that have more to read than the poll can serve (reader-groups.service.ts). */
import { pause } from '@bourse/text/time/pause.ts'
import { soon } from '../../core/base/clock.ts'
import type { OutgoingStream, StreamFeed } from '../../core/http/event-stream.ts'
import type { Caller } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { useLog } from '../log/account-logs.service.ts'
import { type LogMoment, readEvents, readMoment } from '../log/event-reading.service.ts'
import { rangeOf } from '../log/events.rules.ts'
import { visibilityOf } from './event-scopes.service.ts'
import { findGap, passGap } from './reader-gaps.service.ts'
import {
  type EventReader,
  type GroupReading,
  groupOf,
  leaveGroup,
  nameOf,
  type ReaderGroup,
  separate,
  writeEvents,
} from './reader-groups.service.ts'

/** Where a reader begins. */
export type ReadingStart = Omit<GroupReading, 'key_id' | 'version' | 'epoch'> & {
  readonly moment: LogMoment
  /** Whether a gap is reported and passed over, instead of ending the stream. */
  readonly continues: boolean
}

const retryMilliseconds = 1_000

/** Writes the events after a place to a stream, and all that follow. */
export function addReader(
  runtime: Runtime,
  { moment, continues, ...start }: ReadingStart,
  stream: OutgoingStream,
): StreamFeed {
  const { keys, version, epoch } = moment.generation
  const reading = { ...start, key_id: keys.current.key_id, version, epoch }
  const reader: EventReader = { stream, continues, group: undefined, goOn: undefined }
  reader.group = groupOf(reading, reader)
  void catchUp(runtime, reader.group)
  return {
    drained: () => reader.goOn?.(),
    closed: () => leaveGroup(runtime, reader),
    callerChanged: (caller) => applyRights(runtime, reader, caller),
  }
}

function applyRights(runtime: Runtime, reader: EventReader, caller: Caller): void {
  const visibility = visibilityOf(caller)
  const { group } = reader
  if (!group || nameOf(visibility) === nameOf(group.visibility)) return
  void catchUp(runtime, separate(runtime, reader, visibility))
}

/** Reads page after page until the group has caught up. A failed read is repeated. */
export async function catchUp(runtime: Runtime, group: ReaderGroup): Promise<void> {
  for (;;) {
    try {
      while (await readOn(runtime, group));
      return
    } catch (err) {
      runtime.log.debug({ err }, 'Events could not be read for a stream; the read is repeated.')
      await pause(retryMilliseconds)
    }
  }
}

/** Reads one page. Returns whether there may be more. */
async function readOn(runtime: Runtime, group: ReaderGroup): Promise<boolean> {
  await waitForReaders(runtime, group)
  if (group.readers.size === 0) return false
  const known = group.behind
  const moment = await readMoment(runtime, group.scope.account_id)
  group.gap ??= await findGap(runtime, group, { ...moment, known })
  if (group.gap) {
    await passGap(runtime, group, moment)
    return true
  }
  const hasMore = await readPage(runtime, group, moment)
  if (hasMore || group.readers.size === 0) return hasMore
  awaitPoll(runtime, group)
  return false
}

/** Leaves out readers that have not taken the last page; waits for the last of them. */
async function waitForReaders(runtime: Runtime, group: ReaderGroup): Promise<void> {
  // Connections that have room take the bytes within a turn of the event loop.
  await new Promise<void>(soon)
  for (const reader of [...group.readers]) {
    if (!reader.stream.is_blocked) continue
    if (group.readers.size > 1) void catchUp(runtime, separate(runtime, reader))
    else await drained(reader)
  }
}

/** Resolves when a reader has taken all bytes, or has left its group. */
function drained(reader: EventReader): Promise<void> {
  return new Promise((resolve) => {
    reader.goOn = resolve
  })
}

function readPage(runtime: Runtime, group: ReaderGroup, moment: LogMoment): Promise<boolean> | boolean {
  const { generation, now, counter } = moment
  const { account_id } = group.scope
  const log = useLog(generation, account_id)
  const { wanted, visibility, limit, behind } = group
  const range = rangeOf(group.query, group.mark, now)
  const db = runtime.database.readerOf(account_id)
  const sought = { account_id, db, wanted, visibility, limit, now, counter, range, behind }
  return readEvents(generation, log, sought, (found) => {
    const hasMore = found !== undefined && writeEvents(group, log, { ...moment, found })
    if (!hasMore) group.behind = Math.max(group.behind, counter)
    return hasMore
  })
}

function awaitPoll(runtime: Runtime, group: ReaderGroup): void {
  const { accounts, schedulePoll } = runtime.services.event_readers
  const { account_id } = group.scope
  const account = accounts.get(account_id) ?? { account_id, live: new Map(), joining: new Set(), is_busy: false }
  accounts.set(account_id, account)
  account.joining.add(group)
  schedulePoll(runtime)
}
