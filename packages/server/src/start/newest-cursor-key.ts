/** The number of the newest cursor key of an installation, above which a new root begins. */
import type { Environment } from '@bourse/text/program.ts'
import { readDatabaseTarget } from '../config.ts'
import { openDatabase } from '../core/db/db.ts'
import { listCursorKeys } from '../events/log/cursor-keys.store.ts'

/** Reads it from the database of BOURSE_DATABASE_URL; 0 where there is none yet. */
export async function readNewestCursorKey(variables: Environment): Promise<number> {
  await using database = openDatabase(readDatabaseTarget(variables), { connections_max: 1 })
  const { rows } = await listCursorKeys(database.reader)
  return Math.max(0, ...rows.map(({ key_id }) => key_id))
}
