/** The advisory lock that prevents a change of the world while work that needs several transactions runs in it. */
import { type Db, statement } from '../../core/db/db.ts'

const tryLockShared = statement<{ is_held: boolean }>(
  null,
  "select pg_try_advisory_lock_shared(hashtext('bourse sandbox world')) as is_held",
)
const unlockShared = statement<never>(null, "select pg_advisory_unlock_shared(hashtext('bourse sandbox world'))")

/**
 * Takes the shared lock of the world on this connection. Other holders of the shared lock may run at the same time.
 * False if the world is being changed.
 */
export async function enterWorldShared(db: Db): Promise<boolean> {
  return (await db.row(tryLockShared))?.is_held ?? false
}

/** Releases the shared lock that {@link enterWorldShared} took. */
export async function leaveWorldShared(db: Db): Promise<void> {
  await db.row(unlockShared)
}
