/**
 * Keeps the tables of the audit trail: one for each month by the real date, which no sandbox clock changes. A month is
 * dropped as a whole once all of it is older than entries are kept. Its seals stay, so the chain can still be verified.
 */
import { every } from '../../core/base/clock.ts'
import type { Log } from '../../core/base/log.ts'
import type { Database } from '../../core/db/db.ts'
import { retentionSeconds } from './entries.service.ts'
import * as store from './partitions.store.ts'

const monthsAhead = 2
const upkeepMilliseconds = 30 * 60_000

/** Creates and drops months. Runs as the owner of the tables: the run-time role may only append. */
export function keepAuditMonths(database: Database): Promise<{ created: string[]; dropped: string[] }> {
  return database.asOwner(async (db) => {
    await store.acquireMonthLock(db)
    const created = await store.createMissingMonths(db, monthsAhead)
    const dropped: string[] = []
    for (const { name } of await store.listOldMonths(db, retentionSeconds)) {
      if (await store.isStillNeeded(db, name, retentionSeconds)) continue
      await store.dropMonth(db, name)
      dropped.push(name)
    }
    return { created, dropped }
  })
}

/** Keeps the months now and every half hour of real time. Returns a function that stops this. */
export function startAuditUpkeep(database: Database, log: Log): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  const work = () =>
    keepAuditMonths(database).catch((err: Error) => {
      log.error({ err }, 'The tables of the audit trail could not be maintained. They are created two months ahead.')
    })
  const stop = every(upkeepMilliseconds, () => {
    running = running.then(work)
  })
  return async () => {
    stop()
    await running
  }
}
