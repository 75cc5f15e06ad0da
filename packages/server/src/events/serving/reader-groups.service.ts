/**
 * The open streams of the event log. Readers of one account with the same filters and rights form a group: an event is
 * read and rendered once for all of them. One poll of the event counters, ten times a second, serves all groups of the
 * process, so a reader that waits costs the database nothing.
 *
 * A group is live, or it catches up. A live group has read everything up to the end of the tail in memory, and what the
 * next poll finds there is written to all its readers. A group that has more to read catches up, page by page, as fast
 * as its readers take them; then it becomes the live group or joins it. A live group catches up again after a burst of
 * events and in another history of the database.
 * Not this file's work: opening a stream (event-streams.service.ts), limits of a stream (core/http/event-stream.ts).
 */
import type { OutgoingStream } from '../../core/http/event-stream.ts'
import type { EventMark } from '../../core/keys/event-cursor.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { type AccountLog, noFilters } from '../log/account-logs.service.ts'
import type { FoundEvents, LogMoment } from '../log/event-reading.service.ts'
import type { Gap, Visibility } from '../log/events.rules.ts'
import { renderFrames } from './event-frames.service.ts'
import { type EventSelection, type EventsQuery, selectionKey } from './event-scopes.service.ts'

/** What a group of readers reads, and how far it is. */
export type GroupReading = EventSelection & {
  readonly query: Pick<EventsQuery, 'since' | 'until'>
  readonly visibility: Visibility
  /** The events that are read at a time while the readers catch up. */
  readonly limit: number
  /** The last event that was read; undefined before the first. */
  mark: EventMark | undefined
  /** Every event up to this position was read, or is none of the reader's. */
  behind: number
  /** The cursor key, its version and the epoch of the database's history in which `behind` was found. */
  key_id: number
  version: number
  epoch: number
  /** Events behind `mark` are missing, and the readers have not been told. */
  gap: Gap | undefined
}

/** Readers of one account with the same filters and rights, at the same place of the log. */
export type ReaderGroup = GroupReading & {
  readonly key: string
  readonly readers: Set<EventReader>
  /** `behind` when the running poll began. */
  known: number
}

/** The groups of one account that the poll serves. */
export type AccountReaders = {
  readonly account_id: string
  readonly live: Map<string, ReaderGroup>
  /** Groups that have caught up and become live with the next poll. */
  readonly joining: Set<ReaderGroup>
  is_busy: boolean
}

/** The readers of one process. */
export type EventReaders = {
  readonly accounts: Map<string, AccountReaders>
  is_polling: boolean
  /** Lets the next poll serve the groups that wait for it. */
  readonly schedulePoll: (runtime: Runtime) => void
}

declare module '../../core/work/services.ts' {
  interface Services {
    /** The open streams of events, in groups that read the same. */
    readonly event_readers: EventReaders
  }
}

/** One open stream of events. */
export type EventReader = {
  readonly stream: OutgoingStream
  /** Whether it goes on after a gap, which it is told, instead of ending. */
  readonly continues: boolean
  group: ReaderGroup | undefined
  /** Called when the reader has taken all bytes, and when it leaves its group. */
  goOn: (() => void) | undefined
}

/** A group of one reader. */
export function groupOf(reading: GroupReading, reader: EventReader): ReaderGroup {
  const { account_id, filters } = reading.scope
  const { action, target, target_type, since, until } = filters
  const key = JSON.stringify([account_id, action, target, target_type, since, until, nameOf(reading.visibility)])
  return { ...reading, key, known: 0, readers: new Set([reader]) }
}

/** Equal for equal rights. */
export function nameOf(visibility: Visibility): string {
  return visibility === 'all' ? visibility : JSON.stringify([...visibility].sort())
}

/** Takes a reader out of its group, into one of its own at the same place. */
export function separate(runtime: Runtime, reader: EventReader, visibility?: Visibility): ReaderGroup {
  const group = reader.group as ReaderGroup
  leaveGroup(runtime, reader)
  const own = groupOf({ ...group, visibility: visibility ?? group.visibility }, reader)
  reader.group = own
  return own
}

/** Takes a reader out of its group. */
export function leaveGroup(runtime: Runtime, reader: EventReader): void {
  const { group } = reader
  if (!group) return
  group.readers.delete(reader)
  reader.group = undefined
  if (group.readers.size === 0) withdraw(runtime, group)
  reader.goOn?.()
}

/** Ends the service of a group by the poll. */
export function withdraw(runtime: Runtime, group: ReaderGroup): void {
  const { accounts } = runtime.services.event_readers
  const account = accounts.get(group.scope.account_id)
  if (!account) return
  account.joining.delete(group)
  if (account.live.get(group.key) === group) account.live.delete(group.key)
  if (account.live.size + account.joining.size === 0) accounts.delete(account.account_id)
}

/** Joins two groups that are at the same place. */
export function merge(group: ReaderGroup, into: ReaderGroup): void {
  for (const reader of group.readers) {
    into.readers.add(reader)
    reader.group = into
  }
}

/** Writes events to all readers of a group. Returns whether there are more. */
export function writeEvents(
  group: ReaderGroup,
  log: AccountLog,
  { generation, found }: LogMoment & { found: FoundEvents },
): boolean {
  const isSealed = group.scope.filters === noFilters
  const key = selectionKey(generation, log, group.scope)
  const { bytes, last, has_more } = renderFrames(found, group.limit, { key, isSealed })
  for (const { stream } of group.readers) stream.write(bytes)
  group.mark = last
  group.behind = Math.max(group.behind, last.position)
  return has_more
}
