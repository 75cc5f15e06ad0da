import type { Id } from '@bourse/api/kit/ids.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { TokenOrigin } from './origins.rules.ts'

/** What only sessions have; the rest is in the row of the token. */
export type SessionRow = {
  token_id: Id<'token'>
  device: string
  address: string
  authenticated_at: number
  ends_by: number | null
  opened_by_token_id: Id<'token'> | null
  first_session_id: Id<'token'> | null
  let_in_by: TokenOrigin['let_in_by']
}

/** A session that was not ended by anybody. It may have expired. */
export type OpenSession = {
  id: Id<'token'>
  user_id: Id<'user'>
  expires_at: number | null
  last_used_at: number | null
  created_at: number
  first_session_id: Id<'token'> | null
}

/** A session whose home is a workspace. It may have expired. */
type HomedSession = Omit<OpenSession, 'first_session_id'>

const insertOne = statement<never>(
  'iam.insert_session',
  `insert into sessions (token_id, device, address, authenticated_at, ends_by, opened_by_token_id,
     first_session_id, let_in_by)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

const listOfUser = statement<OpenSession>(
  'iam.list_sessions_of_user',
  `select t.id, t.user_id, t.expires_at, t.last_used_at, t.created_at, s.first_session_id
   from tokens t
   join sessions s on s.token_id = t.id
   where t.user_id = $1 and t.deleted_at is null
   order by t.created_at, t.id`,
)

const listOpen = statement<{ id: Id<'token'> }>(
  'iam.list_open_sessions_among',
  `select distinct coalesce(first_session_id, token_id) as id
   from sessions
   where first_session_id = any($1) or token_id = any($1) and first_session_id is null`,
)

const listInWorkspace = statement<HomedSession>(
  'iam.list_sessions_in_workspace',
  `select id, user_id, expires_at, last_used_at, created_at
   from tokens
   where workspace_id = $1 and deleted_at is null and kind = 'session'`,
)

const listInAccount = statement<{ id: Id<'token'> }>(
  'iam.list_sessions_in_account',
  `select id
   from tokens
   where account_id = $1 and deleted_at is null and kind = 'session'`,
)

/** How long an ended session is remembered: for longer than any event is kept. Real seconds. */
const rememberedSeconds = 30 * daySeconds

// Only events name an ended session, so its rows are not kept for longer: a user may sign in for years. A trigger
// records it. Each end forgets a few old ones, more than it adds.
const removeSome = statement<never>(
  'iam.remove_sessions',
  `with gone as (
     delete from tokens
     where id = any($1) and kind = 'session'
     returning id
   ), forgotten as (
     delete from ended_sessions
     where token_id in (
       select token_id
       from ended_sessions
       where ended_at < floor(bourse_real_now())::bigint - ${rememberedSeconds}
       order by ended_at
       limit 2 * cardinality($1)
       for update skip locked
     )
   )
   delete from sessions
   where token_id in (select id from gone)`,
)

/** Inserts what only the session has. The token is inserted separately. */
export function insertSession(db: Db, row: SessionRow): Promise<number> {
  const { token_id, device, address, authenticated_at, ends_by, opened_by_token_id, first_session_id, let_in_by } = row
  const origin = [ends_by, opened_by_token_id, first_session_id, let_in_by]
  return db.run(insertOne, [token_id, device, address, authenticated_at, ...origin])
}

/** The sessions of a user, oldest first. */
export function listSessionsOf(db: Db, userId: string): Promise<OpenSession[]> {
  return db.rows(listOfUser, [userId])
}

/** Those of some ids by which things name their sessions that are of open ones. */
export async function listOpenAmong(db: Db, ids: readonly string[]): Promise<Id<'token'>[]> {
  return (await db.rows(listOpen, [ids])).map(({ id }) => id)
}

/** The ids of the sessions whose home is a workspace. */
export function listSessionsIn(db: Db, workspaceId: string): Promise<HomedSession[]> {
  return db.rows(listInWorkspace, [workspaceId])
}

/** The ids of the sessions of an account. */
export async function listSessionsInAccount(db: Db, accountId: string): Promise<Id<'token'>[]> {
  return (await db.rows(listInAccount, [accountId])).map(({ id }) => id)
}

/** Deletes sessions. Leaves out other tokens. */
export function removeSessions(db: Db, ids: readonly string[]): Promise<number> {
  return db.run(removeSome, [ids])
}
