import type { Id } from '@bourse/api/kit/ids.ts'
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { conditions, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'
import type { Creator, CreatorColumns } from '../names/creators.rules.ts'
import { adminRole, type DatedGrant, type PrincipalGrant } from './roles.rules.ts'

/** A role held by a user or token, in a workspace or in the whole account. */
export type GrantRow = Creator & {
  id: Id<'grant'>
  account_id: string
  principal_id: Id<'user'> | Id<'token'>
  role_id: Id<'role'>
  /** Null for a built-in role. */
  role_name: string | null
  workspace_id: Id<'workspace'> | null
  created_at: number
  /** The provider whose groups gave it. */
  provider: string | null
}

/** The columns of a new grant. */
type NewGrant = Pick<
  GrantRow,
  'id' | 'account_id' | 'principal_id' | 'role_id' | 'workspace_id' | 'created_at' | 'provider'
> &
  CreatorColumns

/**
 * Whether one of the removed grants makes an admin, and whether another admin is left that can act, for minutes or for
 * longer.
 */
type RemainingAdmins = { goes: boolean; stays: boolean; lasts: boolean }

/** An account that loses its last admin. Null: no admin of the whole account is a token. */
type EndingAdmins = { account_id: string; last_admin_token_ends_at: number | null }

/** A grant that the groups of a user at a provider gave. */
type ProviderGrant = Pick<GrantRow, 'id' | 'role_id' | 'workspace_id'>

const select = `select g.id, g.account_id, g.principal_id, g.role_id, r.name as role_name, g.workspace_id, g.created_at,
     g.provider, g.created_by_token_id, g.created_by_user_id, c.name as created_by_name, u.email as created_by_email
   from grants g
   left join names r on r.id = g.role_id
   left join names c on c.id = g.created_by_token_id
   left join users u on u.id = g.created_by_user_id`

const insertOne = statement<never>(
  'iam.insert_grant',
  `insert into grants
     (id, account_id, principal_id, role_id, workspace_id, created_at, created_by_token_id, created_by_user_id,
      provider)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict do nothing`,
)

const findOne = statement<GrantRow>(
  'iam.find_grant',
  `${select}
   where g.id = $1`,
)

const removeSome = statement<never>(
  'iam.remove_grants',
  `delete from grants
   where id = any($1)`,
)

const listOfPrincipal = statement<{ id: string }>(
  'iam.list_grants_of_principal',
  `select id
   from grants
   where principal_id = any($1)`,
)

const removeInWorkspace = statement<never>(
  'iam.remove_grants_in_workspace',
  `delete from grants
   where workspace_id = $1`,
)

const findPrincipal = statement<{ found: boolean }>(
  'iam.is_principal',
  `select exists (
       select 1
       from users
       where id = $2 and account_id = $1 and deleted_at is null
     )
     or exists (
       select 1
       from tokens
       where id = $2 and account_id = $1 and kind = 'service' and deleted_at is null
     ) as found`,
)

const listByProvider = statement<ProviderGrant>(
  'iam.list_grants_by_provider',
  `select id, role_id, workspace_id
   from grants
   where principal_id = $1 and provider = $2`,
)

const selectHeldRoles = statement<PrincipalGrant & { holder_id: string }>(
  'iam.list_held_roles',
  `select h.id as holder_id, g.workspace_id, g.role_id, r.policy
   from unnest($2::text[]) h (id)
   left join tokens t on t.id = h.id and t.account_id = $1
   join grants g on g.account_id = $1 and g.principal_id = coalesce(t.user_id, h.id)
   left join roles r on r.id = g.role_id`,
)

const selectDated = statement<DatedGrant>(
  'iam.list_dated_grants',
  `select g.workspace_id, g.role_id, r.policy, g.created_at, g.provider, r.updated_at as role_updated_at
   from grants g
   left join roles r on r.id = g.role_id
   where g.account_id = $1 and g.principal_id = $2`,
)

const selectRolesIn = statement<PrincipalGrant & { principal_id: string }>(
  'iam.list_roles_in_workspace',
  `select g.principal_id, g.workspace_id, g.role_id, r.policy
   from grants g
   left join roles r on r.id = g.role_id
   where g.workspace_id = $1`,
)

// Only admins that can act and name another count: tokens that live for an hour or longer, and users with a way in that
// suffices for it: a passkey, an identity of a provider that is there, an open sign-in link, or a session whose user
// has just signed in. `lasts` leaves out the last two, which are over within minutes.
const findAdmins = statement<RemainingAdmins>(
  'iam.find_other_admins',
  `select
     coalesce(bool_or(a.id = any($3)), false) as goes,
     coalesce(bool_or(a.id <> all($3) and (
       t.id is not null
       or exists (
         select 1
         from sign_in_links l
         where l.user_id = a.principal_id and l.expires_at > $5 and coalesce(l.ends_by > $4, true)
       )
       or exists (select 1 from passkeys k where k.user_id = a.principal_id)
       or exists (
         select 1
         from identities i
         where i.user_id = a.principal_id and i.issuer = any($7)
       )
       or exists (
         select 1
         from tokens o
         join sessions s on s.token_id = o.id
         where o.user_id = a.principal_id and o.deleted_at is null and o.expires_at > $5
           and s.authenticated_at > $6 and coalesce(s.ends_by > $4, true)
       )
     )), false) as stays,
     coalesce(bool_or(a.id <> all($3) and (
       t.id is not null
       or exists (select 1 from passkeys k where k.user_id = a.principal_id)
       or exists (
         select 1
         from identities i
         where i.user_id = a.principal_id and i.issuer = any($7)
       )
     )), false) as lasts
   from grants a
   left join tokens t on t.id = a.principal_id and t.deleted_at is null and coalesce(t.expires_at > $4, true)
   where a.account_id = $1 and a.role_id = $2 and a.workspace_id is null`,
)

const shortestLifeOfAdmin = hourSeconds
const noticeSeconds = 14 * daySeconds
const endingMax = 20

// A passkey lasts, and an identity of a provider that is there, as in `findAdmins`.
const listEnding = statement<EndingAdmins>(
  'iam.list_ending_admins',
  `select g.account_id, max(t.expires_at) as last_admin_token_ends_at
   from grants g
   left join tokens t on t.id = g.principal_id and t.kind = 'service' and t.deleted_at is null
   where g.role_id = $1 and g.workspace_id is null
   group by g.account_id
   having not bool_or(
     (t.id is not null and coalesce(t.expires_at > bourse_now() + ${noticeSeconds}, true))
     or exists (select 1 from passkeys k where k.user_id = g.principal_id)
     or exists (
       select 1
       from identities i
       join unnest($2::text[], $3::text[]) p (account_id, issuer) using (account_id, issuer)
       where i.user_id = g.principal_id
     )
   )
   order by g.account_id
   limit ${endingMax}`,
)

/** Inserts a grant. False if the principal already has the role in that scope. */
export async function insertGrant(db: Db, row: NewGrant): Promise<boolean> {
  const { id, account_id, principal_id, role_id, workspace_id, created_at, provider } = row
  const origin = [row.created_by_token_id, row.created_by_user_id, provider]
  return (await db.run(insertOne, [id, account_id, principal_id, role_id, workspace_id, created_at, ...origin])) === 1
}

/** A grant by its id. */
export function findGrant(db: Db, id: string): Promise<GrantRow | undefined> {
  return db.row(findOne, [id])
}

/** Deletes grants; returns their number. */
export function removeGrants(db: Db, ids: readonly string[]): Promise<number> {
  return db.run(removeSome, [ids])
}

/** The ids of the grants of users or tokens. */
export async function listGrantsOf(db: Db, principals: readonly string[]): Promise<string[]> {
  return (await db.rows(listOfPrincipal, [principals])).map(({ id }) => id)
}

/** The grants that the groups of a user at a provider gave. */
export function listProviderGrants(db: Db, userId: string, provider: string): Promise<ProviderGrant[]> {
  return db.rows(listByProvider, [userId, provider])
}

/** Deletes the grants in a workspace; returns their number. */
export function removeGrantsIn(db: Db, workspaceId: string): Promise<number> {
  return db.run(removeInWorkspace, [workspaceId])
}

/** Whether an account has this user or service token. */
export async function isPrincipal(db: Db, accountId: string, id: string): Promise<boolean> {
  return (await db.row(findPrincipal, [accountId, id]))?.found ?? false
}

/** The roles granted to users and tokens, each with the id that was asked for. A session has those of its user. */
export function listHeldRoles(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<(PrincipalGrant & { holder_id: string })[]> {
  return db.rows(selectHeldRoles, [accountId, [...new Set(ids)]])
}

/** The grants of a user or token with the times from which they count. */
export function listDatedGrants(db: Db, accountId: string, principalId: string): Promise<DatedGrant[]> {
  return db.rows(selectDated, [accountId, principalId])
}

/** The roles granted in a workspace. */
export function listRolesIn(db: Db, workspaceId: string): Promise<(PrincipalGrant & { principal_id: string })[]> {
  return db.rows(selectRolesIn, [workspaceId])
}

/**
 * The admins of an account once `removed` grants are deleted. `role_id` is the admin role, `signed_in_after` the oldest
 * sign-in that suffices to name another admin.
 */
export async function findOtherAdmins(
  db: Db,
  admins: {
    account_id: string
    role_id: string
    removed: readonly string[]
    now: number
    signed_in_after: number
    /** The issuers of the providers by which users of the account come in. */
    issuers: readonly string[]
  },
): Promise<RemainingAdmins> {
  const { account_id, role_id, removed, now, signed_in_after, issuers } = admins
  const times = [now + shortestLifeOfAdmin, now, signed_in_after]
  const found = await db.row(findAdmins, [account_id, role_id, removed, ...times, issuers])
  return found ?? { goes: false, stays: false, lasts: false }
}

/**
 * The accounts that nobody can administer 14 days from now, at most 20: none of their admins is a token that lives for
 * longer, or a user with a passkey or an identity of one of the account's `providers`.
 */
export function listEndingAdmins(
  db: Db,
  providers: readonly { readonly account: string; readonly issuer: string }[],
): Promise<EndingAdmins[]> {
  const accounts = providers.map(({ account }) => account)
  const issuers = providers.map(({ issuer }) => issuer)
  return db.rows(listEnding, [adminRole, accounts, issuers])
}

/** A page of grants, newest first: those in visible workspaces and those of the principal `own`. */
export function listGrants(
  ctx: Ctx,
  filter: {
    account_id: string
    visible: 'all' | readonly string[]
    own: string
    workspace_id: string | undefined
    role_id: string | undefined
    query: PageQuery & { principal_id?: string[] }
  },
): Promise<Page<GrantRow>> {
  const where = conditions()
    .add('g.account_id = $', filter.account_id)
    .checkIf('g.workspace_id = $', filter.workspace_id)
    .checkIf('g.role_id = $', filter.role_id)
    .addIf('g.principal_id = any($)', filter.query.principal_id)
  if (filter.visible !== 'all') where.check('g.workspace_id = any($) or g.principal_id = $', filter.visible, filter.own)
  return readPage<GrantRow>(ctx, { prefix: 'grntc', query: filter.query, select, where, sort: newestFirst('g') })
}
