import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

const listOfUsers = statement<{ user_id: Id<'user'>; id: string }>(
  'iam.list_openers_of_users',
  `select distinct user_id, unnest(let_in_by) as id
   from (
     select t.user_id, s.let_in_by
     from tokens t
     join sessions s on s.token_id = t.id
     where t.user_id = any($1) and t.deleted_at is null
     union all
     select user_id, let_in_by
     from device_logins
     where user_id = any($1)
     union all
     select user_id, let_in_by
     from identities
     where user_id = any($1)
     union all
     select user_id, let_in_by
     from passkeys
     where user_id = any($1)
     union all
     select user_id, let_in_by
     from recovery_codes
     where user_id = any($1)
     union all
     select owner_id as user_id, let_in_by
     from ssh_keys
     where owner_id = any($1)
   ) ways
   order by user_id, id`,
)

const listSessions = statement<{ id: Id<'token'> }>(
  'iam.list_sessions_opened_by',
  `select t.id
   from tokens t
   join sessions s on s.token_id = t.id
   where t.user_id = $1 and t.deleted_at is null and s.let_in_by && $2::text[]`,
)

const removeWays = statement<never>(
  'iam.remove_ways_opened_by',
  `with gone_links as (
       delete from sign_in_links
       where user_id = $1 and let_in_by && $2::text[]
     ),
     gone_logins as (
       delete from device_logins
       where user_id = $1 and let_in_by && $2::text[]
     ),
     gone_identities as (
       delete from identities
       where user_id = $1 and let_in_by && $2::text[]
     ),
     gone_passkeys as (
       delete from passkeys
       where user_id = $1 and let_in_by && $2::text[]
     )
   delete from recovery_codes
   where user_id = $1 and let_in_by && $2::text[]`,
)

/**
 * The users and tokens whose links led to what lets users in, by user. Leaves out links that are not used, and users
 * whom nobody else let in.
 */
export async function listOpeners(db: Db, userIds: readonly string[]): Promise<Map<Id<'user'>, string[]>> {
  const rows = await db.rows(listOfUsers, [userIds])
  return new Map([...Map.groupBy(rows, ({ user_id }) => user_id)].map(([user, of]) => [user, of.map(({ id }) => id)]))
}

/** The sessions of a user to which links of some users and tokens led. */
export async function listSessionsOpenedBy(db: Db, userId: string, openers: readonly string[]): Promise<Id<'token'>[]> {
  return (await db.rows(listSessions, [userId, openers])).map(({ id }) => id)
}

/** Deletes what else lets a user in and to which links of some users and tokens led. */
export function removeWaysOpenedBy(db: Db, userId: string, openers: readonly string[]): Promise<number> {
  return db.run(removeWays, [userId, openers])
}
