import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { TokenOrigin } from '../tokens/origins.rules.ts'

/** A link that has not been used. */
type LinkRow = {
  id: string
  account_id: string
  user_id: Id<'user'>
  secret_hash: Buffer
  /** The grants of the user when the link was made, with digests of what they allowed. */
  grant_ids: string[]
  created_at: number
  expires_at: number
  ends_by: number | null
  made_by_token_id: Id<'token'> | null
  made_in_sessions: TokenOrigin['made_in_sessions']
  let_in_by: TokenOrigin['let_in_by']
}

/** A link with the names that its page shows. */
export type ShownLink = LinkRow & { user_name: string; email: string | null; account_name: string }

const insertOne = statement<never>(
  'iam.insert_sign_in_link',
  `insert into sign_in_links
     (id, account_id, user_id, secret_hash, grant_ids, created_at, expires_at, ends_by, made_by_token_id,
      made_in_sessions, let_in_by)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
)

const findOne = statement<ShownLink>(
  'iam.find_sign_in_link',
  `select l.id, l.account_id, l.user_id, l.secret_hash, l.grant_ids, l.created_at, l.expires_at, l.ends_by,
     l.made_by_token_id, l.made_in_sessions, l.let_in_by, n.name as user_name, u.email, a.name as account_name
   from sign_in_links l
   join users u on u.id = l.user_id and u.deleted_at is null
   join names n on n.id = l.user_id
   join accounts a on a.id = l.account_id
   where l.id = $1`,
)

const listOfUser = statement<{ id: string }>(
  'iam.list_sign_in_links',
  `select id
   from sign_in_links
   where user_id = $1
   order by created_at, id`,
)

const removeSome = statement<never>(
  'iam.remove_sign_in_links',
  `delete from sign_in_links
   where id = any($1)`,
)

const removeOfUser = statement<never>(
  'iam.remove_sign_in_links_of_user',
  `delete from sign_in_links
   where user_id = $1`,
)

const removeOfAccount = statement<never>(
  'iam.remove_sign_in_links_of_account',
  `delete from sign_in_links
   where account_id = $1`,
)

const removeExpired = statement<never>(
  'iam.remove_expired_sign_in_links',
  `delete from sign_in_links
   where user_id = $1 and expires_at <= $2`,
)

const listGrants = statement<{ digest: string }>(
  'iam.list_grant_digests_of_user',
  `select g.id || coalesce(' ' || encode(sha256(convert_to(r.policy::text, 'UTF8')), 'hex'), '') as digest
   from grants g
   left join roles r on r.id = g.role_id
   where g.principal_id = $1`,
)

const findHome = statement<{ id: Id<'workspace'> }>(
  'iam.find_home_workspace',
  `select w.id
   from workspaces w
   join users u on u.id = $2 and u.deleted_at is null
   where w.account_id = $1 and w.deleted_at is null
   order by exists (
       select 1
       from grants g
       where g.principal_id = $2 and (g.workspace_id is null or g.workspace_id = w.id)
     ) desc, w.created_at, w.id
   limit 1`,
)

/** Inserts a link. */
export function insertLink(db: Db, row: LinkRow): Promise<number> {
  const { id, account_id, user_id, secret_hash, grant_ids, created_at, expires_at } = row
  const origin = [row.ends_by, row.made_by_token_id, row.made_in_sessions, row.let_in_by]
  return db.run(insertOne, [id, account_id, user_id, secret_hash, grant_ids, created_at, expires_at, ...origin])
}

/** A link that has not been used; it may have expired. */
export function findLink(db: Db, id: string): Promise<ShownLink | undefined> {
  return db.row(findOne, [id])
}

/** The ids of the links of a user, oldest first. */
export function listLinks(db: Db, userId: string): Promise<{ id: string }[]> {
  return db.rows(listOfUser, [userId])
}

/** Deletes links; returns their number. */
export function removeLinks(db: Db, ids: readonly string[]): Promise<number> {
  return db.run(removeSome, [ids])
}

/** Deletes the links of a user. */
export function removeLinksOf(db: Db, userId: string): Promise<number> {
  return db.run(removeOfUser, [userId])
}

/** Deletes the links of an account. */
export function removeLinksIn(db: Db, accountId: string): Promise<number> {
  return db.run(removeOfAccount, [accountId])
}

/** Deletes the expired links of a user. */
export function removeExpiredLinks(db: Db, userId: string, now: number): Promise<number> {
  return db.run(removeExpired, [userId, now])
}

/** The grants of a user: the id of each, and for a role that can be changed a digest of what it allows. */
export async function listGrantDigests(db: Db, userId: string): Promise<string[]> {
  return (await db.rows(listGrants, [userId])).map(({ digest }) => digest)
}

/** The oldest workspace in which a user has a role, or else of the account; undefined if the user has been deleted. */
export async function findHomeWorkspace(
  db: Db,
  accountId: string,
  userId: string,
): Promise<Id<'workspace'> | undefined> {
  return (await db.row(findHome, [accountId, userId]))?.id
}
