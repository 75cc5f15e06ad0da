import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

const selectName = statement<{ name: string }>(
  'iam.find_user_name',
  `select name
   from names
   where id = $1`,
)

/** The name of a user, also of one that was deleted. */
export async function findUserName(db: Db, userId: Id<'user'>): Promise<string | undefined> {
  return (await db.row(selectName, [userId]))?.name
}
