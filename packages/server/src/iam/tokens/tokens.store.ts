import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { type Conditions, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'
import type { Creator, CreatorColumns } from '../names/creators.rules.ts'
import type { TokenOrigin } from './origins.rules.ts'
import type { LimitColumns } from './token-limits.rules.ts'

/** The stored part of a token: enough to sign it again, but not the token itself. */
export type SignedToken = {
  id: Id<'token'>
  account_id: string
  workspace_id: Id<'workspace'>
  kid: string
  jti: string
  expires_at: number | null
  created_at: number
  allowed_cidrs: string[] | null
  resources: string[] | null
}

/** The columns of a new token. */
export type NewToken = Omit<SignedToken, keyof LimitColumns> &
  LimitColumns &
  CreatorColumns &
  Pick<TokenOrigin, 'made_in_sessions' | 'let_in_by'> & {
    kind: 'service' | 'session'
    user_id: Id<'user'> | null
    suffix: string
  }

/** A token as it is presented. */
export type TokenRow = Creator & {
  id: Id<'token'>
  account_id: string
  workspace_id: Id<'workspace'>
  name: string
  kind: 'service' | 'session'
  user_id: Id<'user'> | null
  user_name: string | null
  user_email: string | null
  suffix: string
  allowed_cidrs: string[] | null
  resources: string[] | null
  expires_at: number | null
  last_used_at: number | null
  created_at: number
  /** The columns of a session; null for other tokens. */
  device: string | null
  address: string | null
  ends_by: number | null
  opened_by_token_id: Id<'token'> | null
  first_session_id: Id<'token'> | null
  made_in_sessions: TokenOrigin['made_in_sessions']
  let_in_by: TokenOrigin['let_in_by']
}

const select = `select t.id, t.account_id, t.workspace_id, n.name, t.kind, t.user_id, un.name as user_name,
     u.email as user_email, t.suffix, t.allowed_cidrs, t.resources, t.expires_at, t.last_used_at, t.created_at,
     t.created_by_token_id, t.created_by_user_id, c.name as created_by_name, cu.email as created_by_email, s.device,
     s.address, s.ends_by, s.opened_by_token_id, s.first_session_id, t.made_in_sessions,
     coalesce(t.let_in_by, s.let_in_by) as let_in_by
   from tokens t
   join names n on n.id = t.id
   left join users u on u.id = t.user_id
   left join names un on un.id = t.user_id
   left join names c on c.id = t.created_by_token_id
   left join users cu on cu.id = t.created_by_user_id
   left join sessions s on s.token_id = t.id`

const insertOne = statement<never>(
  'iam.insert_token',
  `insert into tokens (id, account_id, workspace_id, kind, user_id, kid, jti, suffix, expires_at, created_at,
     created_by_token_id, created_by_user_id, allowed_cidrs, resources, made_in_sessions,
     let_in_by)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
)

const findOne = statement<TokenRow>(
  'iam.find_token',
  `${select}
   where t.id = $1 and t.deleted_at is null`,
)

const signedColumns = 'id, account_id, workspace_id, kid, jti, expires_at, created_at, allowed_cidrs, resources'

const findSignedOne = statement<SignedToken>(
  'iam.find_signed_token',
  `select ${signedColumns}
   from tokens
   where id = $1`,
)

const findFirst = statement<{ id: Id<'token'> }>(
  'iam.find_first_token',
  `select id
   from tokens
   where account_id = $1
   order by created_at, id
   limit 1`,
)

const findAdmin = statement<{ id: Id<'token'> }>(
  'iam.find_admin_token',
  `select t.id
   from tokens t
   join grants g on g.principal_id = t.id and g.role_id = $2 and g.workspace_id is null
   where t.account_id = $1 and t.deleted_at is null and coalesce(t.expires_at > $3, true)
   order by t.created_at, t.id
   limit 1`,
)

/** Inserts a token. Its name is claimed separately. */
export function insertToken(db: Db, row: NewToken): Promise<number> {
  const { id, account_id, workspace_id, kind, user_id, kid, jti, suffix, expires_at, created_at } = row
  const creator = [row.created_by_token_id, row.created_by_user_id, row.allowed_cidrs, row.resources]
  const values = [id, account_id, workspace_id, kind, user_id, kid, jti, suffix, expires_at, created_at]
  return db.run(insertOne, [...values, ...creator, row.made_in_sessions, row.let_in_by])
}

/** A token by its id. */
export function findToken(db: Db, id: string): Promise<TokenRow | undefined> {
  return db.row(findOne, [id])
}

/** The stored part of a token, even if it is deleted. */
export function findSignedToken(db: Db, id: string): Promise<SignedToken | undefined> {
  return db.row(findSignedOne, [id])
}

/** The first token of an account, even if it is deleted. */
export async function findFirstToken(db: Db, accountId: string): Promise<Id<'token'> | undefined> {
  return (await db.row(findFirst, [accountId]))?.id
}

/** The oldest token that holds the admin role `role_id` for its whole account and has not expired. */
export async function findAdminToken(
  db: Db,
  { account_id, role_id, now }: { account_id: string; role_id: string; now: number },
): Promise<Id<'token'> | undefined> {
  return (await db.row(findAdmin, [account_id, role_id, now]))?.id
}

/** A page of tokens, newest first. */
export function listTokens(ctx: Ctx, query: PageQuery, where: Conditions): Promise<Page<TokenRow>> {
  where.add('t.deleted_at is null')
  return readPage<TokenRow>(ctx, { prefix: 'tokc', query, select, where, sort: newestFirst('t') })
}
