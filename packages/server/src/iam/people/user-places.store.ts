import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

/** A user that is not deleted, as pages and sign-ins need it. */
export type UserPlaceRow = {
  account_id: string
  user_id: Id<'user'>
  user_name: string
  email: string | null
  account_name: string
}

const findOne = statement<UserPlaceRow>(
  'iam.find_user_place',
  `select u.account_id, u.id as user_id, n.name as user_name, u.email, a.name as account_name
   from users u
   join names n on n.id = u.id
   join accounts a on a.id = u.account_id
   where u.id = $1 and u.deleted_at is null`,
)

/** A user by its id. */
export function findUserPlace(db: Db, id: string): Promise<UserPlaceRow | undefined> {
  return db.row(findOne, [id])
}
