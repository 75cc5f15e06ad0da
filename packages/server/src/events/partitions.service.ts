import { every } from '../core/clock.ts'
import type { Database, Db } from '../core/db.ts'
import type { Log } from '../core/log.ts'
import { retentionSeconds } from './events.rules.ts'
import { readBusinessClock } from './events.store.ts'
import * as store from './partitions.store.ts'

const daysAhead = 3
const upkeepMilliseconds = 30 * 60_000
/**
 * Readers judge by the clock; what they can no longer see stays an hour, so that no page loses rows while it is read.
 */
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
    await store.takePartitionTurn(db)
    const created = await store.createMissingPartitions(db, daysAhead)
    await store.dropDetachedPartitions(db)
    return { created, dropped: await dropOldPartitions(db) }
  })
}

/** Keeps the partitions from now on, every half hour of real time; gives a way to stop. */
export function startPartitionUpkeep(database: Database, log: Log): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  const stop = every(upkeepMilliseconds, () => {
    running = keepPartitions(database).catch((error: Error) => {
      log.error({ err: error }, 'The partitions of the event log could not be kept. They reach three days ahead.')
    })
  })
  return async () => {
    stop()
    await running
  }
}

async function dropOldPartitions(db: Db): Promise<string[]> {
  const edge = (await readBusinessClock(db)) - retentionSeconds - purgeDelaySeconds
  const dropped: string[] = []
  for (const { name, is_detaching } of await store.listPastPartitions(db)) {
    // The days follow one another, so the first that is still needed ends it.
    if (!is_detaching && (await store.holdsEventsSince(db, name, edge))) break
    await store.dropPartition(db, name, is_detaching)
    dropped.push(name)
  }
  return dropped
}
