import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

const removeOfUser = statement<never>(
  'iam.remove_ways_in_of_user',
  `with gone_identities as (delete from identities where user_id = $1),
     gone_passkeys as (delete from passkeys where user_id = $1)
   delete from recovery_codes
   where user_id = $1`,
)

const removeByOpener = statement<{ user_id: Id<'user'> }>(
  'iam.remove_ways_in_by_opener',
  `with gone_codes as (delete from recovery_codes where opened_by_token_id = any($1)),
     gone_identities as (
       delete from identities
       where opened_by_token_id = any($1)
       returning user_id
     ),
     gone_passkeys as (
       delete from passkeys
       where opened_by_token_id = any($1)
       returning user_id
     )
   select user_id
   from gone_identities
   union
   select user_id
   from gone_passkeys`,
)

/** Deletes the identities, passkeys and recovery codes of a user. */
export function removeWaysOfUser(db: Db, user_id: string): Promise<number> {
  return db.run(removeOfUser, [user_id])
}

/** Deletes those that were added in sessions which descend from some tokens. Returns the users that had them. */
export async function removeWaysByOpener(db: Db, token_ids: readonly string[]): Promise<Id<'user'>[]> {
  return (await db.rows(removeByOpener, [token_ids])).map(({ user_id }) => user_id)
}
