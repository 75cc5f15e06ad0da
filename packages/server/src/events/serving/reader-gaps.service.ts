/** Gaps: events behind the last one of a reader that it can no longer read (docs/concepts/events.md, "Cursors"). */
import { hourSeconds } from '@bourse/text/time/units.ts'
import type { EventMark } from '../../core/keys/event-cursor.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { type AccountLog, advanceLog, useLog } from '../log/account-logs.service.ts'
import { type LogMoment, readEvents } from '../log/event-reading.service.ts'
import { type Gap, isKept, rangeOf } from '../log/events.rules.ts'
import { firstBehind, markAt } from '../log/tails.service.ts'
import { renderGap } from './event-frames.service.ts'
import { isLostPlace, selectionKey } from './event-scopes.service.ts'
import type { ReaderGroup } from './reader-groups.service.ts'

/** The age of a cursor that marks the end of an empty log: no running transaction began before. Seconds. */
const emptyLogAge = hourSeconds

/** Whether events behind the place of a group are missing. `known` is its place before the moment was read. */
export async function findGap(
  runtime: Runtime,
  group: ReaderGroup,
  moment: LogMoment & { known: number },
): Promise<Gap | undefined> {
  const { generation, counter, known } = moment
  const { account_id } = group.scope
  if (!isCurrent(group, moment)) {
    const key = generation.keys.find(group.key_id)
    if (!key || key.ended) return 'reset'
    const place = { account_id, position: known, history: key.history, counter }
    if (await isLostPlace(runtime, generation, place)) return 'lost_commits'
    settle(group, moment)
  }
  const log = useLog(generation, account_id)
  if (mayMissExpired(group, moment)) {
    await advanceLog(generation, log, runtime.database.readerOf(account_id), counter)
    if (missesExpired(group, log, moment)) return 'expired'
  }
  return undefined
}

/** Whether the place of a group belongs to the present history and the present cursor keys. */
export function isCurrent(
  { version, epoch }: ReaderGroup,
  { generation, counter, known }: LogMoment & { known: number },
): boolean {
  return version === generation.version && epoch === generation.epoch && known <= counter
}

function settle(group: ReaderGroup, { generation }: LogMoment): void {
  group.version = generation.version
  group.epoch = generation.epoch
  group.key_id = generation.keys.current.key_id
}

function mayMissExpired({ mark, behind }: ReaderGroup, { now, counter }: LogMoment): boolean {
  return mark !== undefined && behind < counter && !isKept(mark.recorded_at, now)
}

/** Whether an event has expired that the group has not read. Its last event may be older without a gap. */
export function missesExpired(group: ReaderGroup, { tail }: AccountLog, moment: LogMoment): boolean {
  if (!mayMissExpired(group, moment)) return false
  const next = firstBehind(tail, group.behind)
  return next?.position !== group.behind + 1 || !isKept(next.recorded_at, moment.now)
}

/** Tells the readers that events are missing. Those that do not continue reconnect, and get 410. */
export async function passGap(runtime: Runtime, group: ReaderGroup, moment: LogMoment): Promise<void> {
  for (const { continues, stream } of [...group.readers]) if (!continues) stream.end()
  if (group.readers.size === 0) return
  const mark = await readOldest(runtime, group, moment)
  const log = useLog(moment.generation, group.scope.account_id)
  const text = renderGap(selectionKey(moment.generation, log, group.scope), mark, group.gap as Gap)
  for (const { stream } of group.readers) stream.write(text)
  group.gap = undefined
  group.mark = mark
  group.behind = mark.position
  settle(group, moment)
}

/** The place before the oldest event that can be listed. */
async function readOldest(runtime: Runtime, { scope }: ReaderGroup, moment: LogMoment): Promise<EventMark> {
  const { generation, now, counter } = moment
  const { account_id } = scope
  const db = runtime.database.readerOf(account_id)
  const range = rangeOf({}, undefined, now)
  const all = {
    account_id,
    db,
    wanted: undefined,
    visibility: 'all',
    limit: 1,
    now,
    counter,
    range,
    behind: 0,
  } as const
  return readEvents(generation, useLog(generation, account_id), all, (found) => {
    if (!found) return { position: counter, recorded_at: now - emptyLogAge }
    const first = 'page' in found ? found.page.marks[0] : markAt(found.tail, found.selection.from)
    const { position, recorded_at } = first as EventMark
    return { position: position - 1, recorded_at }
  })
}
