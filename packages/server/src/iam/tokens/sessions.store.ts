import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

/** What only sessions have; the rest is in the row of the token. */
export type SessionRow = {
  token_id: Id<'token'>
  device: string
  address: string
  authenticated_at: number
  ends_by: number | null
  opened_by_token_id: Id<'token'> | null
}

/** A session that was not ended by anybody. It may have expired. */
export type OpenSession = {
  id: Id<'token'>
  user_id: Id<'user'>
  expires_at: number | null
  last_used_at: number | null
  created_at: number
}

const insertOne = statement<never>(
  'iam.insert_session',
  `insert into sessions (token_id, device, address, authenticated_at, ends_by, opened_by_token_id)
   values ($1, $2, $3, $4, $5, $6)`,
)

const findOne = statement<SessionRow>(
  'iam.find_session',
  `select token_id, device, address, authenticated_at, ends_by, opened_by_token_id
   from sessions
   where token_id = $1`,
)

const listOfUser = statement<OpenSession>(
  'iam.list_sessions_of_user',
  `select id, user_id, expires_at, last_used_at, created_at
   from tokens
   where user_id = $1 and deleted_at is null
   order by created_at, id`,
)

const listInWorkspace = statement<{ id: Id<'token'> }>(
  'iam.list_sessions_in_workspace',
  `select id
   from tokens
   where workspace_id = $1 and deleted_at is null and kind = 'session'`,
)

// Nothing shows an ended session, so no row is kept: a user may sign in for years.
const removeSome = statement<never>(
  'iam.remove_sessions',
  `with gone as (
     delete from tokens
     where id = any($1) and kind = 'session'
     returning id
   )
   delete from sessions
   where token_id in (select id from gone)`,
)

/** Inserts what only the session has. The token is inserted separately. */
export function insertSession(db: Db, row: SessionRow): Promise<number> {
  const { token_id, device, address, authenticated_at, ends_by, opened_by_token_id } = row
  return db.run(insertOne, [token_id, device, address, authenticated_at, ends_by, opened_by_token_id])
}

/** The session of a token; undefined if the token is none. */
export function findSession(db: Db, token_id: string): Promise<SessionRow | undefined> {
  return db.row(findOne, [token_id])
}

/** The sessions of a user, oldest first. */
export function listSessionsOf(db: Db, user_id: string): Promise<OpenSession[]> {
  return db.rows(listOfUser, [user_id])
}

/** The ids of the sessions whose home is a workspace. */
export async function listSessionsIn(db: Db, workspace_id: string): Promise<Id<'token'>[]> {
  return (await db.rows(listInWorkspace, [workspace_id])).map(({ id }) => id)
}

/** Deletes sessions. Leaves out other tokens. */
export function removeSessions(db: Db, ids: readonly string[]): Promise<number> {
  return db.run(removeSome, [ids])
}
