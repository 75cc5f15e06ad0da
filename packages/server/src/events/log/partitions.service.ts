import { pause } from '@bourse/text/time/pause.ts'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { every } from '../../core/base/clock.ts'
import type { Log } from '../../core/base/log.ts'
import type { Database, Db } from '../../core/db/db.ts'
import { retentionSeconds } from './events.rules.ts'
import * as store from './partitions.store.ts'

const daysAhead = 3
const upkeepMilliseconds = 30 * 60_000
const swapTries = 100
const swapPauseMilliseconds = 500
/** Readers apply retention by the clock. A further hour ensures that no page loses rows while it is read. */
const purgeDelaySeconds = hourSeconds

/** The partitions that {@link keepPartitions} created and dropped. */
type Upkeep = { readonly created: string[]; readonly dropped: string[] }

/**
 * Creates the partitions of today and the next three days, and drops days whose newest event is more than seven days
 * and an hour old. Partitions follow the real date, which the clock of a sandbox does not change. Runs as the owner
 * because the run-time role may not change tables. One replica at a time does this.
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
 * Closes past days, oldest first, and returns their names. Closing a day sorts its events by account, stores a summary
 * for each account and rejects further events. A page of a closed day then reads a few blocks, instead of up to 51.
 * Closing ten million events takes a minute. Readers continue meanwhile and wait at most 200 ms.
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
      const waitToRetry = async () => {
        await pause(swapPauseMilliseconds, signal)
        return --tries > 0 && !signal?.aborted
      }
      // In order: the days before a closed day must be closed too.
      if (!(await store.closePartition(db, day, waitToRetry))) break
      closed.push(day.name)
    }
    signal?.removeEventListener('abort', cancel)
    return closed
  })
}

/** Maintains the partitions now and every half hour of real time. Returns a function that stops this. */
export function startPartitionUpkeep(database: Database, log: Log): () => Promise<void> {
  const stopping = new AbortController()
  let running: Promise<unknown> = Promise.resolve()
  const work = async () => {
    await keepPartitions(database).catch((error: Error) => {
      log.error(
        { err: error },
        'The partitions of the event log could not be maintained. They are created three days ahead.',
      )
    })
    await closePastDays(database, stopping.signal).catch((error: Error) => {
      if (!stopping.signal.aborted)
        log.warn({ err: error }, 'A day of the event log could not be closed. The server tries again later.')
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
    // Days are ordered, so all days after the first that is still needed are needed too.
    if (!is_detaching && (await store.holdsEventsSince(db, name, edge))) break
    await store.forgetClosedDays(db, day)
    await store.dropPartition(db, name, is_detaching)
    dropped.push(name)
  }
  return dropped
}
