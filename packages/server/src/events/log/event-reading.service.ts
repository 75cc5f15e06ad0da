/** Reads the events after a place: from the tail in memory where it has all of them, else from the database. */
import type { Db } from '../../core/db/db.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import {
  type AccountLog,
  advanceLog,
  beginGeneration,
  findGeneration,
  type Generation,
  noFilters,
  tailLength,
  useDays,
} from './account-logs.service.ts'
import { cursorKeysVersion } from './cursor-keys.service.ts'
import { daysOfPage } from './event-days.rules.ts'
import { listEvents } from './event-reading.store.ts'
import type { EventRange, ReadPage, Visibility, WantedEvents } from './events.rules.ts'
import { covers, type EventTail, type Selection, selectEvents } from './tails.service.ts'

/** The state of an account's log as one snapshot shows it. */
export type LogMoment = {
  readonly generation: Generation
  /** The business clock. */
  readonly now: number
  /** The account's counter: every event up to it was committed before the moment. */
  readonly counter: number
}

/** The events that a reader looks for, at a moment. */
export type SoughtEvents = Omit<LogMoment, 'generation'> & {
  readonly account_id: string
  readonly db: Db
  readonly wanted: WantedEvents | undefined
  readonly visibility: Visibility
  readonly limit: number
}

/** Where a reading starts. The reader has read or may not see any event up to the position `behind`. */
type PageStart = { readonly range: EventRange; readonly behind: number }

/** Events in the tail, or read from the database with one more than the limit where there are more. */
export type FoundEvents = { readonly tail: EventTail; readonly selection: Selection } | { readonly page: ReadPage }

/** The versions that a snapshot needs to show a moment. */
const momentVersions = [cursorKeysVersion]

/** The log of an account now. */
export async function readMoment(runtime: Runtime, account_id: string): Promise<LogMoment> {
  for (;;) {
    const snapshot = await runtime.services.readSnapshot({ account_id, versions: momentVersions })
    const version = snapshot.version(cursorKeysVersion)
    const generation = findGeneration(runtime, version)
    if (generation) return { generation, now: snapshot.now, counter: snapshot.position(account_id) }
    await beginGeneration(runtime, version)
  }
}

/** Uses the found events at once: the tail moves them when it grows. Undefined: there are none up to the counter. */
type UseEvents<T> = (found: FoundEvents | undefined) => T

/** Reads the first events after a place. */
export function readEvents<T>(
  generation: Generation,
  log: AccountLog,
  sought: SoughtEvents & PageStart,
  use: UseEvents<T>,
): T | Promise<T> {
  const { counter, range, behind, db } = sought
  if (range.after.position >= counter || behind >= counter) return use(undefined)
  if (counter - behind > tailLength && !coversBehind(log.tail, sought)) {
    return readFromDatabase(generation, log, sought, use)
  }
  if (log.tail.end >= counter) return readFromTail(generation, log, sought, use)
  return advanceLog(generation, log, db, counter).then(() => readFromTail(generation, log, sought, use))
}

/** Whether the tail contains every event that a reader may need. Events up to `behind` are not needed. */
export function coversBehind(tail: EventTail, { range, behind }: PageStart): boolean {
  // A tail that was never loaded ends at 0 and contains no event.
  if (tail.end === 0) return false
  return covers(tail, range.after) || behind >= (tail.positions[0] ?? Number.POSITIVE_INFINITY) - 1
}

function readFromTail<T>(
  generation: Generation,
  log: AccountLog,
  sought: SoughtEvents & PageStart,
  use: UseEvents<T>,
): T | Promise<T> {
  const { tail } = log
  if (!coversBehind(tail, sought)) return readFromDatabase(generation, log, sought, use)
  const selection = selectEvents(tail, sought.range, sought)
  return use(selection.count === 0 ? undefined : { tail, selection })
}

async function readFromDatabase<T>(
  generation: Generation,
  log: AccountLog,
  { account_id, db, visibility, limit, now, range, wanted = noFilters }: SoughtEvents & PageStart,
  use: UseEvents<T>,
): Promise<T> {
  const sought = { wanted, visibility, limit: limit + 1 }
  const days = daysOfPage(await useDays(generation, log, db, now), range, sought)
  if (!days) return use(undefined)
  const page = await listEvents(db, account_id, range, { ...sought, days })
  return use(page.marks.length === 0 ? undefined : { page })
}
