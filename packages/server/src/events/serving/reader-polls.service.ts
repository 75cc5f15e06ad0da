/** The poll of the event counters, which serves all live groups of readers (reader-groups.service.ts). */
import { after } from '../../core/base/clock.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { type AccountLog, advanceLog, beginGeneration, findGeneration, useLog } from '../log/account-logs.service.ts'
import { coversBehind, type LogMoment } from '../log/event-reading.service.ts'
import { rangeOf } from '../log/events.rules.ts'
import { followHeads } from '../log/log-heads.service.ts'
import { lastPlace, selectEvents } from '../log/tails.service.ts'
import { catchUp } from './reader-catch-up.service.ts'
import { isCurrent, missesExpired } from './reader-gaps.service.ts'
import {
  type AccountReaders,
  type EventReaders,
  merge,
  type ReaderGroup,
  withdraw,
  writeEvents,
} from './reader-groups.service.ts'

const pollMilliseconds = 100
/** The most events that a poll writes to a live group. After more, its readers catch up at their own pace. */
const liveEventsMax = 200

/** Creates the readers of a process, none open. */
export function createEventReaders(): EventReaders {
  return { accounts: new Map(), is_polling: false, schedulePoll }
}

function schedulePoll(runtime: Runtime): void {
  const readers = runtime.services.event_readers
  if (readers.is_polling) return
  readers.is_polling = true
  after(pollMilliseconds, () => void poll(runtime))
}

async function poll(runtime: Runtime): Promise<void> {
  const readers = runtime.services.event_readers
  const fail = (err: unknown) =>
    runtime.log.debug({ err }, 'The event counters could not be read; the read is repeated.')
  await look(runtime, fail).catch(fail)
  readers.is_polling = false
  if (readers.accounts.size > 0) schedulePoll(runtime)
}

async function look(runtime: Runtime, onFailure: (err: unknown) => void): Promise<void> {
  const { accounts } = runtime.services.event_readers
  for (const { live } of accounts.values()) for (const group of live.values()) group.known = group.behind
  const known = runtime.services.log_heads.current.streams
  const { now, keys_version, ends } = await followHeads(runtime, known, new Set(accounts.keys()))
  const generation = findGeneration(runtime, keys_version)
  if (!generation) return beginGeneration(runtime, keys_version)
  for (const account of accounts.values()) {
    const moment = { generation, now, counter: ends.get(account.account_id)?.position ?? 0 }
    if (account.is_busy || !hasWork(account, moment)) continue
    account.is_busy = true
    const end = () => {
      account.is_busy = false
    }
    // A slow read of one account delays no other.
    void serve(runtime, account, moment).catch(onFailure).then(end)
  }
}

function hasWork({ live, joining }: AccountReaders, moment: LogMoment): boolean {
  if (joining.size > 0) return true
  for (const group of live.values()) {
    if (group.behind < moment.counter || !isCurrent(group, { ...moment, known: group.known }) || isOver(group, moment))
      return true
  }
  return false
}

/** Whether no event of the range can follow. */
function isOver({ query }: ReaderGroup, { now }: LogMoment): boolean {
  return query.until !== undefined && query.until < now
}

/** Brings all groups of an account to the end of its tail. */
async function serve(runtime: Runtime, account: AccountReaders, moment: LogMoment): Promise<void> {
  const { generation, counter } = moment
  const { account_id, live, joining } = account
  const log = useLog(generation, account_id)
  await advanceLog(generation, log, runtime.database.readerOf(account_id), counter)
  for (const group of [...live.values()]) serveFromTail(runtime, group, log, moment)
  for (const group of [...joining]) {
    if (!serveFromTail(runtime, group, log, moment)) continue
    const known = live.get(group.key)
    // One of them may have been served with a later moment.
    if (known && known.behind !== group.behind) continue
    joining.delete(group)
    if (group.readers.size === 0) continue
    if (known) merge(group, known)
    else live.set(group.key, group)
  }
}

/** Writes what the tail has behind the place of a group. Returns whether the group has then read everything. */
function serveFromTail(runtime: Runtime, group: ReaderGroup, log: AccountLog, moment: LogMoment): boolean {
  const { tail } = log
  const range = rangeOf(group.query, group.mark, moment.now)
  const hasAll = group.behind >= Math.max(tail.end, moment.counter)
  const isServed = hasAll || coversBehind(tail, { ...group, range })
  if (!isServed || !isCurrent(group, { ...moment, known: group.known }) || missesExpired(group, log, moment))
    return leaveBehind(runtime, group)
  if (group.behind < tail.end) {
    const selection = selectEvents(tail, range, { ...group, limit: liveEventsMax })
    if (selection.count > 0) writeEvents(group, log, { ...moment, found: { tail, selection } })
    if (selection.has_more) return leaveBehind(runtime, group)
    const last = lastPlace(tail)
    if (last) group.mark = { position: last.position, recorded_at: last.occurred_at }
    group.behind = tail.end
  }
  if (!isOver(group, moment)) return true
  for (const { stream } of [...group.readers]) stream.end()
  return false
}

/** Lets a group catch up that the poll cannot serve. */
function leaveBehind(runtime: Runtime, group: ReaderGroup): false {
  withdraw(runtime, group)
  void catchUp(runtime, group)
  return false
}
