/** Ends what lets people in after a restore: what was ended since the restored moment would be open again. */
import type { Database } from '../../core/db/db.ts'
import { removeAllSessions } from './restored-sessions.store.ts'

/** Ends all sessions of people, and the links and devices that wait for one. Returns the number of sessions. */
export function endRestoredSessions(database: Database): Promise<number> {
  return database.asOwner(removeAllSessions)
}
