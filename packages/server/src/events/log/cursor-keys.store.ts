import { type Db, statement } from '../../core/db/db.ts'
import type { CursorKeyRow } from '../../core/keys/keys.ts'

const listRows = statement<CursorKeyRow & { version: number }>(
  'events.list_cursor_keys',
  `select key_id, ended, history, coalesce((select value from versions where name = 'cursor_keys'), 0) as version
   from cursor_keys
   order by key_id`,
)

// Two servers that start at once on one database insert the same number.
const insertRow = statement<never>(
  'events.insert_cursor_key',
  `insert into cursor_keys (key_id, created_at, history)
   select $1, $2, coalesce(max(number), 1)
   from histories
   on conflict do nothing`,
)

const insertNextRow = statement<never>(
  'events.insert_next_cursor_key',
  `insert into cursor_keys (key_id, created_at, history)
   select greatest(max(key_id), $2) + 1, $1, coalesce((select max(number) from histories), 1)
   from cursor_keys`,
)

const endOlderRows = statement<never>(
  'events.end_older_cursor_keys',
  `update cursor_keys
   set ended = true
   where not ended and key_id < (select max(key_id) from cursor_keys)`,
)

const markRow = statement<never>(
  'events.mark_cursor_key_used',
  `update cursor_keys
   set created_at = $2
   where key_id = $1 and created_at < $2`,
)

/** Every cursor key, including ended ones, and the version of this list. */
export async function listCursorKeys(db: Db): Promise<{ rows: CursorKeyRow[]; version: number }> {
  const rows = await db.rows(listRows)
  return {
    rows: rows.map(({ key_id, ended, history }) => ({ key_id, ended, history })),
    version: rows[0]?.version ?? 0,
  }
}

/** Inserts the key for new cursors. Cursors under earlier keys stay valid. */
export function insertCursorKey(db: Db, key_id: number, createdAt: number): Promise<number> {
  return db.run(insertRow, [key_id, createdAt])
}

/** Notes that a key seals from a moment on. Returns 0 where that was noted before. */
export function markUsed(db: Db, key_id: number, from: number): Promise<number> {
  return db.run(markRow, [key_id, from])
}

/** Inserts the next key, with a number above `known`. Cursors under earlier keys stay valid. */
export function insertNextCursorKey(db: Db, createdAt: number, known: number): Promise<number> {
  return db.run(insertNextRow, [createdAt, known])
}

/** Inserts the next key and ends all earlier ones. */
export async function insertCursorGeneration(db: Db, createdAt: number): Promise<void> {
  await Promise.all([insertNextCursorKey(db, createdAt, 0), db.run(endOlderRows)])
}
