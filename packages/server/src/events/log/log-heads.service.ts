/**
 * The ends of the logs that a process follows, for webhooks and for open streams. A poll reads the logs that have
 * changed lately, so logs without new events cost it nothing.
 */
import { monotonicMilliseconds } from '../../core/base/clock.ts'
import type { History, RememberedValue } from '../../core/db/history.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import type { LogPosition } from './events.rules.ts'
import { type HeadsRow, readChangedHeads, readHeads } from './log-heads.store.ts'

/** The ends of some logs at one moment. `now` is the business time in seconds. */
export type LogHeads = {
  readonly now: number
  readonly keys_version: number
  /** The end of the log of each account; accounts without events are missing. */
  readonly ends: ReadonlyMap<string, LogPosition>
}

/** What one follower knows of the logs that it follows. Moments are of the monotonic clock in milliseconds. */
type FollowedHeads = {
  /** The accounts whose end, or that they have no events, was read. */
  readonly known: Set<string>
  readonly ends: Map<string, LogPosition>
  /** The business time of the last read, and when it and the last complete one were made. */
  now: number
  readAt: number
  wholeAt: number
}

/** The heads that a process follows, until the history of the database changes. */
type HeadsFollowers = RememberedValue<{ readonly webhooks: FollowedHeads; readonly streams: FollowedHeads }>

declare module '../../core/work/services.ts' {
  interface Services {
    readonly log_heads: HeadsFollowers
  }
}

/** Up to this number of logs, reading all of them costs less than finding those that have changed. */
const fewLogs = 200
/**
 * A commit shows the time at which its transaction began, ten seconds before at most (`transaction_timeout`). The rest
 * is for the time between two reads.
 */
const lateSeconds = 30
/** A clock that goes back or forward may hide a change until all are read. */
const wholeMilliseconds = 30_000

/** Keeps what the followers of a process know. */
export function rememberLogHeads(history: History): HeadsFollowers {
  return history.remember(() => ({ webhooks: follow(), streams: follow() }))
}

/** A follower that has read nothing. */
export function follow(): FollowedHeads {
  const never = Number.NEGATIVE_INFINITY
  return { known: new Set(), ends: new Map(), now: never, readAt: never, wholeAt: never }
}

/** Reads the ends of the logs of a follower's accounts. Its reads follow one another. */
export async function followHeads(
  { database }: Pick<Runtime, 'database'>,
  heads: FollowedHeads,
  accountIds: ReadonlySet<string>,
): Promise<LogHeads> {
  const began = monotonicMilliseconds()
  const isWhole = accountIds.size <= fewLogs || needsAll(heads, began)
  const asked = isWhole ? [...accountIds] : [...accountIds].filter((id) => !heads.known.has(id))
  const row = await (isWhole
    ? readHeads(database.reader, asked)
    : readChangedHeads(database.reader, asked, heads.now - lateSeconds))
  database.history.observe(row)
  if (isWhole) heads.wholeAt = began
  Object.assign(heads, { now: row.now, readAt: began })
  for (const id of heads.known) {
    if (accountIds.has(id)) continue
    heads.known.delete(id)
    heads.ends.delete(id)
  }
  for (const id of asked) heads.known.add(id)
  for (const [accountId, place] of parseHeads(row)) if (accountIds.has(accountId)) heads.ends.set(accountId, place)
  return { now: row.now, keys_version: row.keys_version, ends: heads.ends }
}

function needsAll({ readAt, wholeAt }: FollowedHeads, now: number): boolean {
  return now - wholeAt > wholeMilliseconds || now - readAt > (lateSeconds * 1000) / 3
}

/** Parses `account position second,account position second`. */
function* parseHeads({ heads }: Pick<HeadsRow, 'heads'>): Iterable<readonly [string, LogPosition]> {
  for (const part of heads?.split(',') ?? []) {
    const [accountId = '', position, occurred_at] = part.split(' ')
    yield [accountId, { position: Number(position), occurred_at: Number(occurred_at) }]
  }
}

/** The end of the log of an account. */
export async function findLogEnd({ db, now }: Ctx, accountId: string): Promise<LogPosition> {
  const [head] = parseHeads(await readHeads(db, [accountId]))
  const [, place] = head ?? []
  return place && place.position > 0 ? place : { position: 0, occurred_at: now }
}
