import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

/** A token with the state that determines its rights. */
export type CallerRow = {
  id: Id<'token'>
  /** The name of the user of a session, otherwise of the token. */
  name: string | null
  account_id: string
  workspace_id: Id<'workspace'>
  user_id: Id<'user'> | null
  jti: string
  created_at: number
  expires_at: number | null
  last_used_at: number | null
  is_frozen: boolean
  is_platform: boolean
  allowed_cidrs: string[] | null
  resources: string[] | null
  /** When the user of a session signed in. */
  authenticated_at: number | null
  /** `PrincipalGrant[]` as JSON text, which is cheap to compare with an earlier read. */
  grants: string | null
}

// `offset 0` makes PostgreSQL look up each account by its id. With a plain join it read all accounts for five tokens.
const listMany = statement<CallerRow>(
  'iam.list_callers',
  `select t.id, t.account_id, t.workspace_id, t.user_id, t.jti, t.created_at, t.expires_at, t.last_used_at,
     t.allowed_cidrs, t.resources, a.is_frozen, a.is_platform, case when t.user_id is not null then (
       select s.authenticated_at
       from sessions s
       where s.token_id = t.id
     ) end as authenticated_at, (
       select n.name
       from names n
       where n.id = coalesce(t.user_id, t.id)
     ) as name, (
       select json_agg(json_build_object('workspace_id', g.workspace_id, 'role_id', g.role_id, 'policy', r.policy))
       from grants g
       left join roles r on r.id = g.role_id
       where g.principal_id = coalesce(t.user_id, t.id)
     )::text as grants
   from tokens t
   cross join lateral (
     select is_frozen, is_platform
     from accounts
     where id = t.account_id
     offset 0
   ) a
   where t.id = any($1) and t.deleted_at is null`,
)

const markUsed = statement<never>(
  'iam.mark_tokens_used',
  `update tokens
   set last_used_at = m.used_at
   from (
     select t.id, w.used_at
     from unnest($1::text[], $2::bigint[]) as w(id, used_at)
     join tokens t on t.id = w.id
     order by t.id
     for no key update of t skip locked
   ) m
   where tokens.id = m.id and coalesce(tokens.last_used_at < m.used_at, true)`,
)

/** Tokens with their accounts and grants, by id. Leaves out deleted and unknown tokens. */
export async function listCallers(db: Db, tokenIds: readonly string[]): Promise<Map<string, CallerRow>> {
  const rows = await db.rows(listMany, [tokenIds])
  return new Map(rows.map((row) => [row.id, row]))
}

/** Records when tokens were last used. Skips locked tokens, whose use is recorded in a later minute. */
export function markTokensUsed(db: Db, used: ReadonlyMap<string, number>): Promise<number> {
  return db.run(markUsed, [[...used.keys()], [...used.values()]])
}
