import { every, pause } from '../core/base/clock.ts'
import type { Log } from '../core/base/log.ts'
import type { Database, Db } from '../core/db/db.ts'
import { retentionSeconds } from './events.rules.ts'
import * as store from './partitions.store.ts'

const daysAhead = 3
const upkeepMilliseconds = 30 * 60_000
const swapTries = 100
const swapPauseMilliseconds = 500
/** Readers go by the clock; what they can no longer see stays an hour, so that no page loses rows while it is read. */
const purgeDelaySeconds = 3_600

/** What an upkeep did. */
export type Upkeep = { readonly created: string[]; readonly dropped: string[] }

/**
 * Makes the partitions of today and three days ahead, and drops days whose newest event is over seven days and an hour
 * old. Partitions go by the real day, which a sandbox's clock does not move. As owner, since the program's own role may
 * not; one replica at a time.
 */
export function keepPartitions(database: Database): Promise<Upkeep> {
  return database.asOwner(async (db) => {
    await store.acquirePartitionLock(db)
    const created = await store.createMissingPartitions(db, daysAhead)
    await store.dropDetachedPartitions(db)
    return { created, dropped: await dropOldPartitions(db) }
  })
}

/**
 * Closes the days that are over, oldest first: their events are laid in the order of their accounts, so that a page of
 * an old day is a few blocks, however many other accounts wrote beside it (51 blocks apart before); what each account
 * has in them is written down; and nothing is added to them any more. Gives the days that it closed. A minute for ten
 * million events, beside the readers; they are held up for 200 ms at most.
 */
export function closePastDays(database: Database, signal?: AbortSignal): Promise<string[]> {
  return database.asOwner(async (db) => {
    const { taken, pid } = await store.tryAcquireClosingLock(db)
    if (!taken) return []
    const cancel = () => void database.asOwner((other) => store.cancelSession(other, pid)).catch(() => {})
    signal?.addEventListener('abort', cancel, { once: true })
    const closed: string[] = []
    for (const day of await store.listOpenPastDays(db)) {
      if (signal?.aborted) break
      let tries = swapTries
      const mayTryAgain = async () => {
        await pause(swapPauseMilliseconds, signal)
        return --tries > 0 && !signal?.aborted
      }
      // In turn: what is known of closed days counts on no older one being open.
      if (!(await store.closePartition(db, day, mayTryAgain))) break
      closed.push(day.name)
    }
    signal?.removeEventListener('abort', cancel)
    return closed
  })
}

/** Keeps the partitions from now on, every half hour of real time; gives a way to stop. */
export function startPartitionUpkeep(database: Database, log: Log): () => Promise<void> {
  const stopping = new AbortController()
  let running: Promise<unknown> = Promise.resolve()
  const work = async () => {
    await keepPartitions(database).catch((error: Error) => {
      log.error({ err: error }, 'The partitions of the event log could not be kept. They reach three days ahead.')
    })
    await closePastDays(database, stopping.signal).catch((error: Error) => {
      if (!stopping.signal.aborted) log.warn({ err: error }, 'A day of the event log could not be closed; later.')
    })
  }
  const stop = every(upkeepMilliseconds, () => {
    running = running.then(work)
  })
  return async () => {
    stop()
    stopping.abort()
    await running
  }
}

async function dropOldPartitions(db: Db): Promise<string[]> {
  const edge = (await store.readBusinessClock(db)) - retentionSeconds - purgeDelaySeconds
  const dropped: string[] = []
  for (const { name, day, is_detaching } of await store.listPastPartitions(db)) {
    // The days follow one another, so the first that is still needed ends it.
    if (!is_detaching && (await store.holdsEventsSince(db, name, edge))) break
    await store.forgetClosedDays(db, day)
    await store.dropPartition(db, name, is_detaching)
    dropped.push(name)
  }
  return dropped
}
