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
  `with gone_links as (
       delete from sign_in_links
       where made_by_token_id = any($1) or made_in_sessions && $2::text[]
     ),
     gone_logins as (
       delete from device_logins
       where opened_by_token_id = any($1) or made_in_sessions && $2::text[]
     ),
     gone_codes as (
       delete from recovery_codes
       where opened_by_token_id = any($1) or made_in_sessions && $2::text[]
       returning user_id
     ),
     gone_identities as (
       delete from identities
       where opened_by_token_id = any($1) or made_in_sessions && $2::text[]
       returning user_id
     ),
     gone_passkeys as (
       delete from passkeys
       where opened_by_token_id = any($1) or made_in_sessions && $2::text[]
       returning user_id
     )
   select user_id
   from gone_codes
   union
   select user_id
   from gone_identities
   union
   select user_id
   from gone_passkeys`,
)

/** Deletes the identities, passkeys and recovery codes of a user. */
export function removeWaysOfUser(db: Db, userId: string): Promise<number> {
  return db.run(removeOfUser, [userId])
}

/** What ways in descend from: tokens, and sessions by the ids by which things name them. */
export type WayOpeners = { readonly token_ids: readonly string[]; readonly session_ids: readonly string[] }

/**
 * Deletes those that were added in sessions which descend from some tokens or sessions, with the links and approvals
 * that are not used. Returns the users that had identities, passkeys or recovery codes among them.
 */
export async function removeWaysByOpener(db: Db, { token_ids, session_ids }: WayOpeners): Promise<Id<'user'>[]> {
  return (await db.rows(removeByOpener, [token_ids, session_ids])).map(({ user_id }) => user_id)
}
