/** The lock that keeps a world from being changed while several transactions work in it. */
import { type Db, statement } from '../../core/db/db.ts'

const stay = statement<{ is_held: boolean }>(
  null,
  "select pg_try_advisory_lock_shared(hashtext('bourse sandbox world')) as is_held",
)
const leave = statement<never>(null, "select pg_advisory_unlock_shared(hashtext('bourse sandbox world'))")

/** Lets nobody change the world until this connection leaves it; false where somebody is at it. */
export async function enterWorldShared(db: Db): Promise<boolean> {
  return (await db.row(stay))?.is_held ?? false
}

/** Lets the world be changed again. */
export async function leaveWorldShared(db: Db): Promise<void> {
  await db.row(leave)
}
